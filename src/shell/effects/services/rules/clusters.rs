//! Clusters: Kubernetes and what runs on it.

use crate::shell::effects::services::rules::RuleWeight::{Changes, Loses};
use crate::shell::effects::services::rules::ServiceRule;

/// The rules of this family.
pub(crate) static RULES: &[ServiceRule] = &[
    (
        "kubectl|oc|k delete ns|namespace|namespaces|project|projects|pv|persistentvolume*|pvc|crd|crds|customresourcedefinition*|node|nodes|sts|statefulset|statefulsets|secret|secrets",
        Loses,
    ),
    ("kubectl|oc|k delete --all|-A|--all-namespaces", Loses),
    ("kubectl|oc|k delete pod|pods|po|job|jobs --force", Changes),
    (
        "kubectl|oc|k delete deploy*|svc|service|services|ingress*|ing|cm|configmap*|ds|daemonset*|cronjob*|cj|rs|replicaset*|sa|serviceaccount*|role*|clusterrole*",
        Changes,
    ),
    ("kubectl|oc|k delete -k|--kustomize ~", Loses),
    ("kubectl|oc|k delete -", Loses),
    ("kubectl|oc|k delete -f|-l|--filename|--kustomize|--selector", Changes),
    ("kubectl|oc|k patch", Changes),
    ("kubectl|oc|k rollout undo", Changes),
    ("kubectl|oc|k apply --prune", Changes),
    ("kubectl|oc|k config delete-context|delete-cluster|delete-user|unset", Changes),
    ("kubectl|oc|k cordon|taint|annotate|label --overwrite", Changes),
    ("kubectl|oc|k drain", Changes),
    ("kubectl|oc|k replace --force", Changes),
    ("kubectl|oc|k scale --replicas=0", Changes),
    ("helm uninstall|delete|del|un", Loses),
    ("helm rollback", Changes),
    ("helmfile destroy|delete", Loses),
    ("argocd app delete", Loses),
    ("flux uninstall", Loses),
    ("flux delete", Loses),
    ("istioctl uninstall", Loses),
    ("rancher rm|delete", Loses),
    ("velero backup|schedule|restore delete", Loses),
    ("etcdctl del --prefix|--from-key", Loses),
    ("eksctl delete cluster|nodegroup", Loses),
    ("kops delete cluster --yes", Loses),
];
