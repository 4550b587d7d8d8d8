//! Queues, secrets and configuration.

use crate::shell::effects::services::rules::RuleWeight::{Changes, Loses};
use crate::shell::effects::services::rules::ServiceRule;

/// The rules of this family.
pub(crate) static RULES: &[ServiceRule] = &[
    ("kafka-topics|kafka-topics.sh --delete", Loses),
    ("kafka-delete-records|kafka-delete-records.sh", Loses),
    ("kafka-consumer-groups|kafka-consumer-groups.sh --delete|--reset-offsets", Changes),
    ("kafka-configs|kafka-configs.sh --alter", Changes),
    ("rpk topic delete|trim-prefix", Loses),
    ("rpk … delete", Changes),
    ("kafkactl delete topic|records", Loses),
    ("kafkactl … delete|reset", Changes),
    ("redpanda … delete", Changes),
    ("rabbitmqctl delete_queue|purge_queue|delete_vhost|reset|force_reset", Loses),
    ("rabbitmqadmin delete|purge", Loses),
    ("pulsar-admin tenants|namespaces|topics|functions|schemas delete|delete-partitioned-topic", Loses),
    ("pulsar-admin topics|namespaces clear-backlog|skip-all|truncate", Loses),
    ("pulsar-admin … delete", Changes),
    ("nats stream|kv|consumer rm|del|delete|purge", Loses),
    ("vault delete", Loses),
    ("vault kv delete|destroy", Loses),
    ("vault kv metadata delete", Loses),
    ("vault secrets|auth disable", Loses),
    ("consul kv delete", Loses),
    ("celery … purge ~", Loses),
    ("nomad job stop -purge|--purge", Loses),
    ("nomad namespace|volume delete|deregister", Loses),
    ("nomad system gc", Changes),
    ("gpg|gpg2 --delete-secret-keys|--delete-secret-key|--delete-secret-and-public-key", Loses),
    ("security delete-keychain", Loses),
];
