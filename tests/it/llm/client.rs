//! The client's handling of endpoints: formats, faults, rate limits, and unusable replies.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use mastor::llm::{Ask, AskError, Models, Parsed, Retries, Schema};
use mastor::types::model::Role;
use serde_json::json;

use super::server::{Reply, Server};
use super::{asked, at, good, models, options, question, redactor, settings};

#[tokio::test]
async fn a_question_is_sent_as_openai_has_it() {
    let (answer, server, models) = asked(options(), |_| Reply::json(&good())).await;
    let answer = answer.unwrap();
    assert_eq!((answer.value, answer.parsed, answer.kept), (good(), Parsed::AtOnce, false));
    assert_eq!((answer.usage.calls, answer.usage.input_tokens, answer.usage.output_tokens), (1, 100, 10));
    let received = &server.received()[0];
    assert_eq!(received.path, "/v1/chat/completions");
    assert_eq!(received.body["temperature"], json!(0));
    assert_eq!(received.body["stream"], json!(false));
    assert_eq!(received.body["max_tokens"], json!(1000));
    assert_eq!(received.body["response_format"]["json_schema"]["strict"], json!(true));
    assert_eq!((received.schema(), received.system(), received.user()), ("numbers", "You count.", "Count to 3."));
    assert!(!received.headers.contains_key("authorization"));
    let spent = &models.ledger()[0];
    assert_eq!((spent.agent.as_str(), spent.subject.as_str(), spent.at_once), ("TestAgent", "to 3", 1));
}

#[tokio::test]
async fn the_form_of_an_endpoint_is_found_out_once_and_remembered() {
    let dir = tempfile::tempdir().unwrap();
    let script = |received: &super::Received| match received.format() {
        "json_schema" => Reply::error(400, "response_format type json_schema is not supported"),
        "json_object" => Reply::error(422, "`response_format`: unknown field"),
        _ => Reply::text(&format!("Here you are:\n```json\n{}\n```", good())),
    };
    let server = Server::start(script);
    let mut with_cache = options();
    with_cache.cache = dir.path().to_owned();
    let asking = models(settings(&server), with_cache.clone());
    assert_eq!(asking.ask(&question("a"), &|_| Ok(())).await.unwrap().parsed, Parsed::Repaired);
    assert_eq!(server.count(), 3);
    // If the endpoint does not support schemas, the prompt describes the schema.
    assert!(server.received()[2].system().contains("\"numbers\""));
    asking.ask(&question("b"), &|_| Ok(())).await.unwrap();
    assert_eq!(server.count(), 4);
    models(settings(&server), with_cache).ask(&question("c"), &|_| Ok(())).await.unwrap();
    assert_eq!(server.count(), 5, "another run knows it too");
}

#[tokio::test]
async fn limits_and_temperatures_have_other_names_with_some() {
    let (answer, server, _) = asked(options(), |received| {
        if received.body.get("max_tokens").is_some() {
            return Reply::error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.");
        }
        if received.body.get("temperature").is_some() {
            return Reply::error(400, "Unsupported value: 'temperature' does not support 0 with this model.");
        }
        Reply::json(&good())
    })
    .await;
    assert!(answer.is_ok(), "{answer:?}");
    assert_eq!(server.received()[2].body["max_completion_tokens"], json!(1000));
    assert_eq!(server.received()[2].format(), "json_schema");
}

#[tokio::test]
async fn what_can_be_read_is_read() {
    for (text, parsed) in [
        ("```json\n{\"numbers\": [1, 2, 3]}\n```", Parsed::Repaired),
        ("Sure! For `/orders/{id}`:\n{\"numbers\": [1, 2, 3,],} // done", Parsed::Repaired),
        ("{\"thought\": \"count\"}\n{\"numbers\": [1, 2, 3]}", Parsed::Repaired),
        ("{\"numbers\": [\"1\", \"2\", 3]}", Parsed::Repaired),
        ("{'numbers': [1, 2, 3]}", Parsed::Repaired),
        ("{\"numbers\": [1, 2, 3", Parsed::ReAsked),
        ("{\"numbers\": [1, 2, 3]", Parsed::Repaired),
        ("<think>{\"numbers\": [7]}</think>{\"numbers\": [1, 2, 3]}", Parsed::AtOnce),
        ("I would rather not count.", Parsed::ReAsked),
        ("{\"numbers\": \"three\"}", Parsed::ReAsked),
    ] {
        let (answer, server, _) =
            asked(
                options(),
                move |received| {
                    if received.is_again() { Reply::json(&good()) } else { Reply::text(text) }
                },
            )
            .await;
        let answer = answer.unwrap();
        assert_eq!((answer.value, answer.parsed), (good(), parsed), "{text}");
        assert_eq!(server.count(), if parsed == Parsed::ReAsked { 2 } else { 1 }, "{text}");
    }
}

