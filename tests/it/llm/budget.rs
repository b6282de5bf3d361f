//! Limits of cost and tokens, and what counts towards them.

use std::time::Duration;

use mastor::llm::{AskError, Limits, ModelsOptions};
use mastor::types::model::Price;
use serde_json::json;

use super::server::{Reply, Server};
use super::{good, models, options, question, settings};

fn limited(limits: Limits) -> ModelsOptions {
    ModelsOptions { limits, ..options() }
}

#[tokio::test]
async fn a_ceiling_is_never_exceeded_however_many_ask_at_once() {
    let usage = json!({"prompt_tokens": 150, "completion_tokens": 900});
    let server = Server::start(move |_| Reply::json(&good()).usage(usage.clone()).after(Duration::from_millis(10)));
    let asking = models(settings(&server), limited(Limits { max_usd: None, max_tokens: Some(6000) }));
    let questions: Vec<_> = (0..20).map(|n| question(&n.to_string())).collect();
    let check = |_: &serde_json::Value| Ok(());
    let answers = futures_util::future::join_all(questions.iter().map(|ask| asking.ask(ask, &check))).await;
    let good = answers.iter().filter(|answer| answer.is_ok()).count();
    let spent: u64 = asking.ledger().iter().map(|spent| spent.usage.tokens()).sum();
    assert!((4..=5).contains(&good) && spent <= 6000, "{good} {spent}");
    assert!(answers.iter().all(|answer| answer.is_ok() || matches!(answer, Err(AskError::Budget(_)))));
    assert_eq!(server.count(), good);
}

#[tokio::test]
async fn cached_tokens_have_their_price_and_tries_count() {
    for usage in [
        json!({"prompt_tokens": 1000, "completion_tokens": 100, "prompt_tokens_details": {"cached_tokens": 400}}),
        json!({"prompt_tokens": 1000, "completion_tokens": 100, "prompt_cache_hit_tokens": 400}),
    ] {
        let server = Server::start(move |received| match received.n {
            0 => Reply::text("not JSON").usage(usage.clone()),
            _ => Reply::json(&good()).usage(usage.clone()),
        });
        let mut priced = settings(&server);
        priced.price = Some(Price { input: 10.0, cached: 1.0, output: 100.0 });
        let asking = models(priced, limited(Limits { max_usd: Some(1.0), max_tokens: None }));
        let answer = asking.ask(&question("x"), &|_| Ok(())).await.unwrap();
        let once = (600.0 * 10.0 + 400.0 * 1.0 + 100.0 * 100.0) / 1e6;
        assert!((answer.usage.usd.unwrap() - 2.0 * once).abs() < 1e-9, "{:?}", answer.usage);
        assert_eq!((answer.usage.calls, answer.usage.cached_tokens), (2, 800));
        assert_eq!(asking.ledger()[0].usage.cached_tokens, 800);
    }
}

#[tokio::test]
async fn what_is_not_counted_is_estimated_and_what_was_lost_counts() {
    let server = Server::start(|received| match received.n {
        0 => Reply::close(),
        _ => Reply::json(&good()).usage(json!(null)),
    });
    let asking = models(settings(&server), options());
    let mut long = question("x");
    long.user = "word ".repeat(700);
    let usage = asking.ask(&long, &|_| Ok(())).await.unwrap().usage;
    assert_eq!(usage.calls, 2);
    assert!(usage.input_tokens > 2 * 1000 && usage.output_tokens > 3, "{usage:?}");
}

#[tokio::test]
async fn a_spent_budget_still_gives_what_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::start(|_| Reply::json(&good()));
    let with_cache = |limits| ModelsOptions { cache: dir.path().to_owned(), ..limited(limits) };
    models(settings(&server), with_cache(Limits::default())).ask(&question("a"), &|_| Ok(())).await.unwrap();
    let asking = models(settings(&server), with_cache(Limits { max_usd: None, max_tokens: Some(10) }));
    let error = asking.ask(&question("b"), &|_| Ok(())).await.unwrap_err();
    assert!(error.is_for_good() && matches!(error, AskError::Budget(_)), "{error}");
    let kept = asking.ask(&question("a"), &|_| Ok(())).await.unwrap();
    assert!(kept.kept && kept.value == good());
    assert_eq!(server.count(), 1);
}
