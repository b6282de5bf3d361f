//! The output of `mastor replay`: each request as `curl`, its answer, and missed expectations.

use std::fmt::Write as _;

use super::check_view::{answer, came_of, expected};
use super::curl::curl;
use mastor_template::escape::plain;
use mastor_types::results::outcome::{Outcome, RunVerdict};

/// The text for the steps of one run.
pub fn replay(outcome: &Outcome) -> String {
    let mut out = format!("{}  {}\n", outcome.id, plain(&outcome.test_id));
    for exchange in &outcome.exchanges {
        if outcome.op_ids.len() > 1 {
            let _ = writeln!(out, "\nstep {} of {}: {}", exchange.step + 1, outcome.op_ids.len(), exchange.op_id);
        }
        let _ = writeln!(out, "$ {}", plain(&curl(exchange)));
        let _ = writeln!(out, "< {}", plain(&came_of(exchange)));
        if let Ok(seen) = &exchange.answer {
            let view = answer(seen);
            for (name, value) in &view.headers {
                let _ = writeln!(out, "< {}: {}", plain(name), plain(value));
            }
            if !view.body.is_empty() {
                for line in view.body.lines() {
                    let _ = writeln!(out, "{}", plain(line));
                }
                if view.cut {
                    let _ = writeln!(out, "… the body goes on");
                }
            }
        }
        for miss in outcome.misses.iter().filter(|miss| miss.step == exchange.step) {
            let _ = writeln!(out, "expected  {}", plain(&expected(miss)));
            let _ = writeln!(out, "seen      {}", plain(&miss.seen));
        }
    }
    if let Some(reason) = &outcome.reason {
        let _ = writeln!(out, "{}", plain(reason));
    }
    let held = outcome.verdict == RunVerdict::Held;
    let verdict = if held { "it held: every expectation was seen" } else { outcome.verdict.as_str() };
    let _ = writeln!(out, "{verdict}");
    out
}
