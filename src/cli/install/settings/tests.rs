//! The table of settings files before and after.

use crate::cli::install::settings::*;

const BINARY: &str = "/opt/bin/steadfast-hook";

fn installed(text: &str) -> SettingsDocument {
    let mut settings = SettingsDocument::parse(text).unwrap();
    settings.add_hooks(BINARY, RegistrationOptions::default()).unwrap();
    settings
}

/// Texts that users have, written as the client and other tools write them.
const FOREIGN: &[(&str, &str)] = &[
    ("an absent file", ""),
    ("an empty object", "{}"),
    (
        "two spaces",
        "{\n  \"model\": \"opus\",\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(ls)\"\n    ]\n  }\n}\n",
    ),
    ("tabs, no last newline", "{\n\t\"zeta\": 1,\n\t\"alpha\": [\n\t\t1.5,\n\t\tnull\n\t]\n}"),
    ("CRLF", "{\r\n    \"model\": \"opus\"\r\n}\r\n"),
    ("a byte-order mark", "\u{feff}{\n  \"model\": \"opus\"\n}\n"),
    (
        "foreign hooks in our events and in others",
        "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"./check.sh\"\n          }\n        ]\n      }\n    ],\n    \"Notification\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"beep\"\n          }\n        ]\n      }\n    ]\n  },\n  \"env\": {\n    \"A\": \"1\"\n  }\n}\n",
    ),
];

#[test]
fn installing_keeps_what_is_foreign_and_removing_brings_the_text_back() {
    for (name, text) in FOREIGN {
        let with = installed(text).text();
        let mut again = SettingsDocument::parse(&with).unwrap();
        assert!(again.has_hooks(), "{name}: not registered in {with}");
        assert!(
            !again.add_hooks(BINARY, RegistrationOptions::default()).unwrap(),
            "{name}: the bound is lifted once"
        );
        assert_eq!(again.text(), with, "{name}: a second install changes the text");
        again.remove_hooks(true);
        let without = again.text();
        let expected = if text.is_empty() { "{}\n" } else { text };
        assert_eq!(without, expected, "{name}: removing does not bring the text back");
    }
}

#[test]
fn foreign_values_stay_where_they_are() {
    let (_, text) = FOREIGN.last().unwrap();
    let value: Value = serde_json::from_str(&installed(text).text()).unwrap();
    assert_eq!(value["hooks"]["PreToolUse"][0]["hooks"][0]["command"], "./check.sh");
    assert_eq!(value["hooks"]["PreToolUse"][1], REGISTRATIONS[2].group(BINARY, false));
    assert_eq!(value["hooks"]["Notification"][0]["hooks"][0]["command"], "beep");
    assert_eq!(value["env"], json!({"A": "1", STOP_CAP_VARIABLE: "0"}));
    let keys: Vec<_> = value.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["hooks", "env"], "the order of the keys");
}

#[test]
fn an_own_bound_of_the_user_is_kept() {
    let text = format!("{{\"env\": {{\"{STOP_CAP_VARIABLE}\": \"5\"}}}}");
    let mut settings = SettingsDocument::parse(&text).unwrap();
    assert!(!settings.add_hooks(BINARY, RegistrationOptions::default()).unwrap());
    settings.remove_hooks(true);
    assert_eq!(settings.text(), text);
}

#[test]
fn another_path_replaces_the_earlier_one_in_its_place() {
    let mut value: Value = serde_json::from_str(&installed("{}").text()).unwrap();
    let foreign = json!({"hooks": [{"type": "command", "command": "later"}]});
    value["hooks"]["Stop"].as_array_mut().unwrap().push(foreign.clone());
    let mut settings = SettingsDocument::parse(&value.to_string()).unwrap();
    settings.add_hooks("/new place/steadfast-hook", RegistrationOptions::default()).unwrap();
    let text = settings.text();
    assert!(!text.contains(BINARY), "{text}");
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["hooks"]["Stop"][0]["hooks"][0]["command"], "/new place/steadfast-hook");
    assert_eq!(value["hooks"]["Stop"][1], foreign);
}

