//! The work of agents, done or planned, for the terminal: calls, tokens and cost by agent, dropped candidates and
//! failures.

use std::fmt::Write as _;

use crate::wording::words;
use mastor_template::escape::{plain, shorten};
use mastor_types::model::Usage;
use mastor_types::results::agents::{AgentsRan, PlannedCalls};

/// Maximum number of operations and reasons listed.
const MOST: usize = 20;

/// The plan of a dry run: calls by agent, tokens, cost, and every file that would be sent.
pub fn planned(planned: &PlannedCalls) -> String {
    let mut out = String::new();
    let mut by_agent: std::collections::BTreeMap<&str, (usize, u64, usize)> = Default::default();
    for call in &planned.calls {
        let entry = by_agent.entry(&call.agent).or_default();
        entry.0 += 1;
        entry.1 += call.input_tokens;
        entry.2 += usize::from(call.kept);
    }
    for (agent, (calls, tokens, kept)) in by_agent {
        let kept = if kept > 0 { format!(" ({kept} of them kept from earlier runs)") } else { String::new() };
        let _ = writeln!(out, "  {agent}: {}, about {tokens} tokens in{kept}", words::count(calls, "call"));
    }
    for file in &planned.files {
        let _ = writeln!(out, "  sends parts of {}", plain(file));
    }
    for file in &planned.withheld {
        let _ = writeln!(out, "  never sends {}", plain(file));
    }
    let prefix = (planned.prefix_bytes * 100).checked_div(planned.prompt_bytes).unwrap_or_default();
    let _ = writeln!(
        out,
        "{} engine: {} known before the run · about {} tokens in, {prefix} % of them as an earlier prompt begins · {} · regenerations and sequences come on top",
        planned.engine,
        words::count(planned.calls.len(), "call"),
        planned.input_tokens,
        planned.usd.map_or_else(
            || "no price is configured".to_owned(),
            |usd| format!("about ${usd:.4} with replies of common length")
        ),
    );
    out
}

/// The results of the agents.
pub fn ran(ran: &AgentsRan) -> String {
    let mut out = String::new();
    for (agent, usage) in &ran.by_agent {
        let _ = writeln!(out, "  {agent}: {}", cost(usage));
    }
    for dropped in ran.dropped.iter().take(MOST) {
        let _ = writeln!(out, "  dropped {}: {}", dropped.count, plain(&shorten(&dropped.reason, 160)));
    }
    for failed in ran.failed.iter().take(MOST) {
        let by = if failed.by_rules { "; the rules engine did it" } else { "" };
        let _ = writeln!(out, "  {} failed: {}{by}", plain(failed.op_id.as_str()), plain(&shorten(&failed.why, 200)));
    }
    for trouble in ran.troubles.iter().take(MOST) {
        let _ = writeln!(out, "  {}", plain(&shorten(trouble, 200)));
    }
    for one in ran.matched.iter().take(MOST) {
        let entry = format!("{}#{}", one.entry.class, one.entry.method);
        let _ = writeln!(out, "  {} is served by {}, as the model says", one.op_id, plain(&shorten(&entry, 200)));
    }
    let replies = &ran.replies;
    let _ = writeln!(
        out,
        "{} engine: {} and {} of agents · {} · {} contradicted what is derived{} · replies: {} at once, {} repaired, {} asked again, {} unusable · contexts compressed {} → {} bytes · {}",
        ran.engine,
        words::count(ran.oracles, "oracle"),
        words::count(ran.sequences, "sequence"),
        words::count(ran.hints, "hint"),
        ran.contradicted,
        decided(ran),
        replies.at_once,
        replies.repaired,
        replies.re_asked,
        replies.failed,
        ran.compressed.0,
        ran.compressed.1,
        cost(&ran.usage()),
    );
    if let Some(ended) = &ran.ended {
        let _ = writeln!(out, "no further call was made: {}", plain(&shorten(ended, 300)));
    }
    out
}

/// What requests and slices decided between agents and rules.
fn decided(ran: &AgentsRan) -> String {
    let part = |n: usize, what: &str| if n > 0 { format!(", {n} {what}") } else { String::new() };
    format!(
        "{}{}",
        part(ran.overruled, "shown to be right against it"),
        part(ran.filled, "filled in values that it leaves open")
    )
}

/// Usage on one line: `12 calls, 34,000 tokens in (20,000 cached), 5,600 out, $0.0123, 41.0 s`.
pub fn cost(usage: &Usage) -> String {
    let usd = usage.usd.map(|usd| format!(", ${usd:.4}")).unwrap_or_default();
    let calls = usize::try_from(usage.calls).unwrap_or(usize::MAX);
    format!(
        "{}, {} tokens in ({} cached), {} out{usd}, {:.1} s",
        words::count(calls, "call"),
        usage.input_tokens,
        usage.cached_tokens,
        usage.output_tokens,
        usage.seconds
    )
}
