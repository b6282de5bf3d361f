//! `check` gives the hand-written suite the same verdicts as Maven and newman do.

use std::collections::BTreeMap;
use std::sync::Arc;

use mastor::probe::auth::Users;
use mastor::probe::http::Limits;
use mastor::probe::job::Job;
use mastor::probe::runs::run::{self, Options, Target};
use mastor::types::event::Events;
use mastor::types::results::outcome::RunVerdict;

use crate::exports::stub;
use crate::exports::suite::Cases;

#[test]
fn every_oracle_comes_to_its_verdict() {
    let cases = Cases::all();
    let jobs: Vec<Arc<Job>> = Job::of_suite(&cases.suite).into_iter().map(Arc::new).collect();
    let auth = "auth: [{name: admin user, fixedHeaders: [{name: Authorization, value: Bearer t}]}]";
    let users = Users::read("auth.yaml", auth, |_| None).unwrap();
    let target = Arc::new(Target::new(&stub::start(), users, Limits::default(), 8).unwrap());
    let options = Options { concurrency: 8, ..Options::default() };
    let outcomes =
        run::runtime(8).unwrap().block_on(async { run::run(&target, &jobs, &options, &Events::silent()).await });
    let seen: BTreeMap<String, bool> =
        outcomes.iter().map(|outcome| (outcome.test_id.clone(), outcome.verdict == RunVerdict::Held)).collect();
    let wrong: Vec<String> = outcomes
        .iter()
        .filter(|outcome| {
            let holds = cases.expected[&outcome.test_id];
            !matches!((holds, outcome.verdict), (true, RunVerdict::Held) | (false, RunVerdict::Broken))
        })
        .map(|outcome| format!("{}: {:?} {:?} {:?}", outcome.test_id, outcome.verdict, outcome.misses, outcome.reason))
        .collect();
    assert_eq!(wrong, Vec::<String>::new());
    assert_eq!(seen, cases.expected);
}
