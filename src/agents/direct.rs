//! Direct prompting, the baseline of the MASTOR paper: one prompt for each entry class with its source and operations,
//! without contexts and review.

use std::collections::{BTreeMap, BTreeSet};

use super::brief::{Brief, Bundle, BundleFile};
use super::bus::MessageBus;
use super::desk::{AgentError, Desk, PlannedPrompt, Question};
use super::machine::{Ended, Task};
use super::orchestrator::Finished;
use super::prompts;
use super::reading::read_oracles::{Maker, candidate};
use super::reading::{read_context, replies};
use mastor_types::OpId;
use mastor_types::model::Role;
use mastor_types::suite::oracle::Challenger;

/// Name in the ledger.
pub const NAME: &str = "DirectPrompting";

/// Asks for the oracles of all operations, one class at a time.
pub async fn run(desk: &Desk<'_>, told: &dyn Fn(&str)) -> Finished {
    let mut classes: BTreeMap<&str, Vec<&Brief>> = BTreeMap::new();
    for brief in desk.briefs {
        classes.entry(&brief.entry.class).or_default().push(brief);
    }
    let classes: Vec<(&str, Vec<&Brief>)> = classes.into_iter().collect();
    let finished = std::sync::Mutex::new(Finished::default());
    let mut bus = MessageBus::new(desk.models.concurrency(Role::Primary));
    bus.submit((0..classes.len()).map(Task::Generate));
    let work = async |task: Task| {
        let Task::Generate(n) = task else { return (task, Ended::Failed) };
        let Some((class, briefs)) = classes.get(n) else { return (task, Ended::Failed) };
        let lock = || finished.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let done = if lock().ended.is_some() { Err(None) } else { class_of(desk, class, briefs).await.map_err(Some) };
        if let Err(error) = done {
            let why = error.as_ref().map_or_else(|| "no further call was made".to_owned(), ToString::to_string);
            for brief in briefs {
                desk.store.write(brief.op_id.as_str(), |record| record.failed = Some(why.clone()));
                lock().failed.insert(brief.op_id.clone(), why.clone());
            }
            if let Some(AgentError::Ask(error)) = error
                && error.is_for_good()
            {
                lock().ended.get_or_insert(error);
            }
            return (task, Ended::Failed);
        }
        (task, Ended::Done)
    };
    while let Some((task, _)) = bus.next(|task| Box::pin(work(task))).await {
        if let Task::Generate(n) = task
            && let Some((class, _)) = classes.get(n)
        {
            told(&format!("{NAME} {class}"));
        }
    }
    drop(bus);
    finished.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The prompts that would be sent.
///
/// # Errors
/// Where a template cannot be rendered.
pub fn prompts(desk: &Desk<'_>) -> Result<Vec<PlannedPrompt>, AgentError> {
    let mut classes: BTreeMap<&str, Vec<&Brief>> = BTreeMap::new();
    for brief in desk.briefs {
        classes.entry(&brief.entry.class).or_default().push(brief);
    }
    let mut out = Vec::new();
    for (class, briefs) in classes {
        for (_, question) in questions(desk, class, &briefs)? {
            out.push(PlannedPrompt { ask: question.ask::<replies::Direct>()?, exact: true });
        }
    }
    Ok(out)
}

/// The questions about one class, each with the part of the source that it contains.
fn questions<'c>(
    desk: &Desk<'_>,
    class: &'c str,
    briefs: &[&Brief],
) -> Result<Vec<(Bundle, Question<'c>)>, AgentError> {
    let bundle = together(briefs);
    let operations: Vec<OpId> = briefs.iter().map(|brief| brief.op_id.clone()).collect();
    let empty = prompts::direct(&Bundle::default(), &operations)?.len();
    let room = usize::try_from(desk.models.room(Role::Primary)).unwrap_or(usize::MAX).saturating_sub(empty);
    let mut out = Vec::new();
    for part in bundle.split(room) {
        let user = prompts::direct(&part, &operations)?;
        out.push((part, Question::new(NAME, class, "direct", user).without(&["fills", "given", "replaces"])));
    }
    Ok(out)
}

async fn class_of(desk: &Desk<'_>, class: &str, briefs: &[&Brief]) -> Result<(), AgentError> {
    for (part, question) in questions(desk, class, briefs)? {
        let (reply, answer) = desk.ask::<replies::Direct>(question).await?;
        let maker = Maker { model: &answer.model, challenger: Challenger::Skipped };
        for brief in briefs {
            let context = read_context::empty(brief);
            let (mut made, mut dropped) = (Vec::new(), Vec::new());
            let own = reply.operations.iter().filter(|one| one.op_id.trim() == brief.op_id.as_str());
            for proposed in own.flat_map(|one| &one.oracles) {
                match candidate(brief, (&part, &context), proposed, &maker) {
                    Ok(one) => made.push(one),
                    Err(why) => dropped.push((super::reading::text::line(&proposed.test_id), why.to_owned())),
                }
            }
            let kept = (desk.normalise)(&brief.op_id, made);
            desk.store.write(brief.op_id.as_str(), |record| {
                record.context.get_or_insert(context);
                let known: BTreeSet<String> = record.candidates.iter().map(|one| one.oracle.o_id.clone()).collect();
                record.candidates.extend(kept.candidates.into_iter().filter(|one| !known.contains(&one.oracle.o_id)));
                record.dropped.extend(dropped);
                record.dropped.extend(kept.dropped);
            });
        }
    }
    Ok(())
}

/// Merges bundles: each file once, with the lines of all bundles.
fn together(briefs: &[&Brief]) -> Bundle {
    let mut files: BTreeMap<&str, BundleFile> = BTreeMap::new();
    for file in briefs.iter().flat_map(|brief| &brief.bundle.files) {
        let one = files.entry(&file.path).or_insert_with(|| BundleFile {
            lines: Vec::new(),
            cites: Vec::new(),
            ..file.clone()
        });
        one.lines.extend(file.lines.iter().cloned());
        one.lines.sort();
        one.lines.dedup();
        for cite in &file.cites {
            if !one.cites.contains(cite) {
                one.cites.push(cite.clone());
            }
        }
    }
    Bundle { files: files.into_values().collect(), ..Bundle::default() }
}
