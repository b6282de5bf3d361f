//! The wire format: requests to `/chat/completions` and their replies.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::ask::Schema;
use super::schema::is_strict;
use mastor_types::Hash;

/// Prompt text that describes the reply's form, for endpoints that cannot enforce a schema.
const FORM: &str = include_str!("../../prompts/client/form.txt");
/// Prompt text saying that a reply cannot be used.
const AGAIN: &str = include_str!("../../prompts/client/again.txt");

/// Bytes per token, a lower bound: Java code has more.
pub(super) const BYTES_PER_TOKEN: f64 = 3.5;
/// Tokens of a conversation beside its texts.
const FRAME: u64 = 64;

/// A request, independent of an endpoint's form.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Request {
    pub model: String,
    pub system: String,
    pub user: String,
    pub schema: Schema,
    pub max_output: u64,
    /// The rejected reply and the error.
    pub again: Option<(String, String)>,
    /// How often the same request was sent before.
    pub repeated: u32,
}

/// The request form that an endpoint accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Form {
    pub output: Output,
    /// Whether the token limit is named `max_completion_tokens`.
    pub completion_tokens: bool,
    /// Whether a temperature may be sent.
    pub temperature: bool,
}

/// How the endpoint is asked for JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Output {
    Schema,
    Json,
    Text,
}

impl Default for Form {
    fn default() -> Self {
        Self { output: Output::Schema, completion_tokens: false, temperature: true }
    }
}

impl Request {
    /// Hash of the question, independent of limits and attempts.
    pub(super) fn prompt(&self) -> Hash {
        let schema = self.schema.json.to_string();
        let parts = [&self.model, &self.system, &self.user, self.schema.name, &schema];
        Hash::of_parts(parts.map(str::as_bytes))
    }

    /// Key of the stored reply: a hash of everything that decides it, without the endpoint and the request form.
    pub(super) fn key(&self) -> Hash {
        let params = format!("temperature=0 max={} repeated={}", self.max_output, self.repeated);
        let (reply, error) = self.again.as_ref().map_or(("", ""), |(reply, error)| (reply, error));
        let prompt = self.prompt();
        let parts = [prompt.as_bytes().as_slice(), params.as_bytes(), reply.as_bytes(), error.as_bytes()];
        Hash::of_parts(parts)
    }

    /// Bytes of the prompt, including the description of its form.
    pub(super) fn bytes(&self) -> usize {
        let again = self.again.as_ref().map_or(0, |(reply, error)| AGAIN.len() + reply.len() + error.len());
        self.system.len() + self.user.len() + FORM.len() + self.schema.json.to_string().len() + again
    }

    /// An upper estimate of the prompt's tokens, the same on every machine.
    pub(super) fn tokens(&self) -> u64 {
        (self.bytes() as f64 / BYTES_PER_TOKEN).ceil() as u64 + FRAME
    }

    /// The messages as pairs of role and text.
    pub(super) fn messages(&self, output: Output) -> Vec<(&'static str, String)> {
        let mut system = self.system.clone();
        if output != Output::Schema {
            system.push_str(&format!("\n\n{FORM}{}", self.schema.json));
        }
        let mut messages = vec![("system", system), ("user", self.user.clone())];
        if let Some((reply, error)) = &self.again {
            messages.push(("assistant", reply.clone()));
            messages.push(("user", format!("{AGAIN}{error}")));
        }
        messages
    }

    /// The request body in this form.
    pub(super) fn body(&self, form: Form) -> Value {
        let messages = self.messages(form.output);
        let messages: Vec<Value> =
            messages.into_iter().map(|(role, content)| json!({"role": role, "content": content})).collect();
        let limit = if form.completion_tokens { "max_completion_tokens" } else { "max_tokens" };
        let mut body = json!({"model": self.model, "messages": messages, "stream": false, limit: self.max_output});
        if form.temperature {
            body["temperature"] = json!(0);
        }
        match form.output {
            Output::Schema => {
                let Schema { name, json, .. } = &self.schema;
                let schema = json!({"name": name, "schema": json, "strict": is_strict(json)});
                body["response_format"] = json!({"type": "json_schema", "json_schema": schema});
            }
            Output::Json => body["response_format"] = json!({"type": "json_object"}),
            Output::Text => {}
        }
        body
    }
}

/// Why the model stopped writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Finish {
    /// The reply is complete.
    Stop,
    /// The token limit was reached.
    Length,
    /// A content filter stopped it.
    Filtered,
    /// The endpoint gave no reason.
    Unsaid,
}

