//! Where Python finds a project that is installed in place: such an installation leads to the project itself, and a copy
//! has to be found before it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Folders of virtual environments in a project.
const ENVIRONMENTS: &[&str] = &[".venv", "venv", "env"];
/// Larger files name no places, in bytes.
const LARGEST: u64 = 1 << 20;

/// The value of `PYTHONPATH` for the copy; `None` where nothing leads to the project.
pub(crate) fn of_copy(project: &Path, copy: &Path) -> Option<String> {
    let own = ENVIRONMENTS.iter().map(|name| project.join(name));
    let active = env::var_os("VIRTUAL_ENV").map(PathBuf::from);
    let packages = own.chain(active).flat_map(|environment| site_packages(&environment));
    let places: BTreeSet<PathBuf> = packages.flat_map(|folder| places(&folder, project)).collect();
    if places.is_empty() {
        return None;
    }
    let mut paths: Vec<String> = places
        .iter()
        .filter_map(|place| place.strip_prefix(project).ok())
        .map(|inside| copy.join(inside).display().to_string())
        .collect();
    paths.extend(env::var("PYTHONPATH").ok().filter(|known| !known.is_empty()));
    Some(paths.join(":"))
}

fn site_packages(environment: &Path) -> Vec<PathBuf> {
    let versions = fs::read_dir(environment.join("lib")).into_iter().flatten().flatten();
    versions.map(|version| version.path().join("site-packages")).filter(|path| path.is_dir()).collect()
}

/// The places of the project that a folder of packages leads to.
fn places(folder: &Path, project: &Path) -> Vec<PathBuf> {
    let root = project.display().to_string();
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_list = name.ends_with(".pth");
        let is_finder = name.starts_with("__editable__") && name.ends_with(".py");
        let is_small = entry.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() <= LARGEST);
        if !(is_list || is_finder) || !is_small {
            continue;
        }
        let text = fs::read_to_string(entry.path()).unwrap_or_default();
        let named = text.split(['\n', '\'', '"']).map(str::trim).filter(|part| part.starts_with(&root));
        let named = named.map(PathBuf::from).filter(|path| path.starts_with(project));
        // A list names what is searched, a finder the packages in it.
        found.extend(
            named.filter_map(|path| if is_list { Some(path) } else { path.parent().map(Path::to_owned) }),
        );
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installation_in_place_is_found_in_the_copy() {
        let directory = tempfile::tempdir().unwrap();
        let project = directory.path().join("project");
        let packages = project.join(".venv/lib/python3.12/site-packages");
        fs::create_dir_all(&packages).unwrap();
        let copy = Path::new("/copy");
        assert_eq!(of_copy(&project, copy), None);
        fs::write(packages.join("__editable__.shop.pth"), format!("{}/src\n", project.display())).unwrap();
        let path = of_copy(&project, copy).unwrap();
        assert_eq!(path.split(':').next(), Some("/copy/src"));
    }
}