#[tokio::test]
async fn the_error_is_shown_once() {
    let server = Server::start(|_| Reply::json(&json!({"numbers": [4]})));
    let asking = models(settings(&server), options());
    let error = asking.ask(&question("x"), &|_| Err("4 is no operation of the document".to_owned())).await.unwrap_err();
    assert!(matches!(&error, AskError::NotAsAsked(why) if why == "4 is no operation of the document"), "{error}");
    assert!(!error.is_for_good());
    let received = server.received();
    assert_eq!(received.len(), 2);
    assert_eq!(received[1].message(2), "{\"numbers\":[4]}");
    assert!(received[1].message(3).contains("4 is no operation of the document"));
    assert_eq!(asking.ledger()[0].failed, 1);
}

#[tokio::test]
async fn replies_come_as_parts_and_beside_thoughts() {
    let (answer, ..) = asked(options(), |_| {
        let parts = json!([{"type": "text", "text": "{\"numbers\":"}, {"type": "text", "text": "[1,2,3]}"}]);
        Reply::message(
            json!({"role": "assistant", "reasoning_content": "{\"numbers\": [9]}", "content": parts}),
            "stop",
        )
    })
    .await;
    assert_eq!(answer.unwrap().value, good());
}

#[tokio::test]
async fn a_cut_reply_gets_more_room_once() {
    let (answer, server, _) = asked(options(), |received| {
        if received.body["max_tokens"] == json!(1000) {
            Reply::text("{\"numbers\": [1, 2").finish("length")
        } else {
            Reply::json(&good())
        }
    })
    .await;
    assert_eq!(answer.unwrap().value, good());
    assert_eq!(server.received()[1].body["max_tokens"], json!(4000));
    let (answer, server, _) = asked(options(), |_| Reply::text("{\"numbers\": [1, 2").finish("length")).await;
    assert_eq!((answer.unwrap_err(), server.count()), (AskError::Cut, 2));
    // If a reply is still truncated with more room, its complete part is used: here a list whose last object was cut.
    let list = |text: &str| Reply::text(text).finish("length");
    let cut = "[{\"numbers\": [1, 2]}, {\"numbers\": [3";
    let schema = json!({"type": "array", "items": {"type": "object", "required": ["numbers"]}});
    let lists = Schema { name: "lists", json: schema, takes: None };
    let server = Server::start(move |_| list(cut));
    let asked_for = Ask { schema: lists, ..question("x") };
    let answer = models(settings(&server), options()).ask(&asked_for, &|_| Ok(())).await.unwrap();
    assert_eq!((answer.value, answer.parsed), (json!([{"numbers": [1, 2]}]), Parsed::Repaired));
    assert_eq!(server.count(), 2);
    // A reply that repeats itself gets no more room; the retry shows the error instead.
    let circle = format!("{{\"numbers\": [{}", "1, 2, 3, ".repeat(200));
    let (answer, server, _) = asked(options(), move |received| match received.is_again() {
        true => Reply::json(&good()),
        false => Reply::text(&circle).finish("length"),
    })
    .await;
    assert_eq!(answer.unwrap().parsed, Parsed::ReAsked);
    assert_eq!((server.count(), &server.received()[1].body["max_tokens"]), (2, &json!(1000)));
    // A complete value in a truncated reply causes no retry.
    let (answer, server, _) = asked(options(), |_| Reply::text(&format!("{} and so", good())).finish("length")).await;
    assert_eq!((answer.unwrap().value, server.count()), (good(), 1));
}

#[tokio::test]
async fn refusals_and_silence_are_told_apart() {
    let refused =
        |message, finish: &'static str| asked(options(), move |_| Reply::message(message_of(message), finish));
    fn message_of(refusal: bool) -> serde_json::Value {
        if refusal { json!({"content": null, "refusal": "I cannot help with that"}) } else { json!({"content": "x"}) }
    }
    assert_eq!(refused(true, "stop").await.0.unwrap_err(), AskError::Refused("I cannot help with that".to_owned()));
    assert!(matches!(refused(false, "content_filter").await.0.unwrap_err(), AskError::Refused(_)));
    let (answer, server, _) = asked(options(), |_| Reply::text(" \n")).await;
    assert_eq!((answer.unwrap_err(), server.count()), (AskError::Empty, 2));
    let (answer, ..) =
        asked(options(), |received| if received.n == 0 { Reply::text("") } else { Reply::json(&good()) }).await;
    assert!(answer.is_ok());
    let (answer, ..) = asked(options(), |_| Reply::error(400, "The response was filtered (content_filter)")).await;
    assert!(matches!(answer.unwrap_err(), AskError::Refused(_)));
}

