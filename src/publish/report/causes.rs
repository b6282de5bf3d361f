//! Groups changes by cause. Each entry shows the difference, the operations, the condition, the place in the code, and
//! how to accept it.

use serde::Serialize;

use super::report_rows::{NAME, needs_decision, short_input};
use crate::wording::condition_words::{in_short, with_code};
use crate::wording::words;
use mastor_template::escape::{shorten, shorten_start};
use mastor_types::OpId;
use mastor_types::manifest::Changed;
use mastor_types::results::change::{Change, ChangeKind, Place};
use mastor_types::results::report::ServiceReport;

/// Maximum length of a sentence, in characters.
const TEXT: usize = 300;
/// Maximum length of a condition.
const WHEN: usize = 160;
/// Number of characters shown of an id; `mastor accept` takes any unique prefix.
const SHORT: usize = 8;
/// Maximum number of operations named for one cause.
const NAMED: usize = 3;

/// A cause and its changes.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct CauseView {
    /// Statuses of base and head, if only the status changed.
    pub statuses: Option<(String, String)>,
    /// The sentence, with code in backticks.
    pub what: String,
    /// The condition, with code in backticks.
    pub when: Option<String>,
    /// The first affected operations.
    pub operations: Vec<String>,
    pub operations_left: usize,
    /// Number of affected operations.
    pub operations_all: usize,
    /// Effect on clients.
    pub effect: &'static str,
    /// What changed in the code, and whether it was added, removed or changed.
    pub because: Option<(String, &'static str)>,
    /// File name and line of the changed code.
    pub place: Option<String>,
    pub link: Option<String>,
    /// The full place, and whether it exists in the base only.
    #[serde(skip)]
    pub at: Option<(Place, bool)>,
    /// How the change is known.
    pub kind: &'static str,
    pub accepted: bool,
    /// The command that accepts it, if somebody has to decide.
    pub accept: Option<String>,
}

/// What distinguishes causes: sentence, effect, kind, whether it is accepted, whether it needs a decision, and the
/// changed code.
type Key<'c> = (&'c str, &'static str, ChangeKind, bool, bool, Option<&'c str>);

/// The changes of a service, grouped by cause in the order given.
pub(super) fn by_cause(service: &ServiceReport, changes: &[&Change]) -> Vec<CauseView> {
    grouped(changes).iter().map(|group| view(service, group)).collect()
}

/// Groups changes by cause.
pub(super) fn grouped<'c>(changes: &[&'c Change]) -> Vec<Vec<&'c Change>> {
    let mut groups: Vec<(Key<'_>, Vec<&Change>)> = Vec::new();
    for change in changes {
        let evidence = || change.first_place().map(|(place, _)| place.symbol.as_str());
        let edited = change.edit.as_ref().map(|edit| edit.input.as_str()).or_else(evidence);
        let effect = words::effect_on_clients(change.effect);
        let key = (change.sentence(), effect, change.kind, change.accepted, needs_decision(change), edited);
        // Changes of one operation under different conditions remain separate causes.
        let is_of = |group: &[&Change]| group.iter().any(|one| one.op_id == change.op_id);
        match groups.iter_mut().find(|(known, group)| *known == key && !is_of(group)) {
            Some((_, group)) => group.push(change),
            None => groups.push((key, vec![change])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

fn view(service: &ServiceReport, group: &[&Change]) -> CauseView {
    let lead = group[0];
    let mut operations: Vec<&OpId> = Vec::new();
    for change in group.iter().flat_map(|change| change.with_also()) {
        if !operations.contains(&&change.op_id) {
            operations.push(&change.op_id);
        }
    }
    let at = lead.first_place();
    let is_one = group.iter().all(|change| change.condition == lead.condition);
    let kind = match lead.kind {
        ChangeKind::Derived => "derived from code",
        ChangeKind::Slice => "seen in a slice, on base and head",
        ChangeKind::Seen => "seen on the service",
    };
    CauseView {
        statuses: statuses(lead),
        what: shorten(lead.sentence(), TEXT),
        when: lead.condition.as_deref().map(|condition| {
            let said = with_code(&shorten(&in_short(condition), WHEN));
            if is_one { said } else { format!("{said} (the first one; the evidence has the others)") }
        }),
        operations_all: operations.len(),
        operations_left: operations.len().saturating_sub(NAMED),
        operations: operations.into_iter().take(NAMED).map(|op_id| shorten(op_id.as_str(), NAME)).collect(),
        effect: words::effect_on_clients(lead.effect),
        because: because(service, lead),
        place: at.map(|(place, _)| format!("{}:{}", file_name(&place.file), place.line)),
        link: None,
        at: at.map(|(place, is_of_base)| (place.clone(), is_of_base)),
        kind,
        accepted: lead.accepted,
        accept: needs_decision(lead).then(|| {
            let ids: Vec<&str> = group.iter().map(|change| short_id(change)).collect();
            format!("mastor accept {}", ids.join(" "))
        }),
    }
}

/// A short id for `accept`: of the contradicted oracle or sequence, otherwise of the change.
fn short_id(change: &Change) -> &str {
    let against = change.with_also().find_map(|one| one.o_id.as_deref().or(one.s_id.as_deref()));
    let is_id = |id: &&str| (4..=64).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let id = against.filter(is_id).unwrap_or(&change.id);
    id.get(..SHORT).unwrap_or(id)
}

/// Statuses of base and head, if the sentence is about the status only.
fn statuses(change: &Change) -> Option<(String, String)> {
    let (after, before) = change.sentence().strip_prefix("answers ")?.split_once(" where it answered ")?;
    let is_status = |text: &str| text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_status(after) && is_status(before)).then(|| (before.to_owned(), after.to_owned()))
}

/// The changed code: the edit that caused the change, otherwise the first changed input of its operation.
fn because(service: &ServiceReport, change: &Change) -> Option<(String, &'static str)> {
    let planned = service.plan.operations.iter().find(|planned| planned.op_id == change.op_id);
    let first = || planned?.because.first().map(|first| (first.input.as_str(), first.change));
    let (input, how) = change.edit.as_ref().map(|edit| (edit.input.as_str(), edit.change)).or_else(first)?;
    let how = match how {
        Changed::Added => "is new",
        Changed::Removed => "is gone",
        Changed::Changed => "changed",
    };
    Some((shorten_start(&short_input(input).replace('#', "."), NAME), how))
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn changes_of_one_cause_are_one_entry_with_their_operations() {
        let mut service = sample::service("orders");
        let of = |path: &str| sample::change(path, "answers 404 where it answered 200", false).under("order.isOld");
        service.changes =
            vec![of("/orders/{id}"), of("/orders"), sample::change("/news", "gives a new field total", false)];
        let changes: Vec<&Change> = service.changes.iter().collect();
        let causes = by_cause(&service, &changes);
        assert_eq!(causes.len(), 2);
        assert_eq!(causes[0].statuses, Some(("200".to_owned(), "404".to_owned())));
        assert_eq!(causes[0].when.as_deref(), Some("`order.isOld`"));
        assert_eq!((causes[0].operations.len(), causes[0].operations_left), (2, 0));
        assert_eq!(causes[0].because, Some(("Orders.find".to_owned(), "changed")));
    }
}
