//! Containers, their volumes and stacks.

use crate::shell::effects::services::rules::RuleWeight::{Changes, Loses};
use crate::shell::effects::services::rules::ServiceRule;

/// The rules of this family.
pub(crate) static RULES: &[ServiceRule] = &[
    ("docker|podman|nerdctl volume rm|remove|prune ~", Loses),
    ("docker|podman|nerdctl system prune --volumes", Loses),
    ("podman system reset", Loses),
    ("podman rm|kill -a|--all -f|--force", Loses),
    ("podman kill -a|--all", Loses),
    ("docker|podman context rm|remove", Changes),
    ("oras|crane|skopeo delete", Loses),
    ("docker|podman|nerdctl system prune", Changes),
    ("docker|podman|nerdctl container prune", Changes),
    ("docker|podman|nerdctl image prune -a|--all", Changes),
    ("docker|podman|nerdctl rmi -a|--all", Changes),
    ("docker|podman|nerdctl rm -v|--volumes ~", Changes),
    ("docker|podman|nerdctl compose down|rm -v|--volumes ~", Loses),
    ("docker-compose|podman-compose down|rm -v|--volumes ~", Loses),
    ("docker stack|service|secret|config rm|remove", Changes),
    ("docker swarm leave --force|-f", Changes),
];