#[tokio::test]
async fn what_passes_is_tried_again() {
    let page = "<html><body><h1>502 Bad Gateway</h1></body></html>";
    let faults: Vec<(&str, Reply)> = vec![
        ("429", Reply::error(429, "slow down")),
        ("408", Reply::error(408, "timeout")),
        ("500", Reply::error(500, "oops")),
        ("503", Reply::raw(503, "").header("content-type", "text/plain")),
        ("a web page", Reply::raw(502, page).header("content-type", "text/html")),
        ("a web page that says 200", Reply::raw(200, page).header("content-type", "text/html")),
        ("an error that says 200", Reply::raw(200, "{\"error\": {\"message\": \"overloaded\", \"code\": 529}}")),
        ("half a body", Reply::json(&good()).cut(40)),
        ("half JSON", Reply::raw(200, "{\"choices\": [{\"mess")),
        ("nothing", Reply::raw(200, "")),
        ("no choices", Reply::raw(200, "{\"choices\": []}")),
        ("a closed connection", Reply::close()),
    ];
    for (name, fault) in faults {
        let (answer, server, models) =
            asked(options(), move |received| if received.n == 0 { fault.clone() } else { Reply::json(&good()) }).await;
        assert_eq!(answer.as_ref().map(|answer| &answer.value), Ok(&good()), "{name}");
        assert_eq!(server.count(), 2, "{name}");
        assert_eq!(models.ledger()[0].usage.calls, 2, "{name}");
    }
}

#[tokio::test]
async fn an_endpoint_says_how_long_to_wait() {
    let wait = |value: &'static str| async move {
        let start = Instant::now();
        let (answer, ..) = asked(options(), move |received| match received.n {
            0 => Reply::error(429, "slow down").header("retry-after", value),
            _ => Reply::json(&good()),
        })
        .await;
        (answer, start.elapsed())
    };
    let (answer, took) = wait("1").await;
    assert!(answer.is_ok() && took >= Duration::from_secs(1), "{took:?}");
    // A date in the past means no wait.
    let (answer, took) = wait("Sun, 06 Nov 1994 08:49:37 GMT").await;
    assert!(answer.is_ok() && took < Duration::from_secs(1), "{took:?}");
    let (answer, _) = wait("3600").await;
    assert!(matches!(answer.unwrap_err(), AskError::Unavailable(why) if why.contains("3600 seconds")));
}

#[tokio::test]
async fn time_and_length_are_limited() {
    let server = Server::start(|_| Reply::json(&good()).slow(1, Duration::from_millis(20)));
    let mut slow = settings(&server);
    slow.within = Duration::from_millis(150);
    let once = Retries { tries: 1, ..options().retries };
    let error =
        models(slow, mastor::llm::ModelsOptions { retries: once, ..options() }).ask(&question("x"), &|_| Ok(())).await;
    assert!(matches!(error.unwrap_err(), AskError::Failed(why) if why.contains("no whole answer within 0.15 seconds")));
    // After two timeouts, there is no third attempt.
    let server = Server::start(|_| Reply::json(&good()).slow(1, Duration::from_millis(20)));
    let mut slow = settings(&server);
    slow.within = Duration::from_millis(150);
    let error = models(slow, options()).ask(&question("x"), &|_| Ok(())).await.unwrap_err();
    assert!(matches!(error, AskError::Failed(why) if why.ends_with("twice")));
    assert_eq!(server.count(), 2);
    let (answer, server, _) = asked(options(), |_| Reply::raw(200, vec![b' '; 9 << 20])).await;
    assert!(matches!(answer.unwrap_err(), AskError::Failed(why) if why.contains("longer than")));
    assert_eq!(server.count(), 1);
}

#[tokio::test]
async fn what_does_not_pass_is_told_at_once() {
    for (status, message, told) in [
        (401, "Incorrect API key provided", "key-env"),
        (403, "not for you", "key-env"),
        (402, "no credit", "no credit"),
        (404, "model `x` not found", "base-url"),
        (429, "You exceeded your current quota (insufficient_quota)", "quota"),
        (308, "", "redirects are not followed"),
    ] {
        let (answer, server, models) =
            asked(options(), move |_| Reply::error(status, message).header("location", "http://127.0.0.1:1/")).await;
        let error = answer.unwrap_err();
        assert!(matches!(&error, AskError::Unavailable(why) if why.contains(told)), "{status}: {error}");
        assert!(error.is_for_good());
        assert_eq!(server.count(), 1, "{status}");
        assert!(models.ask(&question("more"), &|_| Ok(())).await.unwrap_err().is_for_good());
        assert_eq!(server.count(), 1, "{status}: it is not asked again");
    }
    let (answer, ..) =
        asked(options(), |_| Reply::error(400, "This model's maximum context length is 8192 tokens")).await;
    assert!(matches!(answer.unwrap_err(), AskError::TooLarge { tokens: 1.., .. }));
    let (answer, server, _) = asked(options(), |_| Reply::error(400, "`messages` is wrong")).await;
    assert!(matches!(answer.unwrap_err(), AskError::Failed(why) if why.contains("`messages` is wrong")));
    assert_eq!(server.count(), 1);
}

