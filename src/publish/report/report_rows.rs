//! Rows of the report's table: answers before and after, and why the operation is affected.

use serde::Serialize;

use super::strength::kill_rate;
use mastor_template::escape::shorten;
use mastor_types::OpId;
use mastor_types::results::change::{Change, ChangeEffect, status};
use mastor_types::results::compared::Comparison;
use mastor_types::results::plan::{Because, PlannedOperation, State};
use mastor_types::results::report::ServiceReport;

/// Maximum length of a sentence in a cell.
const TEXT: usize = 200;
/// Maximum length of the name of an operation or service.
pub(crate) const NAME: usize = 120;
/// Maximum length of an answer in a cell, which begins with the status.
const ANSWER: usize = 40;
/// Maximum length of an input's name in a narrow column.
const INPUT: usize = 45;

/// The row of an operation.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Row {
    pub op_id: String,
    pub state: &'static str,
    /// Text for an operation without reported changes.
    pub untold: &'static str,
    pub because: Option<String>,
    pub because_left: usize,
    /// The changed input without file and parameters, for narrow columns.
    pub because_short: Option<String>,
    pub changes: Vec<String>,
    /// The changes in parts, for narrow columns.
    pub answers: Vec<Answers>,
    pub oracles: String,
    #[serde(skip)]
    pub rank: u8,
}

/// An operation's answers before and after a change.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Answers {
    /// Both answers; `None` where the sentence is clearer.
    pub pair: Option<(String, String)>,
    /// The change as a sentence.
    pub what: String,
    /// The operation whose change this one is listed under, if another.
    pub with: Option<String>,
}

/// Makes the row of an operation.
pub(crate) fn row(service: &ServiceReport, planned: &PlannedOperation) -> Row {
    let (groups, changes) = of_operation(service, planned);
    let own = |lead: &&Change| lead.with_also().any(|c| c.op_id == planned.op_id && c.needs_decision);
    let against = groups.iter().any(own);
    let breaking = changes.iter().any(|c| !c.accepted && c.effect == ChangeEffect::Breaking);
    let rank = match (against, breaking) {
        (true, true) => 0,
        (true, false) => 1,
        (false, true) => 2,
        (false, false) => 3 + u8::from(changes.is_empty()),
    };
    let generated = service.generate.operations.iter().find(|o| o.op_id == planned.op_id);
    let oracles = match generated {
        None => "none".to_owned(),
        Some(g) => {
            let parts: Vec<String> = [(g.added, "new"), (g.proposed, "proposed")]
                .into_iter()
                .filter(|(n, _)| *n > 0)
                .map(|(n, what)| format!("{n} {what}"))
                .collect();
            if parts.is_empty() { g.oracles.to_string() } else { format!("{} ({})", g.oracles, parts.join(", ")) }
        }
    };
    let strength = service.strength.as_ref().and_then(|measured| measured.of(&planned.op_id)).and_then(kill_rate);
    let oracles = match strength {
        Some(noticed) => format!("{oracles}, notice {noticed}"),
        None => oracles,
    };
    Row {
        op_id: named(&planned.op_id),
        state: planned.state.as_str(),
        untold: untold(service, planned),
        because: planned.because.first().map(|b| format!("{} {}", shorten(&b.input, 160), changed(b))),
        because_left: planned.because.len().saturating_sub(1),
        because_short: planned
            .because
            .first()
            .map(|b| format!("{} {}", shorten(short_input(&b.input), INPUT), changed(b))),
        answers: groups.iter().zip(&changes).take(3).map(|(lead, change)| answers(lead, change)).collect(),
        changes: groups.iter().zip(&changes).take(3).map(|(lead, change)| in_row(lead, change)).collect(),
        oracles,
        rank,
    }
}

/// The text for an operation without reported changes. Operations that are the same have no row.
fn untold(service: &ServiceReport, planned: &PlannedOperation) -> &'static str {
    let mut compared = service.compared.iter().filter(|one| one.op_id == planned.op_id);
    match planned.state {
        // Its changes are covered by `[[ignore]]`.
        State::Affected if compared.any(|one| one.state == Comparison::Changed) => "left aside",
        State::New => "nothing to compare with",
        State::Retired => "no longer there",
        State::Affected | State::Recheck | State::Inherited => "could not tell",
    }
}

