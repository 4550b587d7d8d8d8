//! This machine, beyond its files: accounts, services, firewalls.

use crate::shell::effects::services::rules::Rule;
use crate::shell::effects::services::rules::Weight::{Changes, Loses};

/// The rules of this family.
pub(crate) static RULES: &[Rule] = &[
    ("crontab -r", Loses),
    ("crontab !-l !-e", Changes),
    ("userdel|deluser", Loses),
    ("groupdel|delgroup", Changes),
    ("shutdown|poweroff|reboot|halt !-c !-k", Loses),
    ("systemctl poweroff|reboot|halt|kexec|emergency|rescue", Loses),
    ("killall5", Loses),
    ("systemctl stop|disable|mask|isolate|kill", Changes),
    ("launchctl unload|remove|bootout", Changes),
    ("service * stop", Changes),
    ("init|telinit 0|6|1", Loses),
    ("iptables|ip6tables -F|--flush", Loses),
    ("nft flush ruleset", Loses),
    ("ufw reset|disable", Changes),
    ("apt|apt-get purge", Changes),
    ("apt|apt-get remove|autoremove --purge", Changes),
    ("wsl --unregister", Loses),
    ("reg|reg.exe delete", Loses),
    ("schtasks /delete", Changes),
    ("cipher /w:*", Loses),
    ("format ?:*", Loses),
    ("diskpart", Changes),
];
