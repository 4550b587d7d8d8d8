//! Rules of a Makefile, and which of them make's arguments name.

/// The folder, the file and the targets that make's arguments name.
pub(crate) fn arguments<'w>(rest: &[&'w str]) -> (Option<&'w str>, Option<&'w str>, Vec<&'w str>) {
    let (mut folder, mut file, mut targets) = (None, None, Vec::new());
    let mut words = rest.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "-C" | "--directory" => folder = words.next(),
            "-f" | "--file" => file = words.next(),
            "-j" | "-l" | "-o" | "-W" => {}
            _ if word.starts_with('-') || word.contains('=') => {}
            _ if word.bytes().all(|byte| byte.is_ascii_digit()) => {}
            _ => targets.push(word),
        }
    }
    (folder, file, targets)
}

/// The target that a bare `make` makes.
pub(crate) fn first_target(text: &str) -> Option<String> {
    let mut all = text.lines().filter_map(targets_of).flat_map(|(targets, _)| targets);
    all.find(|target| !target.starts_with('.')).map(str::to_owned)
}

/// The prerequisites and the recipe of a target; rules of one name are one.
pub(crate) fn rule(text: &str, target: &str) -> Option<(Vec<String>, Vec<String>)> {
    let (mut prerequisites, mut recipe, mut inside, mut found) = (Vec::new(), Vec::new(), false, false);
    for line in text.lines() {
        if line.starts_with('\t') {
            let command = line.trim().trim_start_matches(['@', '+']);
            if inside && !command.is_empty() && !command.starts_with('#') {
                recipe.push(command.to_owned());
            }
            continue;
        }
        let Some((targets, rest)) = targets_of(line) else { continue };
        inside = targets.contains(&target);
        if inside {
            found = true;
            let (needs, inline) = rest.split_once(';').unwrap_or((rest, ""));
            prerequisites.extend(needs.split_whitespace().filter(|it| *it != "|").map(str::to_owned));
            recipe.extend(Some(inline.trim().to_owned()).filter(|it| !it.is_empty()));
        }
    }
    found.then_some((prerequisites, recipe))
}

/// The targets of a rule's first line, and what stands behind the colon.
fn targets_of(line: &str) -> Option<(Vec<&str>, &str)> {
    if line.starts_with(['\t', ' ', '#']) {
        return None;
    }
    let line = line.split(" #").next().unwrap_or(line);
    let (targets, rest) = line.split_once(':')?;
    let rest = rest.strip_prefix(':').unwrap_or(rest);
    if targets.contains(['=', '$']) || rest.starts_with('=') {
        return None;
    }
    Some((targets.split_whitespace().collect(), rest))
}
