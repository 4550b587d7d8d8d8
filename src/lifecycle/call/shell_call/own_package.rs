//! The project's own package where it is installed: taken out there, nothing of it is gone.

use crate::lifecycle::changes::file_text::read_text;
use crate::project::Project;
use crate::shell::{Effect, EffectKind};

/// Files that give the project's package its name.
const MANIFESTS: &[&str] = &["pyproject.toml", "setup.cfg", "setup.py"];

/// Whether an effect takes out no installed package but the project's own.
pub(super) fn takes_out_its_own(effect: &Effect, project: &Project) -> bool {
    if effect.kind != EffectKind::ChangesElsewhere || effect.detail != "pip uninstall" {
        return false;
    }
    let texts = MANIFESTS.iter().filter_map(|name| read_text(&project.root().join(name)));
    let own: Vec<String> = texts.filter_map(|text| name_in(&text)).collect();
    let is_own = |name: &str| own.iter().any(|own| *own == as_one(name));
    !effect.targets.is_empty() && effect.targets.iter().all(|target| is_own(&target.text))
}

/// The first `name = …` of a manifest.
fn name_in(text: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let value =
            line.trim().trim_start_matches("setup(").strip_prefix("name")?.trim_start().strip_prefix('=')?;
        let name = value.trim().trim_end_matches([',', ')']).trim_matches(['"', '\'']);
        (!name.is_empty()).then(|| as_one(name))
    })
}

/// `My_Package` and `my-package` are one.
fn as_one(name: &str) -> String {
    name.to_ascii_lowercase().replace(['_', '.'], "-")
}
