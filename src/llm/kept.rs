//! Stored replies: in the cache, which survives a killed run, and in a cassette of readable files.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::ask::{AskError, ModelsError};
use super::wire::{Finish, Form, Output, Reply, Request};
use mastor_store::Cache;
use mastor_types::Hash;
use mastor_types::model::Usage;

/// Cache kind of replies.
const REPLIES: &str = "replies";
/// Cache kind of the request forms that endpoints accept.
const FORMS: &str = "endpoints";
/// Maximum length of the subject in a cassette's file name.
const NAME: usize = 60;

/// Stores and finds replies.
#[derive(Debug)]
pub(super) struct ReplyStore {
    cache: Cache,
    record: Option<PathBuf>,
    replay: Option<PathBuf>,
}

/// A stored reply.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct KeptReply {
    pub reply: Reply,
    pub usage: Usage,
    /// Whether it comes from a cassette.
    pub replayed: bool,
}

/// A cache record.
#[derive(Serialize, Deserialize)]
struct Record {
    text: String,
    finish: Finish,
    refusal: Option<String>,
    model: Option<String>,
    usage: Usage,
}

/// A cassette file; texts are stored as lists of lines to be readable.
#[derive(Serialize, Deserialize)]
struct Exchange {
    schema_version: u32,
    agent: String,
    subject: String,
    key: Hash,
    model: String,
    request: Value,
    reply: RecordedReply,
    usage: Usage,
}

#[derive(Serialize, Deserialize)]
struct RecordedReply {
    text: Vec<String>,
    finish: Finish,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refusal: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    model: Option<String>,
}

impl ReplyStore {
    pub(super) fn open(cache: &Path, record: Option<PathBuf>, replay: Option<PathBuf>) -> Result<Self, ModelsError> {
        if let Some(dir) = replay.as_ref().filter(|dir| !dir.is_dir()) {
            return Err(ModelsError::Cassette(format!("there is no cassette in `{}`", dir.display())));
        }
        if let Some(dir) = &record {
            mastor_store::create_dir(dir).map_err(|error| ModelsError::Cassette(error.to_string()))?;
        }
        let cache = if cache.as_os_str().is_empty() { Cache::disabled() } else { Cache::open(cache) };
        Ok(Self { cache, record, replay })
    }

    /// Whether all replies come from a cassette.
    pub(super) fn replays(&self) -> bool {
        self.replay.is_some()
    }

    /// The stored reply to a request, if there is one.
    pub(super) fn find(&self, agent: &str, subject: &str, request: &Request) -> Option<KeptReply> {
        let key = request.key();
        if let Some(dir) = &self.replay {
            let bytes = fs_err::read(dir.join(file_name(agent, subject, &key))).ok();
            let exchange: Exchange = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok())?;
            let RecordedReply { text, finish, refusal, model } = exchange.reply;
            let reply = Reply { text: text.join("\n"), finish, refusal, model, counts: None };
            return (exchange.key == key).then_some(KeptReply { reply, usage: exchange.usage, replayed: true });
        }
        let bytes = self.cache.get(REPLIES, &key.hex())?;
        let Record { text, finish, refusal, model, usage } = serde_json::from_slice(&bytes).ok()?;
        let reply = Reply { text, finish, refusal, model, counts: None };
        Some(KeptReply { reply, usage, replayed: false })
    }

    /// The error for a request that the cassette does not hold.
    pub(super) fn unrecorded(&self, agent: &str, subject: &str, request: &Request) -> AskError {
        let file = file_name(agent, subject, &request.key());
        let dir = self.replay.as_deref().unwrap_or(Path::new("")).display();
        AskError::Unrecorded(format!("{agent} on {subject} asks what `{dir}` does not hold ({file})"))
    }

    /// Stores a reply in the cache, before anything else uses it, so that it is not lost if the run is killed.
    pub(super) fn keep(&self, request: &Request, reply: &Reply, usage: Usage) {
        let Reply { text, finish, refusal, model, .. } = reply.clone();
        let record = Record { text, finish, refusal, model, usage };
        if let Ok(bytes) = serde_json::to_vec(&record) {
            self.cache.put(REPLIES, &request.key().hex(), &bytes);
        }
    }

    /// Writes an exchange to the cassette, unless it is already there.
    pub(super) fn record(
        &self,
        agent: &str,
        subject: &str,
        request: &Request,
        reply: &Reply,
        usage: Usage,
    ) -> Result<(), AskError> {
        let Some(dir) = &self.record else { return Ok(()) };
        let key = request.key();
        let path = dir.join(file_name(agent, subject, &key));
        if path.exists() {
            return Ok(());
        }
        let lines = |text: &str| text.split('\n').map(str::to_owned).collect::<Vec<_>>();
        let messages: Vec<Value> = request
            .messages(Output::Schema)
            .iter()
            .map(|(role, text)| json!({"role": role, "content": lines(text)}))
            .collect();
        let exchange = Exchange {
            schema_version: 1,
            agent: agent.to_owned(),
            subject: subject.to_owned(),
            key,
            model: request.model.clone(),
            request: json!({
                "messages": messages,
                "schema": {"name": request.schema.name, "json": request.schema.json},
                "max_output": request.max_output,
                "temperature": 0,
            }),
            reply: RecordedReply {
                text: lines(&reply.text),
                finish: reply.finish,
                refusal: reply.refusal.clone(),
                model: reply.model.clone(),
            },
            usage,
        };
        let mut bytes = serde_json::to_vec_pretty(&exchange).map_err(|error| AskError::Failed(error.to_string()))?;
        bytes.push(b'\n');
        mastor_store::write_flushed(&path, &bytes).map_err(|error| AskError::Unavailable(error.to_string()))
    }

    /// The request form that an earlier run found for an endpoint.
    pub(super) fn form(&self, base_url: &str, model: &str) -> Option<Form> {
        let bytes = self.cache.get(FORMS, &format!("{base_url}\n{model}"))?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Stores the request form that an endpoint accepts.
    pub(super) fn keep_form(&self, base_url: &str, model: &str, form: Form) {
        if let Ok(bytes) = serde_json::to_vec(&form) {
            self.cache.put(FORMS, &format!("{base_url}\n{model}"), &bytes);
        }
    }

    /// Why the cache cannot be written, if so.
    pub(super) fn warning(&self) -> Option<String> {
        self.cache.warning().map(|warning| warning.message.clone())
    }
}

/// Name of a cassette file: agent, subject, and the beginning of the request's hash.
fn file_name(agent: &str, subject: &str, key: &Hash) -> String {
    let mut slug = String::new();
    for c in subject.chars() {
        match c {
            c if c.is_ascii_alphanumeric() => slug.push(c.to_ascii_lowercase()),
            _ if !slug.ends_with('-') => slug.push('-'),
            _ => {}
        }
    }
    let slug: String = slug.trim_matches('-').chars().take(NAME).collect();
    let agent: String = agent.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("{agent}-{slug}-{}.json", key.short(16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_says_who_asked_about_what() {
        let key = Hash::of(b"x");
        assert_eq!(
            file_name("SourceExtractionAgent", "GET /orders/{id}", &key),
            format!("SourceExtractionAgent-get-orders-id-{}.json", key.short(16))
        );
        assert!(
            !file_name("A", "../../x", &key).contains(['/', '.', '\\'])
                || file_name("A", "../../x", &key).ends_with(".json")
        );
    }
}