#[test]
fn a_handler_of_ours_inside_a_foreign_group_or_another_event_goes_alone() {
    let text = json!({"hooks": {
        "Stop": [{"hooks": [{"type": "command", "command": "mine"}, {"type": "command", "command": BINARY}]}],
        "Setup": [{"hooks": [{"type": "command", "command": BINARY}]}],
    }});
    let value: Value = serde_json::from_str(&installed(&text.to_string()).text()).unwrap();
    assert_eq!(value["hooks"]["Stop"][0]["hooks"], json!([{"type": "command", "command": "mine"}]));
    assert_eq!(value["hooks"]["Stop"].as_array().unwrap().len(), 2);
    assert!(value["hooks"].get("Setup").is_none());
}

#[test]
fn names_that_only_look_like_ours_are_foreign() {
    for command in
        ["/opt/steadfast-hook.sh", "echo steadfast-hook", "/opt/steadfast-hook/run", "my-steadfast-hook"]
    {
        let text =
            json!({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": command}]}]}}).to_string();
        let mut settings = SettingsDocument::parse(&text).unwrap();
        assert!(!settings.has_hooks(), "{command}");
        settings.remove_hooks(true);
        assert_eq!(settings.text(), text, "{command}");
    }
}

#[test]
fn what_cannot_be_understood_is_refused_with_its_place() {
    let cases: &[(&str, &str)] = &[
        ("{\n  \"a\": 1,\n}", "line 3, column 1: trailing comma"),
        (
            "{\n  // note\n}",
            "line 2, column 3: a comment, which JSON has not and which this command would lose: take it out first",
        ),
        ("{\"a\": ", "line 1, column 6: EOF while parsing a value"),
        ("[]", "`the whole file` is not an object"),
        ("{\"hooks\": []}", "`hooks` is not an object"),
        ("{\"hooks\": {\"Stop\": {}}}", "`hooks.Stop` is not an array"),
        ("{\"env\": \"A=1\"}", "`env` is not an object"),
    ];
    for (text, message) in cases {
        let error = SettingsDocument::parse(text)
            .and_then(|mut settings| settings.add_hooks(BINARY, RegistrationOptions::default()))
            .unwrap_err();
        assert_eq!(error.to_string(), *message, "{text}");
    }
}

#[test]
fn groups_of_an_unknown_shape_are_left_alone() {
    let text =
        json!({"hooks": {"Stop": ["odd", {"hooks": "odd"}, {"hooks": [7, {"type": "prompt"}]}]}}).to_string();
    let mut settings = installed(&text);
    settings.remove_hooks(true);
    assert_eq!(settings.text(), text);
}

#[test]
fn a_status_line_is_ours_or_stays_somebody_elses() {
    let ours =
        |program: &str| format!("{{\"statusLine\": {{\"type\": \"command\", \"command\": \"{program}\"}}}}");
    for (text, taken) in [
        ("{}".to_owned(), true),
        (ours("/old/steadfast statusline"), true),
        (ours("'/my place/steadfast' statusline"), true),
        (ours("/opt/other statusline"), false),
        (ours("my-line.sh"), false),
        ("{\"statusLine\": 7}".to_owned(), false),
    ] {
        let mut settings = SettingsDocument::parse(&text).unwrap();
        assert_eq!(settings.add_status_line("/my place/it's/steadfast"), taken, "{text}");
        if !taken {
            assert_eq!(settings.text(), text);
        }
        let command =
            serde_json::from_str::<Value>(&settings.text()).unwrap()["statusLine"]["command"].clone();
        if taken {
            assert_eq!(command, "'/my place/it'\\''s/steadfast' statusline");
        }
        settings.remove_status_line();
        assert_eq!(settings.text().contains("statusLine"), !taken, "{text}");
    }
}
