//! Checks of a library or a protocol that a setting switches off.

use crate::detectors::engine::revision::Revision;
use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::languages::code::{Code, Setting, bare};
use crate::model::finding::{Finding, RegressionType, Severity};

/// Checks of a library or a protocol that are switched off.
pub(crate) static SWITCHED_OFF: Detector = Detector {
    pattern: Pattern {
        id: "LP-C003",
        name: "Validation Disabling",
        aliases: &["Security Check Disabled"],
        regression_type: Some(RegressionType::ValidationBypass),
        severity: Severity::High,
        what: "A check of certificates, requests or input is switched off by a setting.",
        why: "A connection or a request that nobody checks may come from anyone.",
        instead: "The check can stay on, with the certificate or the origin that is meant named instead.",
        proof: PatternProof::Changes,
    },
    detect: switched_off,
};

/// Settings that switch a check off, with the values that do so, both without regard to case.
const OFF: &[(&str, &[&str])] = &[
    ("verify", &["false", ":verify_none", "nil"]),
    ("rejectunauthorized", &["false"]),
    ("insecureskipverify", &["true"]),
    ("strictssl", &["false"]),
    ("check_hostname", &["false"]),
    ("verify_ssl", &["false", "openssl::ssl::verify_none"]),
    ("ssl_verify", &["false", ":none"]),
    ("verify_mode", &["openssl::ssl::verify_none"]),
    ("verify_peer", &["false"]),
    ("verify_peer_name", &["false"]),
    ("allow_self_signed", &["true"]),
    ("curlopt_ssl_verifypeer", &["false", "0", "0l"]),
    ("curlopt_ssl_verifyhost", &["false", "0", "0l"]),
    ("validate_certs", &["false"]),
    ("danger_accept_invalid_certs", &["true"]),
    ("skipvalidation", &["true"]),
    ("skip_validation", &["true"]),
    ("node_tls_reject_unauthorized", &["'0'", "\"0\""]),
    ("allowed_hosts", &["['*']", "[\"*\"]"]),
    ("validateissuer", &["false"]),
    ("validateaudience", &["false"]),
    ("validatelifetime", &["false"]),
    ("validateissuersigningkey", &["false"]),
    ("requirehttpsmetadata", &["false"]),
    ("checkcertificaterevocationlist", &["false"]),
    ("servercertificatecustomvalidationcallback", &["(_,_,_,_)=>true", "delegate{returntrue;}"]),
    ("servercertificatevalidationcallback", &["(_,_,_,_)=>true", "delegate{returntrue;}"]),
    ("validatescertificatechain", &["false"]),
    ("skipmissingproperties", &["true"]),
    ("skipundefinedproperties", &["true"]),
    ("skipnullproperties", &["true"]),
    ("allowunknown", &["true"]),
    ("suppressmodelstateinvalidfilter", &["true"]),
    ("hostnameverifier", &["noophostnameverifier.instance"]),
];

/// Settings by which a library refuses what nobody asked for, with the values that do so, in the same form.
const STRICT: &[(&str, &[&str])] = &[
    ("extra", &["\"forbid\"", "'forbid'", "extra.forbid"]),
    ("whitelist", &["true"]),
    ("forbidnonwhitelisted", &["true"]),
    ("forbidunknownvalues", &["true"]),
    ("unknown", &["raise", "\"raise\"", "'raise'"]),
    ("action_on_unpermitted_parameters", &[":raise"]),
    ("ignoreunknownkeys", &["false"]),
    ("additionalproperties", &["false"]),
];

/// A setting that refused what nobody asked for, and is gone or has another value, where a line stays in its place.
fn let_in(revision: &Revision) -> Option<(String, u32)> {
    let is_strict = |it: &Setting| {
        let (name, value) = (it.name.to_lowercase(), bare(it.value).to_lowercase());
        let last = name.rsplit('.').next().unwrap_or(&name);
        STRICT.iter().any(|(known, strict)| *known == last && strict.contains(&value.as_str()))
    };
    let count = |code: &Code| code.settings.iter().filter(|it| is_strict(it)).count();
    if count(&revision.before) <= count(&revision.after) {
        return None;
    }
    let mut strict = revision.before.settings.iter().filter(|it| is_strict(it));
    strict.find_map(|setting| {
        let hunk =
            revision.hunks().iter().find(|hunk| hunk.gone.iter().any(|it| it.number == setting.line))?;
        let is_in_place =
            hunk.come.len() == hunk.gone.len() || hunk.come.iter().any(|it| it.text.contains(setting.name));
        is_in_place
            .then(|| (format!("`{}` would not be `{}` any more", setting.name, setting.value), setting.line))
    })
}

fn switched_off(case: &Case, findings: &mut Vec<Finding>) {
    for revision in case.revisions().iter().filter(|revision| !revision.is_test) {
        let is_off = |name: &str, value: &str| {
            let (name, value) = (name.to_lowercase(), bare(value).to_lowercase());
            OFF.iter().any(|(known, off)| *known == name && off.contains(&value.as_str()))
        };
        let count = |code: &Code, name: &str| {
            code.settings.iter().filter(|it| it.name == name && is_off(it.name, it.value)).count()
        };
        let setting = revision.after.settings.iter().find(|setting| {
            is_off(setting.name, setting.value)
                && count(&revision.after, setting.name) > count(&revision.before, setting.name)
        });
        if let Some(setting) = setting {
            let what = format!("`{}` would be `{}`", setting.name, setting.value);
            let mut found = SWITCHED_OFF.finding(&revision.change.path, what);
            found.line = Some(setting.line);
            findings.push(found);
        } else if let Some((what, line)) = let_in(revision) {
            let found = SWITCHED_OFF.finding(&revision.change.path, what);
            findings.push(Finding { line: Some(line), ..found });
        }
    }
}