/// The reported changes that involve this operation, and the most important change of this operation in each.
fn of_operation<'s>(service: &'s ServiceReport, planned: &PlannedOperation) -> (Vec<&'s Change>, Vec<&'s Change>) {
    let part = |lead: &'s Change| Some((lead, lead.with_also().find(|change| change.op_id == planned.op_id)?));
    service.changes.iter().filter_map(part).unzip()
}

/// A change in an operation's row; names the operation that it is listed under, if another.
fn in_row(lead: &Change, change: &Change) -> String {
    let text = before_now(change);
    if lead.op_id == change.op_id { text } else { format!("{text} (with {})", named(&lead.op_id)) }
}

/// The answers of a change in parts, for narrow columns.
fn answers(lead: &Change, change: &Change) -> Answers {
    let status = |answer: &str| status(answer).map(str::to_owned);
    let cut = |(before, after): (&String, &String)| match (status(before), status(after)) {
        // Where the statuses differ, they are enough here; the details have the bodies.
        (Some(before), Some(after)) if before != after => (before, after),
        _ => (shorten(before, ANSWER), shorten(after, ANSWER)),
    };
    Answers {
        pair: both(change).map(cut),
        what: shorten(&change.what, TEXT),
        with: (lead.op_id != change.op_id).then(|| named(&lead.op_id)),
    }
}

/// An operation's name, truncated.
pub(crate) fn named(op_id: &OpId) -> String {
    shorten(op_id.as_str(), NAME)
}

/// An input without file, package and parameters: `PriceCalculator.check` for
/// `src/…/PriceCalculator.java#PriceCalculator.check(int)`.
pub(super) fn short_input(input: &str) -> &str {
    let member = match input.split_once('#') {
        Some((file, member)) if file.contains('/') || file.ends_with(".java") => member,
        _ => short_symbol(input),
    };
    member.split('(').next().filter(|name| !name.is_empty()).unwrap_or(member)
}

/// A symbol without the package of its class.
pub(super) fn short_symbol(symbol: &str) -> &str {
    let class = symbol.split(['#', '(']).next().filter(|class| class.len() < symbol.len()).unwrap_or_default();
    let own = class.rfind('.').map(|dot| &symbol[dot + 1..]).filter(|own| own.starts_with(char::is_uppercase));
    own.unwrap_or(symbol)
}

/// `added`, `removed` or `changed`, as in the JSON.
fn changed(because: &Because) -> String {
    serde_json::to_value(because.change).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
}

/// Whether this change, or one listed under it, needs a decision.
pub(crate) fn needs_decision(change: &Change) -> bool {
    change.with_also().any(|c| c.needs_decision)
}

/// Both answers: those of the witness, otherwise the described ones.
fn both(change: &Change) -> Option<(&String, &String)> {
    match (&change.witness, &change.before, &change.after) {
        (Some(witness), ..) => Some((&witness.before, &witness.after)),
        (None, before, after) => before.as_ref().zip(after.as_ref()),
    }
}

fn before_now(change: &Change) -> String {
    match both(change) {
        Some((before, after)) => format!("{} → {}", shorten(before, 100), shorten(after, 100)),
        None => shorten(&change.what, TEXT),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_is_named_without_what_its_file_says() {
        assert_eq!(short_input("src/a/Price.java#Price.check(int,a.B)"), "Price.check");
        assert_eq!(short_input("com.acme.Orders#find(String)"), "Orders#find");
        assert_eq!(short_input("openapi.yaml#/paths/~1x"), "openapi.yaml#/paths/~1x");
        assert_eq!(short_input("global:spring.x"), "global:spring.x");
        assert_eq!(short_symbol("a.Api#get(java.lang.String)"), "Api#get(java.lang.String)");
    }
}
