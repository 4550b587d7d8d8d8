//! Which files of a project say what a runner's task does, and how each is read.

use std::path::{Path, PathBuf};

use crate::shell::model::{Command, resolve};
use crate::shell::parse::reader::ScriptReader;
use crate::shell::wrappers::project_scripts::{
    gradle, marked_up, mix, python_tasks, ruby_tasks, settings_tasks,
};

/// The files in which a runner's tasks stand, beside where it runs: all that a first look must ask for.
pub(super) fn files(command: &Command) -> Vec<String> {
    let words = words(command);
    let own = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    match command.program() {
        "gradle" | "gradlew" => own(gradle::NAMES),
        "rake" => own(&["Rakefile", "rakefile", "Rakefile.rb"]),
        "rails" if words.first().is_some_and(|word| word.contains(':')) => own(&["Rakefile"]),
        "invoke" | "inv" => own(&["tasks.py"]),
        "fab" => own(&["fabfile.py"]),
        "nox" => own(&["noxfile.py"]),
        "tox" => own(&["tox.ini"]),
        "ant" => own(&["build.xml"]),
        "mix" => own(&["mix.exs"]),
        "composer" => own(&["composer.json"]),
        "poe" | "poethepoet" | "pdm" | "rye" | "hatch" | "task" => own(&["pyproject.toml"]),
        "pixi" => own(&["pixi.toml", "pyproject.toml"]),
        "mise" => own(&["mise.toml", ".mise.toml"]),
        "cargo" if matches!(words.first(), Some(&"make")) => own(&["Makefile.toml"]),
        "makers" => own(&["Makefile.toml"]),
        _ => Vec::new(),
    }
}

pub(super) fn words(command: &Command) -> Vec<&str> {
    command.words.iter().skip(1).map(|word| word.text.as_str()).collect()
}

/// The value of an option, as the next word or behind a sign of its own.
pub(super) fn option<'w>(words: &[&'w str], names: &[&str]) -> Option<&'w str> {
    let next = words.windows(2).find(|pair| names.contains(&pair[0])).map(|pair| pair[1]);
    let glued =
        |word: &&'w str| names.iter().find_map(|name| word.strip_prefix(name)?.strip_prefix(['=', ':']));
    next.or_else(|| words.iter().find_map(glued))
}

/// The operands, without the values of options.
fn operands(words: &[&str], valued: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--" => break,
            it if valued.contains(&it) => _ = words.next(),
            it if it.starts_with('-') || it.contains('=') => {}
            it => found.push(it.to_owned()),
        }
    }
    found
}

impl ScriptReader {
    /// The shell texts of the tasks that words ask for, and where they run.
    pub(super) fn named_tasks(&mut self, command: &Command) -> (Vec<String>, Option<PathBuf>) {
        let words = words(command);
        let texts = match command.program() {
            "gradle" | "gradlew" => return self.gradle_tasks(command),
            "go" => return self.go_program(command, &words),
            "rake" | "rails" => self.rake_tasks(command, &words),
            "invoke" | "inv" | "fab" => {
                self.function_tasks(command, operands(&words, &["-f", "-c", "-r", "-H", "--collection"]))
            }
            "nox" => {
                let asked = option(&words, &["-s", "--session", "--sessions", "-e"]);
                self.function_tasks(command, asked.into_iter().map(str::to_owned).collect())
            }
            "tox" => self.environments(command, &words),
            "ant" | "msbuild" | "dotnet" => self.target_texts(command, &words),
            "mix" => self.mix_texts(command, &words),
            "composer" => self.composer_scripts(command, &words),
            "cargo" if words.first() != Some(&"make") => self.cargo_program(command, &words),
            program => {
                let asked: Vec<String> = operands(&words, &["-e", "--env", "-C", "-p"]);
                let skips = |word: &String| matches!(word.as_str(), "run" | "r" | "make" | "shell");
                let asked: Vec<String> = asked.into_iter().skip_while(skips).take(1).collect();
                let text = self.of_files(command, None).unwrap_or_default();
                settings_tasks::toml_texts(program, &text, &asked)
            }
        };
        (texts, command.directory.clone())
    }

    fn environments(&mut self, command: &Command, words: &[&str]) -> Vec<String> {
        const LISTING: &[&str] = &["config", "list", "l", "-l", "--listenvs"];
        if words.first().is_some_and(|word| LISTING.contains(word)) {
            return Vec::new();
        }
        let asked: Vec<String> = option(words, &["-e", "--env"]).into_iter().map(str::to_owned).collect();
        let text = self.of_files(command, option(words, &["-c", "--conf"])).unwrap_or_default();
        settings_tasks::tox_texts(&text, &asked)
    }

    fn composer_scripts(&mut self, command: &Command, words: &[&str]) -> Vec<String> {
        let named = operands(words, &["-d", "--working-dir"]);
        let asked = named.into_iter().find(|word| !matches!(word.as_str(), "run" | "run-script"));
        let text = self.of_files(command, None).unwrap_or_default();
        asked.map(|asked| settings_tasks::composer_texts(&text, &asked)).unwrap_or_default()
    }