#[tokio::test]
async fn an_endpoint_that_fails_again_and_again_is_left_alone() {
    let server = Server::start(|_| Reply::error(500, "oops"));
    let asking = models(settings(&server), options());
    for (n, for_good) in [(1, false), (2, false), (3, true), (4, true)] {
        let error = asking.ask(&question(&n.to_string()), &|_| Ok(())).await.unwrap_err();
        assert_eq!(error.is_for_good(), for_good, "{n}: {error}");
    }
    assert_eq!(server.count(), 9);
    // Nothing listens on this port.
    let gone = models(at("http://127.0.0.1:9/v1"), options()).ask(&question("x"), &|_| Ok(())).await;
    assert!(matches!(gone.unwrap_err(), AskError::Failed(why) if why.contains("no connection")));
}

#[tokio::test]
async fn what_does_not_fit_is_not_sent() {
    let server = Server::start(|_| Reply::json(&good()));
    let mut small = settings(&server);
    small.context = 2000;
    let asking = models(small, options());
    let mut large = question("x");
    large.user = "word ".repeat(2000);
    let error = asking.ask(&large, &|_| Ok(())).await.unwrap_err();
    assert!(matches!(error, AskError::TooLarge { tokens: 2000.., context: 2000 }), "{error:?}");
    assert_eq!(server.count(), 0);
    assert_eq!(
        asking.estimate(&large).tokens,
        match error {
            AskError::TooLarge { tokens, .. } => tokens,
            _ => 0,
        }
    );
    assert!(asking.room(Role::Primary) < 2000 * 4 && asking.room(Role::Primary) > 1000);
}

#[tokio::test]
async fn many_ask_at_once_but_never_more_than_allowed() {
    let server = Server::start(|_| Reply::json(&good()).after(Duration::from_millis(30)));
    let asking = models(settings(&server), options());
    let questions: Vec<_> = (0..16).map(|n| question(&n.to_string())).collect();
    let check = |_: &serde_json::Value| Ok(());
    let answers = futures_util::future::join_all(questions.iter().map(|ask| asking.ask(ask, &check))).await;
    assert!(answers.iter().all(Result::is_ok));
    assert_eq!(server.most_at_once(), 4);
    assert_eq!(asking.concurrency(Role::Challenger), 4);
}

#[tokio::test]
async fn a_run_that_is_ended_ends_its_questions() {
    let server = Server::start(|_| Reply::json(&good()).after(Duration::from_secs(2)));
    let asking = models(settings(&server), options());
    let start = Instant::now();
    let check = |_: &serde_json::Value| Ok(());
    let one = question("x");
    let (answer, ()) = tokio::join!(asking.ask(&one, &check), async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        asking.cancel();
    });
    assert_eq!(answer.unwrap_err(), AskError::Cancelled);
    assert!(start.elapsed() < Duration::from_secs(1));
    assert_eq!(asking.ask(&question("y"), &check).await.unwrap_err(), AskError::Cancelled);
}

#[tokio::test]
async fn the_challenger_is_another_endpoint_and_gets_no_header_of_the_primary() {
    let count = AtomicUsize::new(0);
    let primary = Server::start(|_| Reply::json(&good()));
    let challenger = Server::start(move |_| {
        count.fetch_add(1, Ordering::SeqCst);
        Reply::json(&good())
    });
    let mut first = settings(&primary);
    first.headers.insert("x-team".to_owned(), "orders-team".to_owned());
    let asking = Models::new(first, Some(settings(&challenger)), options(), redactor()).unwrap();
    let mut review = question("x");
    review.role = Role::Challenger;
    asking.ask(&review, &|_| Ok(())).await.unwrap();
    asking.ask(&question("x"), &|_| Ok(())).await.unwrap();
    assert_eq!((primary.count(), challenger.count()), (1, 1));
    assert_eq!(primary.received()[0].headers["x-team"], "orders-team");
    assert!(!challenger.received()[0].headers.contains_key("x-team"));
    let mut unset = settings(&primary);
    unset.key_env = Some("MASTOR_TEST_KEY_THAT_NOBODY_SETS".to_owned());
    let error = Models::new(unset, None, options(), redactor()).unwrap_err().to_string();
    assert!(error.contains("MASTOR_TEST_KEY_THAT_NOBODY_SETS"), "{error}");
}
