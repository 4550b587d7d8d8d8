//! What a text leaves open and the hook looks up: variables that nobody has set, lists, scripts that nobody has committed,
//! folders that are not there, archives, what the text itself has copied or named before.

use std::process::Command;

use crate::kinds::place_with_work;
use crate::place::Place;
use crate::wrong;

fn checked(place: &Place, rows: &[(&str, &str)]) {
    let wrong = wrong(place, rows);
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

#[test]
fn a_variable_that_nobody_has_set_is_nothing() {
    let place = place_with_work(Place::new());
    let rows = [
        ("rm -rf \"$RELEASE_FOLDER\"/*", "deny"),
        ("rm -rf ${RELEASE_FOLDER}/etc", "deny"),
        ("sudo rm -rf $RELEASE_FOLDER/ && make", "deny"),
        ("find \"$RELEASE_FOLDER/\" -delete", "deny"),
        // Nothing, or said to be set.
        ("rm -rf \"$RELEASE_FOLDER\"", "silent"),
        ("rm -rf \"${RELEASE_FOLDER}dist\"", "silent"),
        ("RELEASE_FOLDER=dist; rm -rf \"$RELEASE_FOLDER\"/*", "silent"),
        ("for RELEASE_FOLDER in dist; do rm -rf \"$RELEASE_FOLDER\"/*; done", "silent"),
        ("rm -rf \"${RELEASE_FOLDER:-dist}\"/*", "silent"),
        // The text ends there.
        ("rm -rf \"${RELEASE_FOLDER:?}\"/*", "silent"),
        // It may be set after all, or the text may end there.
        ("set -eu; rm -rf \"$RELEASE_FOLDER\"/*", "told"),
        ("[ -n \"$RELEASE_FOLDER\" ] && rm -rf \"$RELEASE_FOLDER\"/*", "told"),
        ("[[ -d $RELEASE_FOLDER ]] && rm -rf \"$RELEASE_FOLDER\"/*", "told"),
        ("source ./env.sh; rm -rf \"$RELEASE_FOLDER\"/*", "told"),
        // The other machine has its own.
        ("ssh host 'rm -rf \"$RELEASE_FOLDER\"/*'", "silent"),
        // Unquoted it is no word, and options stay what they are.
        ("ls $RELEASE_FOLDER", "silent"),
        ("cp src/a.py \"$RELEASE_FOLDER/\"", "silent"),
    ];
    checked(&place, &rows);
}

#[test]
fn a_folder_that_is_not_there_leaves_the_text_where_it_stood() {
    let place = place_with_work(Place::new());
    let rows = [
        ("cd services/api; rm -rf *", "deny"),
        ("cd services/api\nrm -rf ./*\n", "deny"),
        ("pushd services/api; git checkout -- .; popd; rm -rf ./*", "deny"),
        ("(cd services/api; rm -rf -- *)", "deny"),
        // There it runs, or not at all: what is told is that nothing is there.
        ("cd services/api && rm -rf *", "told"),
        ("cd services/api || exit 1; rm -rf *", "told"),
        ("cd services/api || { echo none; exit 0; }; rm -rf *", "told"),
        ("if cd services/api; then rm -rf *; fi", "told"),
        ("set -e; cd services/api; rm -rf *", "told"),
        ("[ -d services/api ] || exit; cd services/api; rm -rf *", "told"),
        // What runs before may make it.
        ("mkdir -p services/api; cd services/api; rm -rf *", "told"),
        ("make services; cd services/api; rm -rf *", "told"),
        // It is there.
        ("cd dist; rm -rf *", "silent"),
        ("cd docs/more; rm -f *.tmp", "silent"),
    ];
    checked(&place, &rows);
}

#[test]
fn lists_are_read() {
    let place = place_with_work(Place::new());
    place.write("all.txt", "dist\nsrc\n");
    place.write("out.txt", "../home/.profile\n");
    place.write("built.txt", "dist\nnode_modules\n");
    let rows = [
        ("xargs -a all.txt rm -rf", "deny"),
        ("cat all.txt | xargs rm -rf", "deny"),
        ("sort -u all.txt | xargs -d '\\n' rm -rf --", "deny"),
        ("while IFS= read -r name; do rm -rf \"$name\"; done < all.txt", "deny"),
        ("parallel rm -rf < all.txt", "deny"),
        ("rm -rf $(cat all.txt)", "told"),
        ("xargs --arg-file=built.txt rm -rf", "silent"),
        ("cat built.txt | xargs rm -rf", "silent"),
        ("while read -r name; do rm -rf \"$name\"; done < built.txt", "silent"),
        ("while read -r name; do echo \"$name\"; done < all.txt", "silent"),
        ("cat all.txt | xargs ls", "silent"),
    ];
    checked(&place, &rows);
}

#[test]
fn scripts_are_read_like_the_command() {
    let place = place_with_work(Place::new());
    place.write("tools/old.sh", "rm -rf src\n");
    place.write("Makefile", "prune:\n\trm -rf src\n");
    place.commit("Tools");
    place.write("tools/new.sh", "rm -rf src docs\n");
    place.write("tools/tidy.sh", "rm -rf dist\n");
    let rows = [
        ("bash tools/new.sh", "deny"),
        ("sh tools/tidy.sh", "silent"),
        ("bash tools/old.sh", "deny"),
        ("make prune", "told"),
        ("make -f - all <<'M'\nPARTS := dist src\nall:\n\trm -rf $(PARTS)\nM", "deny"),
        ("make -f - all <<'M'\nPARTS := dist\nall:\n\trm -rf $(PARTS)\nM", "silent"),
    ];
    checked(&place, &rows);
    place.write("Makefile", "prune:\n\trm -rf src tests\n");
    checked(&place, &[("make prune", "deny")]);
}

#[test]
fn a_changed_file_is_lost_by_its_deletion_as_by_its_restoration() {
    let place = place_with_work(Place::new());
    place.write("src/a.py", "a = 2\n");
    place.write("Cargo.lock", "version = 4\n");
    place.write("docs/a.md", "a\n");
    let rows = [
        ("git restore src/a.py", "deny"),
        ("rm src/a.py", "deny"),
        ("git rm -qf src/a.py", "deny"),
        ("python3 -c \"import os; os.remove('src/a.py')\"", "deny"),
        ("cp src/a.py /tmp/a.py && rm src/a.py", "silent"),
        ("git commit -qam kept && rm src/a.py", "silent"),
        // As git has them, though written anew; and what a package manager makes again.
        ("rm src/b.py", "silent"),
        ("rm docs/a.md", "silent"),
        ("git rm -q src/b.py", "silent"),
        ("rm notes.txt", "told"),
    ];
    checked(&place, &rows);
    place.commit("Locked");
    place.write("Cargo.lock", "version = 5\n");
    checked(&place, &[("git restore Cargo.lock", "silent"), ("rm Cargo.lock", "silent")]);
}

#[test]
fn a_branch_whose_commits_another_one_has_goes_elsewhere_and_that_is_told() {
    let place = place_with_work(Place::new());
    place.git(&["checkout", "--quiet", "work"]);
    place.git(&["branch", "kept"]);
    let rows = [
        ("git update-ref refs/heads/work main && git reset -q", "told"),
        ("git switch -C work main", "told"),
        ("GIT_SEQUENCE_EDITOR='sed -i 1d' git rebase -i HEAD~1", "told"),
        ("git checkout -B work kept", "silent"),
        ("git branch other && git switch -C work main", "silent"),
    ];
    checked(&place, &rows);
}

#[test]
fn what_is_held_elsewhere_by_then_is_not_lost() {
    let place = place_with_work(Place::new());
    place.write("src/a.py", "a = 2\n");
    let rows = [
        ("git add -A && git commit -qm x && git branch kept && git reset --hard HEAD~1", "silent"),
        ("git commit -qam x && git tag kept && git reset --hard HEAD~1", "silent"),
        ("git commit -qam x && git push -q origin HEAD:kept && git reset --hard HEAD~1", "silent"),
        ("cp src/a.py /tmp/a.py && git checkout -- src/a.py", "silent"),
        ("cp -r src /tmp/src-before; git restore src", "silent"),
        ("tar czf /tmp/src.tgz src && git checkout -- src", "silent"),
        ("cp notes.txt /tmp/notes.txt && git clean -f notes.txt", "silent"),
        ("git stash apply && git stash drop", "silent"),
        // Not that file, not that commit, or not for sure.
        ("cp src/b.py /tmp/b.py && git checkout -- src", "deny"),
        ("cp src/a.py /dev/null && git checkout -- src", "deny"),
        ("git branch kept && git commit -qam x && git reset --hard HEAD~1", "deny"),
        ("git stash list && git checkout -- src", "deny"),
        ("git checkout -q -- src/a.py; git stash pop && git checkout -- .", "deny"),
        ("git stash pop -q && git reset -q --hard", "deny"),
        ("for f in $(git diff --name-only); do git show \"HEAD:$f\" > \"$f\"; done", "deny"),
    ];
    checked(&place, &rows);
}

#[test]
fn what_others_have_is_told_where_it_is_made_anew() {
    let place = place_with_work(Place::new());
    let rows = [
        ("git commit --amend --no-edit", "told"),
        ("git rebase -i HEAD~1", "told"),
        ("git commit -qam x && git commit --amend -m y", "silent"),
        ("git commit --amend --no-edit && git push --force", "deny"),
        ("git commit --amend --no-edit && git push --force-with-lease", "told"),
        ("git push origin --delete release/2.x", "deny"),
    ];
    checked(&place, &rows);
    place.commit("Mine");
    checked(&place, &[("git commit --amend --no-edit", "silent"), ("git rebase -i HEAD~1", "silent")]);
}

#[test]
fn other_working_trees_are_looked_into() {
    let place = place_with_work(Place::new());
    place.git(&["worktree", "add", "--quiet", "../tree", "-b", "tree"]);
    let all = "git worktree list --porcelain | sed -n 's/^worktree //p' | tail -n +2 \
               | while read -r tree; do git worktree remove --force \"$tree\"; done";
    checked(&place, &[(all, "silent")]);
    place.write("../tree/src/new.py", "n = 1\n");
    checked(&place, &[(all, "deny"), ("git worktree remove --force ../tree", "deny")]);
}

#[test]
fn archives_and_folders_are_looked_into_where_they_come_onto_files() {
    let place = place_with_work(Place::new());
    let pack = |name: &str, folder: &str, file: &str| {
        let made = Command::new("tar")
            .current_dir(place.root())
            .args(["-C", folder, "-cf", name, file])
            .status()
            .expect("tar");
        assert!(made.success());
    };
    place.write("src/a.py", "a = 1\n");
    pack("dist/src.tar", ".", "src/a.py");
    place.write("packed/.profile", "y\n");
    pack("dist/home.tar", "packed", ".profile");
    place.write("src/a.py", "a = 3\n");
    let rows = [
        ("tar xf dist/src.tar", "told"),
        ("tar -xf dist/src.tar -C docs", "silent"),
        ("tar tf dist/src.tar", "silent"),
        ("cp -r packed/. ../home/", "silent"),
        ("rsync -a --delete packed/ ./", "deny"),
        ("rsync -a --delete --exclude .git packed/ ./", "told"),
    ];
    checked(&place, &rows);
    place.git(&["checkout", "--quiet", "--", "src/a.py"]);
    checked(&place, &[("tar xf dist/src.tar", "silent")]);
}

#[test]
fn files_that_a_pattern_chooses_are_named() {
    let place = place_with_work(Place::new());
    let rows = [
        ("rm -f docs/*.md docs/more/*.md", "told"),
        ("rm -f *.txt", "told"),
        ("echo x | tee docs/*.md docs/more/*.md > /dev/null", "told"),
        ("ruby -e 'Dir[\"docs/**/*.md\"].each { |f| File.delete(f) }'", "told"),
        ("rm -f docs/a.md", "silent"),
        ("rm -f *.log src/*.orig", "silent"),
        ("rm -f dist/*.js", "silent"),
        ("rm -f docs/*.md", "silent"),
    ];
    checked(&place, &rows);
}

#[test]
fn a_clean_of_what_is_ignored_spares_what_it_is_told_to_keep() {
    let place = place_with_work(Place::new());
    place.write(".gitignore", "dist/\nnode_modules/\n.env\n");
    place.write(".env", "KEY=1\n");
    place.commit("Ignore the environment");
    let rows = [
        ("git clean -fX", "deny"),
        ("git clean -fX -e '!.env'", "silent"),
        ("git clean -fdX -e '!dist/'", "deny"),
    ];
    checked(&place, &rows);
}
