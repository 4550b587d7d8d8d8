//! Files of a home that a shell or a login heeds unasked, and others there that programs write anew.

use std::fs;

use crate::place::Place;
use crate::wrong;

const ROWS: &[(&str, &str)] = &[
    (r#"printf 'export A=1\n' | tee -a ~/.profile > /dev/null"#, "deny"),
    ("grep -q deploy ~/.profile || echo '. ~/deploy/env.sh' >> ~/.profile", "deny"),
    (r#"python3 -c "import os; open(os.path.expanduser('~/.profile'), 'a').write('umask 077\n')""#, "deny"),
    (r#"node -e "require('fs').appendFileSync(require('os').homedir() + '/.zshrc', 'bindkey -v')""#, "deny"),
    ("cat >> ~/.config/fish/config.fish <<'EOF'\nset -gx EDITOR vim\nEOF", "deny"),
    ("cat id.pub >> ~/.ssh/authorized_keys", "deny"),
    ("sed -i '1i umask 077' ~/.profile", "deny"),
    (r#"printf 'Host box\n  User deploy\n' >> ~/.ssh/config"#, "told"),
    (r#"printf '[Service]\nExecStart=/bin/sleep 9\n' > ~/.config/systemd/user/nap.service"#, "told"),
    ("echo hello >> ~/journal.txt", "silent"),
    ("tail -3 ~/.profile", "silent"),
    (r#"echo "put 'umask 077' into ~/.profile by hand""#, "silent"),
    (". ~/.profile && node -v", "silent"),
    ("echo 'layout python' >> .envrc", "silent"),
    (r#"sh -c 'for f; do : > "$f"; done' _ ~/.profile"#, "deny"),
    ("shfmt -w ~/.profile", "deny"),
    ("dos2unix ~/.profile", "deny"),
    (r#"duckdb -c "COPY (SELECT 1) TO '$HOME/.profile'""#, "deny"),
    (r#"psql shop -c "\\copy orders to '$HOME/.profile'""#, "deny"),
    ("ffmpeg -y -i a.mp4 ~/.profile", "deny"),
];

#[test]
fn files_of_the_home_that_are_heeded_unasked_are_asked_about() {
    // A folder that is not among the temporary ones.
    let place = Place::in_folder(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap());
    fs::create_dir_all(place.home()).unwrap();
    fs::write(place.home().join(".profile"), "umask 022\n").unwrap();
    place.write("notes.txt", "x\n");
    place.commit("Notes");
    let wrong = wrong(&place, ROWS);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
