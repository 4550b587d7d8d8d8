//! Databases, and the migrations of applications.

use crate::shell::effects::services::rules::Rule;
use crate::shell::effects::services::rules::Weight::{Changes, Loses};

/// The rules of this family.
pub(crate) static RULES: &[Rule] = &[
    ("dropdb ~", Loses),
    ("dropuser ~", Changes),
    ("mysqladmin|mariadb-admin drop ~", Loses),
    ("redis-cli|valkey-cli|keydb-cli flushall|flushdb", Loses),
    ("mongorestore --drop ~", Loses),
    ("pg_restore -c|--clean ~", Loses),
    ("rails|rake db:drop*|db:reset*|db:schema:load*|db:migrate:reset*|db:truncate_all ~", Loses),
    ("artisan migrate:fresh|migrate:refresh|migrate:reset|db:wipe ~", Loses),
    ("php artisan migrate:fresh|migrate:refresh|migrate:reset|db:wipe ~", Loses),
    ("manage.py flush|reset_db ~", Loses),
    ("python|python3|py manage.py flush|reset_db ~", Loses),
    ("console doctrine:database:drop|doctrine:schema:drop ~", Loses),
    ("php console doctrine:database:drop|doctrine:schema:drop ~", Loses),
    ("prisma migrate reset ~", Loses),
    ("prisma db push --force-reset ~", Loses),
    ("alembic downgrade base ~", Loses),
    ("flask db downgrade base ~", Loses),
    ("sequelize|sequelize-cli db:drop ~", Loses),
    ("typeorm schema:drop ~", Loses),
    ("knex migrate:rollback --all ~", Loses),
    ("mikro-orm schema:drop|database:drop|schema:fresh|migration:fresh ~", Loses),
    ("mix ecto.drop|ecto.reset ~", Loses),
    ("sqlx database|db drop|reset ~", Loses),
    ("diesel database reset|drop ~", Loses),
    ("sea-orm-cli migrate fresh|refresh|reset ~", Loses),
    ("dbmate drop ~", Loses),
    ("goose … reset ~", Loses),
    ("migrate … drop ~", Loses),
    ("flyway clean ~", Loses),
    ("liquibase drop-all|dropAll ~", Loses),
    ("dotnet ef database drop ~", Loses),
    ("supabase db reset", Changes),
];
