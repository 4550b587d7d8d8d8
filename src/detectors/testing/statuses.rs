//! Statuses of HTTP under the names that libraries give them: `HTTPStatus.NOT_FOUND`, `http.StatusNotFound`,
//! `status.HTTP_404_NOT_FOUND`, `:not_found`.

use crate::languages::Assertion;
use crate::model::words::is_name_part;

/// Names in lower case, letters alone.
const NAMES: &[(&str, u16)] = &[
    ("ok", 200),
    ("created", 201),
    ("accepted", 202),
    ("nocontent", 204),
    ("movedpermanently", 301),
    ("found", 302),
    ("seeother", 303),
    ("notmodified", 304),
    ("temporaryredirect", 307),
    ("permanentredirect", 308),
    ("badrequest", 400),
    ("unauthorized", 401),
    ("paymentrequired", 402),
    ("forbidden", 403),
    ("notfound", 404),
    ("methodnotallowed", 405),
    ("notacceptable", 406),
    ("requesttimeout", 408),
    ("conflict", 409),
    ("gone", 410),
    ("lengthrequired", 411),
    ("preconditionfailed", 412),
    ("requestentitytoolarge", 413),
    ("contenttoolarge", 413),
    ("payloadtoolarge", 413),
    ("unsupportedmediatype", 415),
    ("expectationfailed", 417),
    ("imateapot", 418),
    ("teapot", 418),
    ("unprocessableentity", 422),
    ("unprocessablecontent", 422),
    ("locked", 423),
    ("faileddependency", 424),
    ("upgraderequired", 426),
    ("preconditionrequired", 428),
    ("toomanyrequests", 429),
    ("requestheaderfieldstoolarge", 431),
    ("unavailableforlegalreasons", 451),
    ("internalservererror", 500),
    ("internalerror", 500),
    ("notimplemented", 501),
    ("badgateway", 502),
    ("serviceunavailable", 503),
    ("gatewaytimeout", 504),
    ("insufficientstorage", 507),
];

/// The status that a text names: its number stands in the name, or the name is known.
pub(super) fn named_status(text: &str) -> Option<u16> {
    text.split(|c: char| !is_name_part(c)).filter(|word| word.starts_with(char::is_alphabetic)).find_map(
        |word| {
            let lower = word.to_lowercase();
            let number = lower.split('_').find(|it| it.len() == 3).and_then(|it| it.parse().ok());
            let number = number.filter(|it| (100..600).contains(it));
            let bare: String = lower.chars().filter(|c| c.is_alphanumeric()).collect();
            number.or_else(|| {
                let of =
                    |name: &str| NAMES.iter().find(|(known, _)| *known == name).map(|(_, status)| *status);
                let heads = ["", "httpstatus", "status", "http", "sc"];
                heads.iter().find_map(|head| of(bare.strip_prefix(head)?))
            })
        },
    )
}

/// The status that an assertion expects, and whether it says so by a name.
pub(super) fn expected_status(assertion: &Assertion) -> Option<(u16, bool)> {
    let lower = assertion.text.to_lowercase();
    let is_about_status = lower.contains("stat") || lower.starts_with("assert_response");
    let claim = &assertion.claim;
    let sides = if is_about_status { [claim.expected.as_str(), claim.subject.as_str()] } else { [""; 2] };
    let number = |side: &str| side.parse().ok().filter(|it| (100..600).contains(it));
    sides
        .iter()
        .find_map(|side| number(side).map(|it| (it, false)))
        .or_else(|| Some((named_status(sides.first()?)?, true)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_known_by_its_name() {
        for (text, status) in [
            ("HTTPStatus.UNPROCESSABLE_ENTITY", 422),
            ("status.HTTP_422_UNPROCESSABLE_ENTITY", 422),
            ("http.StatusUnprocessableEntity", 422),
            ("HttpStatus.UNPROCESSABLE_ENTITY.value()", 422),
            ("HttpStatusCode.NotFound", 404),
            ("StatusCode::NOT_FOUND", 404),
            (":unprocessable_entity", 422),
            ("HttpServletResponse.SC_NOT_FOUND", 404),
            ("HTTPStatus.OK", 200),
        ] {
            assert_eq!(named_status(text), Some(status), "{text}");
        }
        assert_eq!(named_status("response.body"), None);
        assert_eq!(named_status("422"), None);
    }
}
