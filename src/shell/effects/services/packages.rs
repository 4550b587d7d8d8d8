//! Programs by the names of the packages and images that hold them: `npx firebase-tools`, `docker run amazon/aws-cli`.

use crate::shell::model::{Command, Word, program_name};

/// Packages whose program has another name.
const PACKAGES: &[(&str, &str)] = &[
    ("firebase-tools", "firebase"),
    ("netlify-cli", "netlify"),
    ("vercel-cli", "vercel"),
    ("awscli", "aws"),
    ("awscliv2", "aws"),
    ("aws-cdk", "cdk"),
    ("railway-cli", "railway"),
    ("@railway/cli", "railway"),
    ("@aws-amplify/cli", "amplify"),
    ("@sentry/cli", "sentry-cli"),
    ("@cloudflare/wrangler", "wrangler"),
    ("@neondatabase/cli", "neonctl"),
    ("@sanity/cli", "sanity"),
    ("@shopify/cli", "shopify"),
    ("@pulumi/pulumi", "pulumi"),
    ("azure-cli", "az"),
    ("s3cmd-cli", "s3cmd"),
];
/// Images that start a program with whatever words they get, and that program.
const IMAGES: &[(&str, &str)] = &[
    ("aws-cli", "aws"),
    ("kubectl", "kubectl"),
    ("helm", "helm"),
    ("terraform", "terraform"),
    ("opentofu", "tofu"),
    ("rclone", "rclone"),
    ("mc", "mc"),
    ("flyway", "flyway"),
    ("liquibase", "liquibase"),
    ("restic", "restic"),
    ("argocd", "argocd"),
    ("doctl", "doctl"),
    ("flyctl", "flyctl"),
    ("pulumi", "pulumi"),
];

/// The program that a word starts, by a path, a package's name, or that with a version.
pub(crate) fn program_of(text: &str) -> &str {
    let bare = match text.rsplit_once('@') {
        Some((name, _)) if !name.is_empty() => name,
        _ => text,
    };
    let known = PACKAGES.iter().find(|(package, _)| *package == bare);
    known.map_or_else(|| program_name(if text.contains('/') { text } else { bare }), |(_, program)| program)
}

/// What a new container of such an image runs.
pub(crate) fn in_an_image(command: &Command) -> Option<Command> {
    matches!(command.program(), "docker" | "podman" | "nerdctl").then_some(())?;
    (command.words.get(1)?.text == "run").then_some(())?;
    let (at, program) = command.words.iter().enumerate().skip(2).find_map(|(at, word)| {
        let name = program_name(word.text.split([':', '@']).next().unwrap_or_default());
        let (_, program) = IMAGES.iter().find(|(image, _)| *image == name && word.text.contains('/'))?;
        let is_option = word.text.starts_with(['-', '/', '.']) || word.text.contains("$");
        (!is_option).then_some((at, program))
    })?;
    let words = std::iter::once(Word::literal(*program)).chain(command.words.get(at + 1..)?.iter().cloned());
    Some(Command { words: words.collect(), ..command.clone() })
}

/// Whether `pip` works in an environment of its own: one that is named by its path, or entered by the text.
pub(crate) fn in_an_environment(earlier: &[Command], command: &Command) -> bool {
    let program = command.words.first().map_or("", |word| word.text.as_str());
    let is_pip = program_name(program).starts_with("pip") || program_name(program).starts_with("python");
    let is_of_the_machine = ["/usr/", "/bin/", "/opt/"].iter().any(|folder| program.starts_with(folder));
    let is_named = program.contains("/bin/") && !is_of_the_machine;
    let is_entered = || {
        earlier.iter().any(|own| {
            matches!(own.program(), "source" | ".")
                && own.words.get(1).is_some_and(|file| file.text.contains("bin/activate"))
        })
    };
    is_pip && (is_named || is_entered())
}

/// The packages that `pip uninstall` names.
pub(crate) fn uninstalled(command: &Command) -> Vec<Word> {
    let words = command.words.iter().skip_while(|word| word.text != "uninstall").skip(1);
    words.filter(|word| !word.text.starts_with('-')).cloned().collect()
}
