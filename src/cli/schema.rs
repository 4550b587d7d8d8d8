//! `steadfast schema`: the JSON Schemas of everything that Steadfast reads and writes.
//!
//! They are made from the types that read and write the files, so they can't say anything else.

use anyhow::Result;
use clap::{Args, ValueEnum};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::audit::Audit;
use super::doctor::diagnosis::Diagnosis;
use super::migrate::Migration;
use super::today::Day;
use super::{pages, reader_gone_is_fine};
use crate::checkpoint::manifest::Manifest;
use crate::proof::judgement::Judgement;
use crate::state::audit::Line;
use crate::state::loop_state::LoopState;
use crate::{config, definitions, hosts};

/// Arguments of `steadfast schema`.
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// Of what
    of: SchemaSubject,
}

/// What has a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchemaSubject {
    /// A loop's state.json
    State,
    /// The hook definitions, persistence-hooks.yaml
    Hooks,
    /// aiwg.yml
    Config,
    /// One line of hook-log.jsonl
    Log,
    /// What steadfast-hook prints
    Answer,
    /// A checkpoint's manifest, unpacked
    Checkpoint,
    /// What steadfast doctor --json prints
    Doctor,
    /// What `steadfast today --json` prints
    Today,
    /// What `steadfast audit --json` prints
    Audit,
    /// What `steadfast migrate --json` prints
    Migration,
    /// What `steadfast prove --json` prints
    Proof,
}

/// Prints a schema.
pub fn run(args: &SchemaArgs) -> Result<u8> {
    let text = format!("{:#}\n", schema(args.of).as_value());
    reader_gone_is_fine(pages::paged(|out| Ok(out.write_all(text.as_bytes()).map(|()| 0)))?)
}

/// The schema of one kind of file, in draft 2020-12.
pub fn schema(of: SchemaSubject) -> Schema {
    match of {
        SchemaSubject::State => titled::<LoopState>("The state of a loop", "state"),
        SchemaSubject::Hooks => titled::<definitions::schema::File>("Hook definitions", "hooks"),
        SchemaSubject::Config => titled::<config::ConfigFile>("The configuration of Steadfast", "config"),
        SchemaSubject::Log => titled::<Line>("A line of a loop's log", "log"),
        SchemaSubject::Answer => {
            titled::<hosts::claude_code::answer::Output>("The answer to a hook event", "answer")
        }
        SchemaSubject::Doctor => titled::<Diagnosis>("What steadfast doctor has found", "doctor"),
        SchemaSubject::Checkpoint => titled::<Manifest>("The manifest of a checkpoint", "checkpoint"),
        SchemaSubject::Today => titled::<Day>("What happened in a project since a moment", "today"),
        SchemaSubject::Audit => {
            titled::<Audit>("What would have been said in past sessions or about past commits", "audit")
        }
        SchemaSubject::Migration => {
            titled::<Migration>("What was taken over, and what was left", "migration")
        }
        SchemaSubject::Proof => titled::<Judgement>("What a proof says", "proof"),
    }
}

fn titled<T: JsonSchema>(title: &str, name: &str) -> Schema {
    let mut schema = generator().into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    schema.insert("$id".to_owned(), format!("urn:steadfast:schema:{name}").into());
    schema
}

fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12().into_generator()
}
