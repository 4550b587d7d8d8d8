//! Tasks that files of a project define for a runner: what running one of them loses outside of the project, and the tasks
//! beside it that lose nothing.

use std::fs;

use crate::place::Place;
use crate::wrong;

/// The files of a project with a task of each runner that deletes what lies in the home, and one that does not.
const FILES: &[(&str, &str)] = &[
    (
        "build.gradle",
        "apply from: 'gradle/more.gradle'\n\ntask wipe(type: Delete) {\n    delete layout.buildDirectory, \
         \"${System.getProperty('user.home')}/exports\"\n}\n\ntask fresh(type: Delete) {\n    delete 'out'\n}\n",
    ),
    (
        "gradle/more.gradle",
        "tasks.register('purge', Exec) {\n    commandLine 'rm', '-rf', \"${System.getenv('HOME')}/exports\"\n}\n",
    ),
    (
        "app/build.gradle.kts",
        "val home = System.getProperty(\"user.home\")\n\ntasks.register(\"gone\") {\n    dependsOn(\"tidy\")\n    \
         doLast { file(\"$home/exports\").deleteRecursively() }\n}\n\ntasks.register<Delete>(\"tidy\") {\n    \
         delete(\"out\")\n}\n",
    ),
    (
        "Rakefile",
        "task default: :tidy\n\ntask :tidy do\n  rm_rf 'out'\nend\n\nnamespace :exports do\n  task :wipe, [:age] => \
         [:tidy] do\n    FileUtils.rm_rf(File.join(Dir.home, 'exports'))\n  end\nend\n",
    ),
    ("tools/more.rake", "task :purge do\n  sh \"rm -rf #{Dir.home}/exports\"\nend\n"),
    (
        "tools/Tidy.proj",
        "<Project>\n  <Target Name=\"Wipe\">\n    <RemoveDir Directories=\"$(HOME)/exports\" />\n  </Target>\n  \
         <Target Name=\"Tidy\">\n    <RemoveDir Directories=\"$(MSBuildProjectDirectory)/../out\" />\n  </Target>\n\
         </Project>\n",
    ),
    (
        "build.xml",
        "<project default=\"tidy\">\n  <target name=\"tidy\"><delete dir=\"out\"/></target>\n  <target name=\"wipe\" \
         depends=\"tidy\"><delete dir=\"${user.home}/exports\"/></target>\n</project>\n",
    ),
    (
        "tools/wipe/main.go",
        "package main\n\nimport (\n\t\"os\"\n\t\"path/filepath\"\n)\n\nfunc main() {\n\thome, _ := \
         os.UserHomeDir()\n\tfor _, name := range []string{\"exports\", \"none\"} {\n\t\tos.RemoveAll(filepath.Join(home, \
         name))\n\t}\n}\n",
    ),
    ("tools/tidy/main.go", "package main\n\nimport \"os\"\n\nfunc main() {\n\tos.RemoveAll(\"out\")\n}\n"),
    (
        "tools/ship.go",
        "package main\n\nimport \"os/exec\"\n\nfunc main() {\n\texec.Command(\"kubectl\", \"delete\", \"namespace\", \
         \"live\").Run()\n}\n",
    ),
    (
        "xtask/src/main.rs",
        "fn main() {\n    let home = std::env::var(\"HOME\").unwrap();\n    \
         std::fs::remove_dir_all(format!(\"{home}/exports\")).unwrap();\n}\n",
    ),
    ("src/bin/tidy.rs", "fn main() {\n    std::fs::remove_dir_all(\"out\").ok();\n}\n"),
    (
        "mix.exs",
        "defmodule Shop.MixProject do\n  defp aliases do\n    [\n      setup: [\"deps.get\"],\n      wipe: [\"cmd rm -rf \
         $HOME/exports\"]\n    ]\n  end\nend\n",
    ),
    (
        "lib/mix/tasks/exports.purge.ex",
        "defmodule Mix.Tasks.Exports.Purge do\n  def run(_) do\n    File.rm_rf!(Path.join(System.user_home!(), \
         \"exports\"))\n  end\nend\n",
    ),
    (
        "composer.json",
        "{\"scripts\": {\"wipe\": [\"@tidy\", \"rm -rf ~/exports\"], \"tidy\": \"rm -rf out\", \"all\": \"@wipe\"}}\n",
    ),
    (
        "tasks.py",
        "from invoke import task\n\n\n@task\ndef tidy(c):\n    c.run('rm -rf out')\n\n\n@task(pre=[tidy])\ndef \
         wipe_all(c):\n    c.run('rm -rf ~/exports')\n",
    ),
    (
        "noxfile.py",
        "import pathlib\nimport shutil\n\nimport nox\n\n\n@nox.session\ndef tests(session):\n    \
         session.run('pytest')\n\n\n@nox.session\ndef wipe(session):\n    shutil.rmtree(pathlib.Path.home() / \
         'exports')\n",
    ),
    (
        "tox.ini",
        "[testenv]\ncommands = pytest\n\n[testenv:wipe]\nallowlist_externals = rm\ncommands =\n    rm -rf \
         {env:HOME}/exports\n",
    ),
    (
        "pyproject.toml",
        "[tool.poe.tasks]\nwipe = { cmd = 'rm -rf ${HOME}/exports' }\nlint = 'ruff check'\n\n[tool.pdm.scripts]\nwipe = \
         'rm -rf ~/exports'\nlint = 'ruff check'\n\n[tool.hatch.envs.default.scripts]\nwipe = ['rm -rf ~/exports']\n",
    ),
    (
        "Makefile.toml",
        "[tasks.wipe]\nscript = 'rm -rf ~/exports'\n\n[tasks.tidy]\ncommand = 'rm'\nargs = ['-rf', 'out']\n",
    ),
    ("mise.toml", "[tasks.wipe]\nrun = 'rm -rf ~/exports'\n"),
    ("package.json", "{\"scripts\": {\"wipe\": \"rimraf ~/exports\"}}\n"),
];

