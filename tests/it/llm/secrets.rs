//! Secrets stay home: no planted secret is sent, recorded, stored or printed.

use mastor::llm::{Models, ModelsOptions, Redactor};

use super::kept::files;
use super::planted;
use super::server::{Reply, Server};
use super::{good, options, question, settings};

#[test]
fn there_are_many_of_many_kinds_and_each_is_taken_out() {
    let planted = planted::all();
    assert!(planted.len() >= 200, "{}", planted.len());
    let redactor = super::redactor();
    let mut wrong = Vec::new();
    for (text, secret) in &planted {
        assert!(text.contains(secret.as_str()), "{text}");
        let (now, count) = redactor.redact(text);
        if now.contains(secret.as_str()) || count == 0 || now.lines().count() != text.lines().count() {
            wrong.push(now.into_owned());
        } else if redactor.redact(&now).0 != now {
            wrong.push(format!("changed again: {now}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[tokio::test]
async fn none_is_sent_recorded_kept_or_said() {
    let dir = tempfile::tempdir().unwrap();
    let planted = planted::all();
    let text: String = planted.iter().map(|(text, _)| format!("{text}\n")).collect();
    // A model that repeats a key from elsewhere, and an endpoint that shows one in an error.
    let leaked = planted[0].1.clone();
    let said = leaked.clone();
    let server = Server::start(move |received| match received.n {
        0 => Reply::error(500, &format!("key {leaked} is over its limit")),
        1 => Reply::text(&format!("use {leaked}")),
        2 => Reply::json(&good()),
        _ => Reply::error(400, &format!("bad key {leaked}")),
    });
    let options =
        ModelsOptions { cache: dir.path().join("cache"), record: Some(dir.path().join("cassette")), ..options() };
    let known = vec!["orders-db-value-of-auth-file".to_owned()];
    let redactor = Redactor::new(&["ACME-([0-9]{6})".to_owned()], &known).unwrap();
    let mut headed = settings(&server);
    headed.headers.insert("x-team-key".to_owned(), "header-value-77".to_owned());
    let asking = Models::new(headed, None, options, redactor).unwrap();
    let mut ask = question("x");
    ask.system = "Read orders-db-value-of-auth-file and ACME-123456.".to_owned();
    ask.user = format!("{text}\nheader-value-77\nordinary text stays");
    asking.ask(&ask, &|_| Ok(())).await.unwrap();
    let error = asking.ask(&question("y"), &|_| Ok(())).await.unwrap_err().to_string();
    assert!(error.contains("bad key <redacted:") && !error.contains(&said), "{error}");

    let mut secrets: Vec<String> = planted.into_iter().map(|(_, secret)| secret).collect();
    secrets.extend(known);
    secrets.push("123456".to_owned());
    let mut seen = Vec::new();
    for received in server.received() {
        seen.push((format!("request {}", received.n), received.body.to_string()));
        let raw = String::from_utf8_lossy(&received.raw).into_owned();
        seen.push(("bytes".to_owned(), raw.replace("x-team-key: header-value-77\r\n", "")));
    }
    let on_disk = files(dir.path());
    seen.extend(
        on_disk.iter().map(|path| {
            (path.display().to_string(), String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned())
        }),
    );
    seen.push(("ledger".to_owned(), format!("{:?} {asking:?}", asking.ledger())));
    secrets.push("header-value-77".to_owned());
    assert!(seen.len() > 6, "{on_disk:?}");
    let leaks: Vec<(&str, &String)> = seen
        .iter()
        .flat_map(|(place, text)| {
            secrets.iter().filter(|secret| text.contains(secret.as_str())).map(|secret| (place.as_str(), secret))
        })
        .collect();
    assert_eq!(leaks, Vec::<(&str, &String)>::new());
    let sent = server.received()[0].clone();
    assert!(sent.user().ends_with("ordinary text stays") && sent.system().contains("ACME-<redacted:pattern>"));
    assert_eq!(sent.user().lines().count(), ask.user.lines().count());
    assert_eq!(sent.headers["x-team-key"], "header-value-77");
}

#[test]
fn a_known_value_that_is_a_word_takes_out_no_other_words() {
    let known = ["password".to_owned(), "orders".to_owned(), "kN0wn-Value".to_owned()];
    let redactor = Redactor::new(&[], &known).unwrap();
    let text = "ordersService.find(password, orders, \"xkN0wn-Valuex\")";
    assert_eq!(redactor.redact(text).0, "ordersService.find(password, <redacted:known>, \"x<redacted:known>x\")");
}
