//! `SingleOpOracleAgent`: makes oracles by four strategies from source context and bundle; regenerates oracles with
//! hints (MASTOR paper, section 4.4.1).

use std::collections::BTreeMap;

use crate::brief::{Brief, Bundle};
use crate::desk::{AgentError, Desk, Kept, Question};
use crate::prompts;
use crate::reading::read_context;
use crate::reading::read_oracles::{Maker, candidate};
use crate::reading::replies::{Hint, Judged, Oracles, Proposed};
use crate::reading::text::sentence;
use mastor_types::model::Role;
use mastor_types::suite::assumption::Opinion;
use mastor_types::suite::oracle::{Candidate, Challenger, Oracle};
use mastor_types::suite::source_context::SourceContext;

/// Name of the agent.
pub const NAME: &str = "SingleOpOracleAgent";

/// Why an oracle goes that its maker takes back after a hint.
pub const WITHDRAWN: &str = "withdrawn after a hint";

/// Generates the oracles of an operation and writes them to the blackboard.
///
/// # Errors
/// Where the model gives no valid reply.
pub async fn run(desk: &Desk<'_>, brief: &Brief) -> Result<(), AgentError> {
    let context = context(desk, brief);
    let (mut made, mut dropped, mut opinions) = (Vec::new(), Vec::new(), BTreeMap::new());
    let mut cited = BTreeMap::new();
    let parts = parts(desk, brief, &context);
    for part in &parts {
        let user = prompts::generation(brief, part, &context)?;
        let question = question(brief, user, false);
        let (reply, answer) = desk.ask::<Oracles>(question).await?;
        let maker = Maker { model: &answer.model, challenger: Challenger::Skipped };
        read(brief, (part, &context), &reply.oracles, &maker, &mut made, &mut dropped);
        // The labels of a part are not those of the whole bundle.
        if parts.len() == 1 {
            cited.extend(lines(brief, (part, &context), &reply.oracles, &maker));
        }
        opinions.extend(judged(brief, &reply.assumptions, &answer.model));
    }
    let kept = (desk.normalise)(&brief.op_id, made);
    desk.store.write(brief.op_id.as_str(), |record| {
        record.candidates = kept.candidates;
        record.contested = kept.contested;
        record.opinions = opinions;
        record.cited = cited;
        record.dropped.extend(dropped);
        record.dropped.extend(kept.dropped);
    });
    Ok(())
}

/// Regenerates the oracles that have hints; the others stay unchanged, byte for byte.
///
/// # Errors
/// Where the model gives no valid reply; then all oracles stay.
pub async fn again(desk: &Desk<'_>, brief: &Brief, hints: &[Hint]) -> Result<(), AgentError> {
    let context = context(desk, brief);
    let record = desk.store.read(brief.op_id.as_str());
    let known = &record.candidates;
    let is_flagged =
        |one: &&Candidate| hints.iter().any(|hint| hint.test_id.as_deref() == Some(one.oracle.test_id.as_str()));
    let (flagged, others): (Vec<&Candidate>, Vec<&Candidate>) = known.iter().partition(is_flagged);
    let parts = parts(desk, brief, &context);
    let Some(part) = parts.first() else { return Ok(()) };
    let user = prompts::again(brief, (part, &context), (&record, &flagged, &others), hints)?;
    let (reply, answer) = desk.ask::<Oracles>(question(brief, user, true)).await?;
    let maker = Maker { model: &answer.model, challenger: Challenger::Hinted };
    // A replacement for an oracle without a hint is refused.
    let stays = |one: &Proposed| {
        one.replaces.as_deref().is_some_and(|name| flagged.iter().all(|candidate| candidate.oracle.test_id != name))
    };
    let (mut made, mut dropped) = (Vec::new(), Vec::new());
    let (kept_away, proposed): (Vec<Proposed>, Vec<Proposed>) = reply.oracles.into_iter().partition(stays);
    dropped.extend(kept_away.into_iter().map(|one| (one.test_id, "replaces an oracle that had no hint".to_owned())));
    read(brief, (part, &context), &proposed, &maker, &mut made, &mut dropped);
    let cited = if parts.len() == 1 { lines(brief, (part, &context), &proposed, &maker) } else { Vec::new() };
    let Kept { candidates: made, contested, dropped: more } = (desk.normalise)(&brief.op_id, made);
    // A flagged oracle is removed only if its replacement is valid.
    let arrived = |one: &&Proposed| {
        let read = candidate(brief, (part, &context), one, &maker);
        read.is_ok_and(|candidate| {
            let o_id = candidate.oracle.o_id;
            let reading = Oracle::second_reading(&o_id);
            made.iter().any(|other| [&o_id, &reading].contains(&&other.oracle.o_id))
        })
    };
    let replaced: Vec<&str> = proposed.iter().filter(arrived).filter_map(|one| one.replaces.as_deref()).collect();
    let withdrawn = |one: &Candidate| reply.withdrawn.contains(&one.oracle.test_id) && is_flagged(&one);
    dropped.extend(
        known.iter().filter(|one| withdrawn(one)).map(|one| (one.oracle.test_id.clone(), WITHDRAWN.to_owned())),
    );
    let leaves = |one: &Candidate| replaced.contains(&one.oracle.test_id.as_str()) || withdrawn(one);
    let mut all: Vec<Candidate> = known.iter().filter(|one| !leaves(one)).cloned().collect();
    for one in &mut all {
        if is_flagged(&&*one) {
            one.oracle.origin.challenger = Challenger::Hinted;
        }
    }
    for one in made {
        match all.iter_mut().find(|other| other.oracle.o_id == one.oracle.o_id) {
            Some(other) if is_flagged(&&*other) => *other = one,
            Some(_) => dropped.push((one.oracle.test_id, "asks the same as one that had no hint".to_owned())),
            None => all.push(one),
        }
    }
    desk.store.write(brief.op_id.as_str(), |record| {
        record.contested.extend(contested);
        record.cited.extend(cited);
        record.candidates = all;
        record.dropped.extend(dropped);
        record.dropped.extend(more);
    });
    Ok(())
}

