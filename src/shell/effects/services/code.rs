//! What an interpreter's source deletes of what a service holds: requests that delete, and the clients of clouds, stores
//! and document databases.

use crate::shell::effects::services::http::{is_here, is_purging};
use crate::shell::effects::services::scratch::{is_in_memory, is_scratch};
use crate::shell::model::{Command, Effect, EffectKind, ScriptLanguage};
use crate::shell::wrappers::interpreter_code::calls::{SourceCall, each_call};
use crate::shell::wrappers::interpreter_code::names::named_tokens;
use crate::shell::wrappers::interpreter_code::tokens::SourceToken;

use EffectKind::{ChangesElsewhere, LosesElsewhere};

/// A client of services: what its source is recognised by, and the functions by which something is gone.
struct ClientLibrary {
    /// Words of which one stands in a source that uses it.
    marks: &'static [&'static str],
    /// Functions that give up what can't be put back, by their last name; a `*` stands for any ending.
    loses: &'static [&'static str],
    /// Functions that give up a single thing.
    changes: &'static [&'static str],
}

static CLIENTS: &[ClientLibrary] = &[
    ClientLibrary {
        marks: &["boto3", "aws-sdk", "aws_sdk", "botocore", "Aws::"],
        loses: &[
            "delete_*",
            "terminate_*",
            "purge_*",
            "batch_delete_*",
            "delete",
            "deleteObject*",
            "deleteBucket*",
            "deleteTable*",
            "schedule_key_deletion",
        ],
        changes: &["stop_instances", "deregister_*"],
    },
    ClientLibrary {
        marks: &[
            "google.cloud",
            "@google-cloud",
            "googleapiclient",
            "azure.",
            "@azure/",
            "firebase",
            "supabase",
            "stripe",
            "kubernetes",
            "digitalocean",
            "linode",
            "hcloud",
            "cloudflare",
            "heroku",
        ],
        loses: &[
            "delete",
            "delete_*",
            "deleteMany",
            "destroy",
            "begin_delete*",
            "purge_*",
            "recursiveDelete",
            "terminate*",
        ],
        changes: &["cancel", "remove"],
    },
    ClientLibrary {
        marks: &["octokit", "github", "PyGithub", "gitlab"],
        loses: &["delete", "delete_*", "deleteRef", "remove_from_collaborators"],
        changes: &[],
    },
    ClientLibrary {
        marks: &["redis", "ioredis", "Redis"],
        loses: &["flushall", "flushdb", "flushAll", "flushDb", "FLUSHALL", "FLUSHDB"],
        changes: &["delete", "unlink", "del"],
    },
    ClientLibrary {
        marks: &["mongo"],
        loses: &["drop_database", "dropDatabase", "drop_collection", "drop", "dropCollection"],
        changes: &["delete_many", "deleteMany", "remove"],
    },
    ClientLibrary {
        marks: &["elasticsearch", "opensearch", "Elasticsearch"],
        loses: &["delete_by_query", "deleteByQuery", "indices.delete"],
        changes: &["delete"],
    },
    ClientLibrary { marks: &["objects.all()"], loses: &["delete"], changes: &[] },
    ClientLibrary { marks: &["objects.filter(", "objects.exclude("], loses: &[], changes: &["delete"] },
    ClientLibrary { marks: &["docker"], loses: &["volumes.prune", "remove_volume"], changes: &["prune"] },
    ClientLibrary {
        marks: &[
            "django",
            "objects.",
            "ActiveRecord",
            "Rails",
            "Prisma",
            "sequelize",
            "metadata",
            "Base.",
            "create_engine",
            "knex",
            "typeorm",
            "rails runner ",
            "rails r ",
            "manage.py shell ",
            "artisan tinker ",
            "mix run ",
        ],
        loses: &[
            "delete_all",
            "destroy_all",
            "drop_all",
            "dropSchema",
            "drop_all_tables",
            "deleteMany",
            "truncate",
            "dropDatabase",
            "dropAllSchemas",
            "dropTable",
        ],
        changes: &[],
    },
];

/// Clients of HTTP, by what stands before the method's name.
const HTTP: &[&str] = &[
    "requests",
    "httpx",
    "axios",
    "got",
    "ky",
    "superagent",
    "needle",
    "HTTParty",
    "Faraday",
    "session",
    "client",
    "http",
    "https",
];

/// What a source deletes elsewhere.
pub(crate) fn effect(command: &Command) -> Option<Effect> {
    let code = command.code.as_ref()?;
    let text = code.text.as_deref()?;
    let language = code.language;
    (language != ScriptLanguage::Shell).then_some(())?;
    // The runner of a framework says whose source it is.
    let words: Vec<&str> = command.words.iter().take(3).map(|word| word.text.as_str()).collect();
    let line = format!("{} ", words.join(" "));
    let has = |mark: &&&str| text.contains(**mark) || (mark.ends_with(' ') && line.contains(**mark));
    let clients: Vec<&ClientLibrary> =
        CLIENTS.iter().filter(|client| client.marks.iter().any(|mark| has(&mark))).collect();
    let may_request = text.contains("http") || text.contains("elete") || text.contains("DELETE");
    if clients.is_empty() && !may_request {
        return None;
    }
    let mut worst: Option<(EffectKind, String)> = None;
    each_call(language, text, |call| {
        let found = requested(call).or_else(|| by_client(call, &clients));
        if let Some((kind, what)) = found
            && worst.as_ref().is_none_or(|(known, _)| *known != LosesElsewhere)
        {
            worst = Some((kind, what));
        }
    });
    // A command of its own (`DeleteBucketCommand`), and a query for every row that deletes.
    let worst = worst.or_else(|| ordered(language, text, &clients))?;
    (!works_on_scratch(language, text))
        .then(|| Effect::of(worst.0, command, &format!("{}: {}", command.program(), worst.1), &[], None))
}