    /// The text of the file that an option names, or of the first that is there of those that the runner looks for.
    fn of_files(&mut self, command: &Command, given: Option<&str>) -> Option<String> {
        match given {
            Some(file) => self.beside(file, command),
            None => files(command).iter().find_map(|file| self.beside(file, command)),
        }
    }

    fn gradle_tasks(&mut self, command: &Command) -> (Vec<String>, Option<PathBuf>) {
        let words = words(command);
        let call = gradle::call(&words);
        let (mut folder, mut texts) = (call.folder.to_owned(), Vec::new());
        for task in &call.tasks {
            let project = task.trim_start_matches(':').rsplit_once(':').map_or("", |(before, _)| before);
            let below = Path::new(&folder).join(project.replace(':', "/"));
            let own = gradle::NAMES.iter().map(|name| below.join(name).to_string_lossy().into_owned());
            let named = call.files.iter().map(|file| (*file).to_owned());
            for file in named.chain(own) {
                let Some(text) = self.beside(&file, command) else { continue };
                let near = Path::new(&file).parent().unwrap_or(Path::new("")).to_owned();
                let applied: Vec<String> = gradle::applied(&text)
                    .iter()
                    .filter_map(|it| self.beside(&near.join(it).to_string_lossy(), command))
                    .collect();
                texts.extend(
                    [vec![text], applied].concat().iter().flat_map(|text| gradle::task_texts(text, &[task])),
                );
            }
            if !project.is_empty() {
                folder = below.to_string_lossy().into_owned();
            }
        }
        (texts, command.directory.as_ref().map(|here| resolve(here, &folder)))
    }

    fn rake_tasks(&mut self, command: &Command, words: &[&str]) -> Vec<String> {
        let asked = operands(words, &["-f", "--rakefile", "-R", "--rakelibdir", "-I", "-r"]);
        let is_of_rails = command.program() == "rails";
        if is_of_rails && !asked.first().is_some_and(|task| task.contains(':')) {
            return Vec::new();
        }
        let mut texts: Vec<String> =
            self.of_files(command, option(words, &["-f", "--rakefile"])).into_iter().collect();
        for task in asked.iter().take(4) {
            let space = task.split([':', '[']).next().unwrap_or_default();
            texts.extend(self.beside(&format!("lib/tasks/{space}.rake"), command));
        }
        texts.iter().flat_map(|text| ruby_tasks::task_texts(text, &asked)).collect()
    }

    fn function_tasks(&mut self, command: &Command, asked: Vec<String>) -> Vec<String> {
        let words = words(command);
        let named = option(&words, &["-f", "--noxfile"]).or_else(|| option(&words, &["-c", "--collection"]));
        let named =
            named.map(|name| if name.ends_with(".py") { name.to_owned() } else { format!("{name}.py") });
        let is_listed = words.iter().any(|word| matches!(*word, "-l" | "--list" | "--help"));
        let text = self.of_files(command, named.as_deref()).filter(|_| !is_listed);
        let is_whole = asked.is_empty() && command.program() != "nox";
        text.filter(|_| !is_whole).map(|text| python_tasks::task_texts(&text, &asked)).unwrap_or_default()
    }

    fn target_texts(&mut self, command: &Command, words: &[&str]) -> Vec<String> {
        let is_build =
            |file: &str| file.ends_with("proj") || file.ends_with(".targets") || file.ends_with(".xml");
        let verb = words.first().copied().filter(|_| command.program() == "dotnet");
        if verb
            .is_some_and(|verb| !matches!(verb, "msbuild" | "build" | "publish" | "test" | "clean" | "pack"))
        {
            return Vec::new();
        }
        let named =
            option(words, &["-f", "-buildfile"]).or_else(|| words.iter().copied().find(|it| is_build(it)));
        let Some(text) = self.of_files(command, named) else { return Vec::new() };
        let asked = option(words, &["-t", "-target", "--target", "/t", "/target"]);
        let mut asked: Vec<String> =
            asked.into_iter().flat_map(|it| it.split([';', ','])).map(str::to_owned).collect();
        if command.program() == "ant" {
            asked = operands(words, &["-f", "-buildfile"]);
        }
        let of_verb = match verb {
            Some("test") => vec!["Build".to_owned(), "VSTest".to_owned()],
            Some("publish" | "clean" | "pack") => verb.into_iter().map(str::to_owned).collect(),
            _ => marked_up::default_of(&text),
        };
        marked_up::target_texts(&text, if asked.is_empty() { &of_verb } else { &asked })
    }

    fn mix_texts(&mut self, command: &Command, words: &[&str]) -> Vec<String> {
        let Some(task) = words.first().filter(|word| !word.starts_with('-')) else { return Vec::new() };
        let aliases = self.of_files(command, None).unwrap_or_default();
        let mut texts = mix::alias_texts(&aliases, task);
        let asked: Vec<String> = texts
            .iter()
            .filter_map(|text| Some(text.strip_prefix("mix ")?.split(' ').next()?.to_owned()))
            .collect();
        // A task of a module that the project has; those of Mix itself have names without a dot, or known ones.
        for task in std::iter::once((*task).to_owned()).chain(asked).take(4) {
            let modules = mix::module_files(&task);
            let text = modules.iter().find_map(|file| self.beside(file, command));
            texts.extend(text.into_iter().flat_map(|text| mix::module_texts(&text)));
        }
        texts
    }
}