/// A reply, parsed as far as the envelope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reply {
    pub text: String,
    pub finish: Finish,
    pub refusal: Option<String>,
    /// Name of the model, as the endpoint gives it.
    pub model: Option<String>,
    pub counts: Option<Counts>,
}

/// Token counts of the endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counts {
    pub input: u64,
    pub cached: u64,
    pub output: u64,
}

/// The body of an answer with a 2xx status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Body {
    Reply(Reply),
    /// An error in spite of the status: its own status, where it has one, and its message.
    Error(Option<u16>, String),
    /// Neither a reply nor an error.
    Garbled(String),
}

/// Parses the body of an answer with a 2xx status.
pub(super) fn read(bytes: &[u8]) -> Body {
    let value: Value = match serde_json::from_slice(bytes) {
        Ok(value) => value,
        Err(error) => {
            let start = String::from_utf8_lossy(&bytes[..bytes.len().min(2000)]);
            let html = start.trim_start().starts_with('<');
            let what = if bytes.is_empty() {
                "nothing"
            } else if html {
                "a web page"
            } else {
                "no whole JSON"
            };
            return Body::Garbled(format!("the endpoint sent {what} ({error}): {}", excerpt(&start)));
        }
    };
    if let Some(error) = value.get("error").filter(|error| !error.is_null()) {
        let status = error.get("code").and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok());
        return Body::Error(status.filter(|status| *status >= 400), error_text(bytes));
    }
    let Some(choice) = value.pointer("/choices/0") else {
        return Body::Garbled(format!("the endpoint sent no choices: {}", excerpt(&value.to_string())));
    };
    let message = choice.get("message").unwrap_or(&Value::Null);
    let finish = match choice.get("finish_reason").and_then(Value::as_str) {
        Some("stop" | "eos" | "end_turn" | "stop_sequence") => Finish::Stop,
        Some("length" | "max_tokens") => Finish::Length,
        Some("content_filter" | "safety" | "SAFETY") => Finish::Filtered,
        _ => Finish::Unsaid,
    };
    let refusal = message.get("refusal").and_then(Value::as_str).filter(|text| !text.is_empty());
    Body::Reply(Reply {
        text: content(message.get("content")),
        finish,
        refusal: refusal.map(str::to_owned),
        model: value.get("model").and_then(Value::as_str).map(str::to_owned),
        counts: counts(&value),
    })
}

/// A text, or the joined text parts of a list.
fn content(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str)).collect(),
        _ => String::new(),
    }
}

fn counts(value: &Value) -> Option<Counts> {
    let usage = value.get("usage")?;
    let number = |pointer: &str| usage.pointer(pointer).and_then(Value::as_u64);
    let input = number("/prompt_tokens").or_else(|| number("/input_tokens"))?;
    let output = number("/completion_tokens").or_else(|| number("/output_tokens"));
    let output = output.or_else(|| number("/total_tokens").map(|total| total.saturating_sub(input)))?;
    let cached =
        ["/prompt_tokens_details/cached_tokens", "/prompt_cache_hit_tokens", "/input_tokens_details/cached_tokens"];
    let cached = cached.into_iter().find_map(number).unwrap_or(0).min(input);
    Some(Counts { input, cached, output })
}

/// The error message in a body, on one line.
pub(super) fn error_text(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(&body[..body.len().min(20_000)]);
    let Ok(value) = serde_json::from_str::<Value>(&text) else {
        let page = text.trim_start().starts_with('<');
        return if page { "a web page".to_owned() } else { excerpt(&text) };
    };
    let error = value.get("error").unwrap_or(&value);
    let message = [error.get("message"), error.get("detail"), value.get("message"), value.get("detail"), Some(error)];
    let message = message.into_iter().flatten().find(|message| !message.is_null()).cloned().unwrap_or_default();
    let message = message.as_str().map_or_else(|| message.to_string(), str::to_owned);
    let code = [error.get("code"), error.get("type")].into_iter().flatten().find_map(Value::as_str);
    let code = code.filter(|code| !message.contains(code)).map(|code| format!(" ({code})"));
    format!("{}{}", excerpt(&message), code.unwrap_or_default())
}

/// The beginning of a text on one line, without control characters.
pub(super) fn excerpt(text: &str) -> String {
    let plain: String = text.chars().take(4000).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown: String = words.chars().take(300).collect();
    if shown.len() < words.len() {
        shown.push('…');
    }
    shown
}
