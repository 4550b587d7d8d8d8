//! Infrastructure as code, and virtual machines.

use crate::shell::effects::services::rules::RuleWeight::{Changes, Loses};
use crate::shell::effects::services::rules::ServiceRule;

/// The rules of this family.
pub(crate) static RULES: &[ServiceRule] = &[
    ("terraform|tofu|terragrunt destroy", Loses),
    ("terragrunt run-all|run destroy", Loses),
    ("terraform|tofu|terragrunt apply -destroy|--destroy", Loses),
    ("terraform|tofu|terragrunt workspace delete", Loses),
    ("terraform|tofu|terragrunt apply -auto-approve|--auto-approve", Changes),
    ("terraform|tofu|terragrunt state rm|push", Loses),
    ("terraform|tofu|terragrunt state replace-provider|mv", Changes),
    ("terraform|tofu|terragrunt taint|force-unlock", Changes),
    ("pulumi destroy|down|dn", Loses),
    ("pulumi stack rm", Loses),
    ("pulumi up|update --yes|-y", Changes),
    ("pulumi state delete", Loses),
    ("cdk|cdktf destroy", Loses),
    ("serverless|sls remove", Loses),
    ("sam delete", Loses),
    ("sst remove", Loses),
    ("copilot app|env|svc delete", Loses),
    ("vagrant destroy", Loses),
    ("multipass delete -p|--purge", Loses),
    ("multipass purge", Loses),
    ("virsh undefine|vol-delete|pool-delete", Loses),
    ("vboxmanage|VBoxManage unregistervm|closemedium --delete", Loses),
    ("lxc|incus delete", Loses),
];
