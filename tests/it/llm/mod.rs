//! The chat-model client, tested with a scripted model that misbehaves in every way.

mod budget;
mod client;
mod kept;
mod look_alikes;
mod planted;
mod secrets;
pub mod server;

use std::collections::BTreeMap;
use std::time::Duration;

use mastor::llm::{Answer, Ask, AskError, Models, ModelsOptions, Redactor, Retries, Schema};
use mastor::types::model::{ModelSettings, Role};
use serde_json::{Value, json};

use server::{Received, Reply, Server};

/// Settings of a model at a scripted endpoint.
pub fn settings(server: &Server) -> ModelSettings {
    at(&server.base_url)
}

/// Settings of a model at a URL.
pub fn at(base_url: &str) -> ModelSettings {
    ModelSettings {
        base_url: base_url.to_owned(),
        model: "scripted".to_owned(),
        key_env: None,
        headers: BTreeMap::new(),
        price: None,
        context: 32_000,
        max_output: 1000,
        concurrency: 4,
        requests_per_minute: None,
        tokens_per_minute: None,
        within: Duration::from_secs(5),
    }
}

/// Options without a cache and with very short waits.
pub fn options() -> ModelsOptions {
    let millis = Duration::from_millis;
    let retries =
        Retries { tries: 3, first: millis(5), longest: millis(20), patience: Duration::from_secs(3), failures: 3 };
    ModelsOptions { retries, ..ModelsOptions::default() }
}

/// A redactor with the built-in rules only.
pub fn redactor() -> Redactor {
    Redactor::new(&[], &[]).unwrap()
}

/// The models of one endpoint.
pub fn models(settings: ModelSettings, options: ModelsOptions) -> Models {
    Models::new(settings, None, options, redactor()).unwrap()
}

/// A question for a list of numbers.
pub fn question(subject: &str) -> Ask {
    let json = json!({
        "type": "object",
        "properties": {"numbers": {"type": "array", "items": {"type": "integer"}}},
        "required": ["numbers"],
        "additionalProperties": false,
    });
    Ask {
        agent: "TestAgent",
        subject: subject.to_owned(),
        role: Role::Primary,
        system: "You count.".to_owned(),
        user: format!("Count {subject}."),
        schema: Schema { name: "numbers", json, takes: None },
        max_output: None,
    }
}

/// Sends one question to a scripted model.
async fn asked(
    options: ModelsOptions,
    script: impl Fn(&Received) -> Reply + Send + Sync + 'static,
) -> (Result<Answer, AskError>, Server, Models) {
    let server = Server::start(script);
    let models = models(settings(&server), options);
    let answer = models.ask(&question("to 3"), &|_| Ok(())).await;
    (answer, server, models)
}

/// The value of a good reply.
fn good() -> Value {
    json!({"numbers": [1, 2, 3]})
}
