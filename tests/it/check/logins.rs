//! Logins by an auth file: how each kind of credentials arrives at the service, and that none is stored.

use std::sync::Arc;

use mastor::probe::auth::Users;
use mastor::probe::http::Limits;
use mastor::probe::job::Job;
use mastor::probe::runs::run::{Keep, Options, Target, run, runtime};
use mastor::types::event::Events;
use mastor::types::results::outcome::{Outcome, RunVerdict};
use mastor::types::suite::oracle::Oracle;
use serde_json::{Value, json};

use super::project::{By, as_user, field, oracle};
use super::unruly::Unruly;

const AUTH: &str = r#"
[[auth]]
name = "form"
[auth.loginEndpointAuth]
endpoint = "/form"
contentType = "application/x-www-form-urlencoded"
expectCookies = true
payloadUserPwd = { username = "a&b", password = "p=q r-s3cret", usernameField = "user", passwordField = "pw" }

[[auth]]
name = "wrong"
[auth.loginEndpointAuth]
endpoint = "/wrong-form"
payloadRaw = "user=a&pw=wr0ng-password"
expectCookies = true

[[auth]]
name = "query"
[auth.loginEndpointAuth]
endpoint = "/header-login"
headers = [{ name = "Authorization", value = "Basic YTpzM2NyZXQtYQ==" }]
token = { extractFrom = "header", extractSelector = "X-Auth-Token", sendIn = "query", sendName = "access token" }

[[auth]]
name = "fixed"
fixedHeaders = [{ name = "X-Api-Key", value = "f1xed-key" }, { name = "X-Tenant", value = "acme" }]
"#;

/// The outcomes of these oracles, with all exchanges.
fn outcomes(oracles: Vec<Value>) -> Vec<Outcome> {
    let service = Unruly::start();
    let parsed = oracles.into_iter().map(|oracle| serde_json::from_value::<Oracle>(oracle).unwrap());
    let jobs: Vec<Arc<Job>> = parsed.map(|oracle| Arc::new(Job::of_oracle(&oracle))).collect();
    let users = Users::read("auth.toml", AUTH, |_| None).unwrap();
    let target = Arc::new(Target::new(&service.url, users, Limits::default(), 2).unwrap());
    let options = Options { keep: Keep::All, ..Options::default() };
    runtime(2).unwrap().block_on(run(&target, &jobs, &options, &Events::silent()))
}

fn who(method: &str, user: &str, assertions: Value) -> Value {
    let name = format!("{user}_{method}");
    as_user(oracle(&format!("{method} /who"), &name, By::Confirmed, assertions), user)
}

#[test]
fn each_kind_of_credentials_arrives() {
    let absent = |path: &str| json!({"type": "field", "path": path, "op": "absent"});
    let cookies = json!("XSRF-TOKEN=of-the-page; SESSION=s3ssion-1");
    let found = outcomes(vec![
        who("GET", "form", json!([field("headers.cookie", cookies.clone()), absent("headers.x-xsrf-token")])),
        who(
            "POST",
            "form",
            json!([field("headers.cookie", cookies), field("headers.x-xsrf-token", json!("of-the-page"))]),
        ),
        who(
            "GET",
            "query",
            json!([field("query", json!("access%20token=h3ader-token")), absent("headers.authorization")]),
        ),
        who(
            "GET",
            "fixed",
            json!([field("headers.x-api-key", json!("f1xed-key")), field("headers.x-tenant", json!("acme"))]),
        ),
        who("GET", "anonymous", json!([absent("headers.cookie"), absent("headers.x-api-key")])),
    ]);
    for outcome in &found {
        assert_eq!(outcome.verdict, RunVerdict::Held, "{outcome:#?}");
    }
    let kept = format!("{found:?}") + &found.iter().map(told).collect::<String>();
    for secret in ["s3ssion-1", "of-the-page", "h3ader-token", "f1xed-key", "s3cret"] {
        assert!(!kept.contains(secret), "{secret} in {kept}");
    }
    assert!(kept.contains("/who?access%20token=***"), "{kept}");
}

/// The answers as text, since debug output would show bodies as numbers.
fn told(outcome: &Outcome) -> String {
    outcome
        .exchanges
        .iter()
        .filter_map(|exchange| exchange.answer.as_ref().ok())
        .map(|a| a.text().into_owned())
        .collect()
}

#[test]
fn a_login_that_leads_to_an_error_page_is_none() {
    let found = outcomes(vec![who("GET", "wrong", json!([])), who("GET", "nobody", json!([]))]);
    assert_eq!(found[0].verdict, RunVerdict::Inconclusive);
    assert_eq!(found[0].reason.as_deref(), Some("`wrong` could not log in: /wrong-form leads on to an error page"));
    assert_eq!(found[1].verdict, RunVerdict::Skipped);
}
