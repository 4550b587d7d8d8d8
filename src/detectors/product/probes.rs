//! Checks of a running service that are gone from its deployment: health checks of images, probes of pods.

use crate::languages::file_name;
use crate::model::finding::Change;

/// Sections that say how a service is asked whether it is well.
const PROBES: &[&str] = &["livenessProbe", "readinessProbe", "startupProbe", "healthcheck", "healthCheck"];

/// The first check of the kind that is gone, with its line before.
pub(super) fn lost(change: &Change) -> Option<(String, u32)> {
    let (before, after) = (change.before.as_deref()?, change.after.as_deref()?);
    let name = file_name(&change.path);
    if name.starts_with("Dockerfile") || name.ends_with(".Dockerfile") || name == "Containerfile" {
        let check = |text: &str| {
            let mut lines = (1u32..).zip(text.lines());
            lines.find_map(|(at, line)| {
                line.strip_prefix("HEALTHCHECK ").filter(|it| it.trim() != "NONE").map(|_| at)
            })
        };
        let line = check(before)?;
        return check(after).is_none().then(|| ("`HEALTHCHECK` would be gone".to_owned(), line));
    }
    if !name.ends_with(".yml") && !name.ends_with(".yaml") {
        return None;
    }
    PROBES.iter().find_map(|probe| {
        let head = format!("{probe}:");
        let of = |text: &str| {
            (1u32..).zip(text.lines()).find(|(_, line)| line.trim_start().starts_with(&head)).map(|it| it.0)
        };
        let line = of(before)?;
        // With most of the file the service itself goes.
        let is_gone = of(after).is_none() && after.lines().count() * 3 > before.lines().count();
        is_gone.then(|| (format!("`{probe}` would be gone"), line))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_that_is_gone_is_told() {
        let told = |path: &str, before: &str, after: &str| {
            let text = |it: &str| Some(it.to_owned());
            lost(&Change { path: path.to_owned(), before: text(before), after: text(after) }).is_some()
        };
        let values = "port: 80\nreplicas: 2\nimage: shop\nlivenessProbe:\n  httpGet:\n    path: /well\n";
        assert!(told("deploy/values.yaml", values, "port: 80\nreplicas: 2\nimage: shop\n"));
        assert!(!told("deploy/values.yaml", values, &values.replace("/well", "/healthz")));
        assert!(told("Dockerfile", "FROM a\nHEALTHCHECK CMD ask\n", "FROM a\nHEALTHCHECK NONE\n"));
        assert!(!told(
            "Dockerfile",
            "FROM a\nHEALTHCHECK CMD ask\n",
            "FROM a\nHEALTHCHECK CMD curl -f localhost\n"
        ));
    }
}
