//! Stored replies: no prompt is sent twice, cassettes replay without a model, and damaged replies are ignored.

use mastor::llm::{AskError, ModelsOptions, Parsed};
use serde_json::{Value, json};

use super::server::{Reply, Server};
use super::{at, good, models, options, question, settings};

#[tokio::test]
async fn a_reply_that_is_there_is_not_asked_for_again() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::start(|received| if received.is_again() { Reply::json(&good()) } else { Reply::text("no") });
    let with_cache = || ModelsOptions { cache: dir.path().to_owned(), ..options() };
    let first = models(settings(&server), with_cache()).ask(&question("x"), &|_| Ok(())).await.unwrap();
    assert_eq!((first.parsed, first.kept, server.count()), (Parsed::ReAsked, false, 2));
    let again = models(settings(&server), with_cache());
    let estimate = again.estimate(&question("x"));
    assert!(estimate.kept && !again.estimate(&question("y")).kept);
    let second = again.ask(&question("x"), &|_| Ok(())).await.unwrap();
    assert!(second.kept && second.value == first.value && second.parsed == Parsed::ReAsked);
    assert_eq!(server.count(), 2, "the reply that could not be read is kept too");
    assert_eq!((second.prompt, second.usage), (first.prompt, first.usage));
    let spent = &again.ledger()[0];
    assert_eq!((spent.usage.calls, spent.kept), (0, 2));
    // The cache key includes the model but not the endpoint.
    let mut elsewhere = at("http://127.0.0.1:9/v1");
    assert!(models(elsewhere.clone(), with_cache()).ask(&question("x"), &|_| Ok(())).await.is_ok());
    elsewhere.model = "other".to_owned();
    assert!(models(elsewhere, with_cache()).ask(&question("x"), &|_| Ok(())).await.is_err());
}

#[tokio::test]
async fn the_same_question_at_once_is_sent_once() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::start(|_| Reply::json(&good()).after(std::time::Duration::from_millis(30)));
    let asking = models(settings(&server), ModelsOptions { cache: dir.path().to_owned(), ..options() });
    let (ask, check) = (question("x"), |_: &Value| Ok(()));
    let answers = futures_util::future::join_all((0..8).map(|_| asking.ask(&ask, &check))).await;
    assert!(answers.iter().all(Result::is_ok));
    assert_eq!(server.count(), 1);
}

#[tokio::test]
async fn errors_are_not_kept_and_damage_is_no_reply() {
    let dir = tempfile::tempdir().unwrap();
    let server =
        Server::start(|received| if received.n < 3 { Reply::error(500, "oops") } else { Reply::json(&good()) });
    let with_cache = || ModelsOptions { cache: dir.path().to_owned(), ..options() };
    assert!(models(settings(&server), with_cache()).ask(&question("x"), &|_| Ok(())).await.is_err());
    assert!(!models(settings(&server), with_cache()).ask(&question("x"), &|_| Ok(())).await.unwrap().kept);
    assert_eq!(server.count(), 4);
    for path in files(&dir.path().join("replies")) {
        let mut bytes = std::fs::read(&path).unwrap();
        let last = bytes.len() - 3;
        bytes[last] ^= 1;
        std::fs::write(&path, bytes).unwrap();
    }
    assert!(!models(settings(&server), with_cache()).ask(&question("x"), &|_| Ok(())).await.unwrap().kept);
    assert_eq!(server.count(), 5);
}

#[tokio::test]
async fn a_cassette_replays_without_a_model_and_names_what_it_lacks() {
    let dir = tempfile::tempdir().unwrap();
    let cassette = dir.path().join("cassette");
    let server =
        Server::start(|received| if received.is_again() { Reply::json(&good()) } else { Reply::text("one\ntwo") });
    let recording = ModelsOptions { record: Some(cassette.clone()), cache: dir.path().join("cache"), ..options() };
    let mut keyed = settings(&server);
    keyed.headers.insert("x-team-key".to_owned(), "the-header-that-nobody-sees".to_owned());
    let first = models(keyed, recording.clone()).ask(&question("GET /orders/{id}"), &|_| Ok(())).await.unwrap();
    let names: Vec<String> =
        files(&cassette).iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    assert_eq!(names.len(), 2);
    assert!(names.iter().all(|name| name.starts_with("TestAgent-get-orders-id-")), "{names:?}");
    let texts: String = files(&cassette).iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    assert!(!texts.contains("nobody-sees") && texts.contains("\"one\",\n"), "{texts}");
    let exchange: Value = serde_json::from_slice(&std::fs::read(&files(&cassette)[0]).unwrap()).unwrap();
    assert_eq!(exchange["request"]["schema"]["name"], json!("numbers"));

    let replaying = ModelsOptions { replay: Some(cassette.clone()), ..options() };
    let mut nowhere = at("http://127.0.0.1:9/v1");
    nowhere.key_env = Some("MASTOR_TEST_KEY_THAT_NOBODY_SETS".to_owned());
    let replay = models(nowhere.clone(), replaying.clone());
    let second = replay.ask(&question("GET /orders/{id}"), &|_| Ok(())).await.unwrap();
    assert!(second.kept);
    assert_eq!(
        (second.value, second.parsed, second.usage, second.prompt),
        (first.value, first.parsed, first.usage, first.prompt)
    );
    assert_eq!(replay.ledger()[0].usage, first.usage);
    let error = replay.ask(&question("DELETE /orders/{id}"), &|_| Ok(())).await.unwrap_err();
    assert!(
        matches!(&error, AskError::Unrecorded(what) if what.contains("TestAgent on DELETE /orders/{id}")),
        "{error}"
    );

    // After a run was killed between writing cache and cassette, the next run completes the cassette from the cache.
    std::fs::remove_file(&files(&cassette)[0]).unwrap();
    models(settings(&server), recording).ask(&question("GET /orders/{id}"), &|_| Ok(())).await.unwrap();
    assert_eq!((files(&cassette).len(), server.count()), (2, 2));
}

/// All files below a folder, in order.
pub fn files(dir: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}