/// Whether a source names a place that is there to be thrown away.
fn works_on_scratch(language: ScriptLanguage, text: &str) -> bool {
    named_tokens(language, text).iter().any(|token| match token {
        SourceToken::Text(Some(text)) => {
            text.contains("://") && (is_scratch(text) || is_here(text) || is_in_memory(text))
        }
        _ => false,
    })
}

/// A request that deletes.
fn requested(call: &SourceCall) -> Option<(EffectKind, String)> {
    let last = call.name.rsplit('.').next().unwrap_or_default();
    let client = call.name.rsplit('.').nth(1).unwrap_or_default();
    let address = call
        .arguments
        .iter()
        .flatten()
        .flatten()
        .map(|(text, _)| text.as_str())
        .find(|text| text.starts_with("http://") || text.starts_with("https://"));
    let method = method_of(call);
    let deletes = method.as_deref().is_some_and(|method| method.eq_ignore_ascii_case("delete"))
        || (matches!(last, "delete" | "del" | "Delete") && (address.is_some() || HTTP.contains(&client)));
    let posts = matches!(last, "post" | "put" | "Post")
        || method
            .as_deref()
            .is_some_and(|method| matches!(method.to_ascii_uppercase().as_str(), "POST" | "PUT"));
    let purges = posts && address.is_some_and(is_purging);
    (deletes || purges).then_some(())?;
    let what = format!("{} DELETE", call.name);
    match address {
        Some(address) if is_here(address) => None,
        Some(_) => Some((LosesElsewhere, what)),
        // A client whose requests all go to one place.
        None => Some((ChangesElsewhere, what)),
    }
}

/// The method that a request is told: `method: 'DELETE'`, or one of its arguments.
fn method_of(call: &SourceCall) -> Option<String> {
    let named = call.inside.windows(3).find_map(|three| match three {
        [SourceToken::Name(name), SourceToken::Sign(':' | '='), SourceToken::Text(Some(text))]
            if name == "method" =>
        {
            Some(text.clone())
        }
        _ => None,
    });
    let given = || {
        let asks = call.name.ends_with("request") || call.name.ends_with("Request");
        let first = call.arguments.first()?.as_ref()?.first()?;
        asks.then(|| first.0.clone())
    };
    named.or_else(given)
}

/// A function of a client by which something is gone.
fn by_client(call: &SourceCall, clients: &[&ClientLibrary]) -> Option<(EffectKind, String)> {
    // A path or a list of the source's own has such methods too.
    if call.base.is_some() {
        return None;
    }
    let name = call.name.trim_start_matches("().");
    let last = name.rsplit(['.', ':']).next().unwrap_or_default();
    let fits = |known: &&str| match known.strip_suffix('*') {
        Some(start) => last.starts_with(start),
        None => last == *known || name.ends_with(&format!(".{known}")) || name == *known,
    };
    let is_method = name.contains(['.', ':']) || call.name.starts_with("().");
    is_method.then_some(())?;
    clients.iter().find_map(|client| {
        let empties = || matches!(call.inside, [SourceToken::Sign('{'), SourceToken::Sign('}'), ..]);
        if client.loses.iter().any(&fits) {
            return Some((LosesElsewhere, last.to_owned()));
        }
        client.changes.iter().any(&fits).then(|| {
            let all = matches!(last, "delete_many" | "deleteMany" | "remove") && empties();
            (if all { LosesElsewhere } else { ChangesElsewhere }, last.to_owned())
        })
    })
}

/// `new DeleteBucketCommand(…)`, `objects.all().delete()`.
fn ordered(language: ScriptLanguage, text: &str, clients: &[&ClientLibrary]) -> Option<(EffectKind, String)> {
    (!clients.is_empty()).then_some(())?;
    let tokens = named_tokens(language, text);
    // Ruby calls without brackets: `User.delete_all`.
    let bare = tokens.iter().find_map(|token| match token {
        SourceToken::Name(name) if language == ScriptLanguage::Ruby => {
            let last = name.rsplit('.').next().filter(|last| name.len() > last.len())?;
            matches!(last, "delete_all" | "destroy_all").then(|| last.to_owned())
        }
        _ => None,
    });
    if let Some(name) = bare {
        return Some((LosesElsewhere, name));
    }
    tokens.windows(5).find_map(|five| match five {
        [SourceToken::Name(new), SourceToken::Name(name), ..]
            if new == "new"
                && name.ends_with("Command")
                && name.rsplit('.').next()?.starts_with("Delete") =>
        {
            Some((LosesElsewhere, name.clone()))
        }
        [
            SourceToken::Name(all),
            SourceToken::Sign('('),
            SourceToken::Sign(')'),
            SourceToken::Name(delete),
            SourceToken::Sign('('),
        ] if all.ends_with("all") && delete == "().delete" => {
            Some((LosesElsewhere, format!("{all}().delete")))
        }
        _ => None,
    })
}
