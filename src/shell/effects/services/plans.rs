//! Plans that are made by one command and carried out by another: `terraform plan -destroy -out=F && terraform apply F`.

use crate::shell::model::{Command, Effect, EffectKind};

/// Programs that make plans and apply them.
const PLANNERS: &[&str] = &["terraform", "tofu", "terragrunt"];

/// What applying a plan loses that the same text has made.
pub(crate) fn effect(earlier: &[Command], command: &Command) -> Option<Effect> {
    is_step(command, "apply").then_some(())?;
    let operands = operands(command);
    let file = operands.last().filter(|file| **file != "apply")?;
    let destroys = |plan: &Command| {
        is_step(plan, "plan")
            && words(plan).any(|word| matches!(word, "-destroy" | "--destroy"))
            && words(plan).any(|word| word.ends_with(file) && word.len() >= file.len())
    };
    earlier.iter().any(destroys).then(|| {
        let detail = format!("{} apply of a plan to destroy", command.program());
        Effect::of(EffectKind::LosesElsewhere, command, &detail, &[], command.directory.as_deref())
    })
}

fn words(command: &Command) -> impl Iterator<Item = &str> {
    command.words.iter().skip(1).map(|word| word.text.as_str())
}

fn operands(command: &Command) -> Vec<&str> {
    words(command).filter(|word| !word.starts_with('-')).collect()
}

fn is_step(command: &Command, step: &str) -> bool {
    PLANNERS.contains(&command.program()) && operands(command).first() == Some(&step)
}