/// The lines that proposals cite, by the ids that their oracles have or get as second readings.
fn lines(
    brief: &Brief,
    (bundle, context): (&Bundle, &SourceContext),
    proposed: &[Proposed],
    maker: &Maker<'_>,
) -> Vec<(String, Vec<String>)> {
    let one = |one: &Proposed| {
        let o_id = candidate(brief, (bundle, context), one, maker).ok()?.oracle.o_id;
        let lines: Vec<String> = one.evidence.iter().map(|cited| sentence(cited)).collect();
        Some([(Oracle::second_reading(&o_id), lines.clone()), (o_id, lines)])
    };
    proposed.iter().filter_map(one).flatten().collect()
}

/// What a model says of the assumptions that it was asked about, by id.
fn judged(brief: &Brief, said: &[Judged], model: &str) -> Vec<(String, Opinion)> {
    let is_asked = |one: &&Judged| brief.assumptions.iter().any(|assumed| assumed.id == one.id.trim());
    let opinion = |one: &Judged| {
        let opinion = Opinion { model: model.to_owned(), holds: one.holds, why: sentence(&one.why) };
        (one.id.trim().to_owned(), opinion)
    };
    said.iter().filter(is_asked).map(opinion).collect()
}

/// The question of a generation (`again`: on hints); what the brief offers nothing for is not in the reply's schema.
pub fn question(brief: &Brief, user: String, again: bool) -> Question<'_> {
    let mut question = Question::new(NAME, brief.op_id.as_str(), "oracles", user);
    // A weak model fills in every member that it may.
    for (is_of_use, members) in [
        (again, &["withdrawn", "replaces"][..]),
        (brief.derived.is_some(), &["fills"]),
        (!brief.assumptions.is_empty() && !again, &["assumptions"]),
        (!brief.calls.is_empty(), &["given"]),
        (!brief.users.is_empty(), &["as"]),
    ] {
        if !is_of_use {
            question = question.without(members);
        }
    }
    question
}

/// The operation's source context: from the blackboard, else the derived one, else an empty one.
pub fn context(desk: &Desk<'_>, brief: &Brief) -> SourceContext {
    let known = desk.store.of(&brief.op_id).and_then(|record| record.context);
    known.or_else(|| Some(brief.derived.as_ref()?.context.clone())).unwrap_or_else(|| read_context::empty(brief))
}

/// The bundle in parts that fit into the context beside the rest of the prompt.
pub fn parts(desk: &Desk<'_>, brief: &Brief, context: &SourceContext) -> Vec<Bundle> {
    let empty = prompts::generation(brief, &Bundle::default(), context).map_or(0, |text| text.len());
    let room = usize::try_from(desk.models.room(Role::Primary)).unwrap_or(usize::MAX).saturating_sub(empty);
    brief.bundle.split(room)
}

fn read(
    brief: &Brief,
    sources: (&Bundle, &SourceContext),
    proposed: &[Proposed],
    maker: &Maker<'_>,
    made: &mut Vec<Candidate>,
    dropped: &mut Vec<(String, String)>,
) {
    for one in proposed {
        match candidate(brief, sources, one, maker) {
            Ok(candidate) => made.push(candidate),
            Err(why) => dropped.push((crate::reading::text::line(&one.test_id), why.to_owned())),
        }
    }
}