#[test]
fn what_a_task_of_a_runner_loses_outside_of_the_project_is_asked_about() {
    // A folder that is not among the temporary ones.
    let place = Place::in_folder(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap());
    fs::create_dir_all(place.home().join("exports")).unwrap();
    fs::write(place.home().join("exports/a.csv"), "x\n").unwrap();
    for (name, text) in FILES {
        place.write(name, text);
    }
    place.commit("Tasks");
    let deny = [
        "gradle wipe",
        "./gradlew -q purge",
        "gradle :app:gone",
        "cd app && ../gradlew gone",
        "rake exports:wipe",
        "bundle exec rake 'exports:wipe[7]'",
        "rake -f tools/more.rake purge",
        "dotnet msbuild tools/Tidy.proj -t:Wipe",
        "ant wipe",
        "go run ./tools/wipe",
        "cd tools && go run ./wipe",
        "go -C tools run ./wipe --yes",
        "go run tools/ship.go",
        "cargo xtask",
        "mix wipe",
        "mix exports.purge",
        "composer wipe",
        "composer run-script all",
        "invoke wipe-all",
        "nox -s wipe",
        "tox -e wipe",
        "poe wipe",
        "pdm run wipe",
        "hatch run wipe",
        "cargo make wipe",
        "mise run wipe",
        "bun run wipe",
    ];
    let silent = [
        "gradle fresh",
        "gradle --dry-run wipe",
        "./gradlew :app:tidy",
        "rake",
        "rake -T",
        "dotnet msbuild tools/Tidy.proj -t:Tidy",
        "ant",
        "go run ./tools/tidy",
        "cargo run --bin tidy",
        "mix setup",
        "composer tidy",
        "inv tidy",
        "nox -s tests",
        "tox -e py312",
        "poe lint",
        "pdm run lint",
        "cargo make tidy",
        "cat tasks.py build.gradle",
    ];
    let rows: Vec<(&str, &str)> =
        deny.iter().map(|it| (*it, "deny")).chain(silent.iter().map(|it| (*it, "silent"))).collect();
    let wrong = wrong(&place, &rows);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
