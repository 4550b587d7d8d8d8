//! The form of a definition file as types, for its JSON Schema.
//!
//! [`super::parse`] reads files and says more than a schema can: which sources an agent has, whether hooks fire in a
//! circle. A field that is null is as one that is not there.

use schemars::JsonSchema;

pub mod execution;
pub mod hooks;

use execution::{Audit, Execution, Performance};
use hooks::Hooks;

/// A definition file.
#[derive(JsonSchema)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct File {
    #[serde(rename = "$schema")]
    pub schema: Option<String>,
    /// Ends with the name and version of the form.
    #[serde(rename = "$id")]
    #[schemars(regex(pattern = "ralph-persistence-hooks/v1$"))]
    pub id: Option<String>,
    pub title: Option<String>,
    pub description: Option<String>,
    pub hooks: Option<Hooks>,
    pub execution: Option<Execution>,
    pub performance: Option<Performance>,
    pub audit: Option<Audit>,
}
