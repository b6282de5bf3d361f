//! Replies on disk: in the cache, whose records outlive a killed run, and as a cassette of readable files.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::ask::{AskError, ModelsError};
use super::wire::{Finish, Form, Output, Reply, Request};
use crate::store::Cache;
use crate::types::Hash;
use crate::types::model::Usage;

/// Kind of the cache's records that are replies.
const REPLIES: &str = "replies";
/// Kind of those that say which form an endpoint takes.
const FORMS: &str = "endpoints";
/// Longest part of a file's name that tells the subject.
const NAME: usize = 60;

/// Where replies are kept, and where they come from.
#[derive(Debug)]
pub(super) struct Kept {
    cache: Cache,
    record: Option<PathBuf>,
    replay: Option<PathBuf>,
}

/// A reply that was there already.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct KeptReply {
    pub reply: Reply,
    pub usage: Usage,
    /// Whether it is from a cassette.
    pub replayed: bool,
}

/// A record of the cache.
#[derive(Serialize, Deserialize)]
struct Record {
    text: String,
    finish: Finish,
    refusal: Option<String>,
    model: Option<String>,
    usage: Usage,
}

/// A file of a cassette; texts are lists of lines, so that people can read them.
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

impl Kept {
    pub(super) fn open(cache: &Path, record: Option<PathBuf>, replay: Option<PathBuf>) -> Result<Self, ModelsError> {
        if let Some(dir) = replay.as_ref().filter(|dir| !dir.is_dir()) {
            return Err(ModelsError::Cassette(format!("there is no cassette in `{}`", dir.display())));
        }
        if let Some(dir) = &record {
            crate::store::create_dir(dir).map_err(|error| ModelsError::Cassette(error.to_string()))?;
        }
        let cache = if cache.as_os_str().is_empty() { Cache::disabled() } else { Cache::open(cache) };
        Ok(Self { cache, record, replay })
    }

    /// Whether all replies come from a cassette.
    pub(super) fn replays(&self) -> bool {
        self.replay.is_some()
    }

    /// The reply to a request, where it is there.
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

    /// The error of a request that the cassette does not hold.
    pub(super) fn unrecorded(&self, agent: &str, subject: &str, request: &Request) -> AskError {
        let file = file_name(agent, subject, &request.key());
        let dir = self.replay.as_deref().unwrap_or(Path::new("")).display();
        AskError::Unrecorded(format!("{agent} on {subject} asks what `{dir}` does not hold ({file})"))
    }

    /// Keeps a reply, in the cache first: a run that is killed in between finds it there.
    pub(super) fn keep(&self, request: &Request, reply: &Reply, usage: Usage) {
        let Reply { text, finish, refusal, model, .. } = reply.clone();
        let record = Record { text, finish, refusal, model, usage };
        if let Ok(bytes) = serde_json::to_vec(&record) {
            self.cache.put(REPLIES, &request.key().hex(), &bytes);
        }
    }

    /// Writes an exchange into the cassette, unless it is there.
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
        crate::store::write_flushed(&path, &bytes).map_err(|error| AskError::Unavailable(error.to_string()))
    }

    /// The form that an endpoint takes, as an earlier run found out.
    pub(super) fn form(&self, base_url: &str, model: &str) -> Option<Form> {
        let bytes = self.cache.get(FORMS, &format!("{base_url}\n{model}"))?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Remembers the form that an endpoint takes.
    pub(super) fn keep_form(&self, base_url: &str, model: &str, form: Form) {
        if let Ok(bytes) = serde_json::to_vec(&form) {
            self.cache.put(FORMS, &format!("{base_url}\n{model}"), &bytes);
        }
    }

    /// Why nothing is kept, where the cache cannot be written.
    pub(super) fn warning(&self) -> Option<String> {
        self.cache.warning().map(|warning| warning.message.clone())
    }
}

/// The name of an exchange's file: who asked about what, and the beginning of its key.
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
