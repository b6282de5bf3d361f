//! The headline of a report: the verdict, and what the reader must do, on one line.

use super::causes::grouped;
use super::report_rows::needs_decision;
use crate::wording::words;
use mastor_types::results::change::{Change, ChangeEffect};
use mastor_types::results::compared::{Comparison, count};
use mastor_types::results::plan::State;
use mastor_types::results::report::{Report, ServiceReport, Verdict};

/// The headline. It has a ✅ only where every affected operation is the same and no operation remains to be checked
/// again.
pub(crate) fn headline(report: &Report) -> String {
    let services = &report.services;
    let verdict = |wanted| services.iter().any(|s| s.verdict == wanted);
    if services.is_empty() || report.exit.code == 3 {
        return "nothing was found to work on".to_owned();
    }
    let open = open(services);
    if verdict(Verdict::NeedsDecision) {
        let n = causes(services).iter().filter(|group| group.iter().any(|c| needs_decision(c))).count().max(1);
        let need = if n == 1 { "needs" } else { "need" };
        return format!("{} {need} a decision{}", words::count(n, "behaviour change"), open.unwrap_or_default());
    }
    let all = causes(services);
    if verdict(Verdict::Changed) {
        let said = "no suite is committed for it, so nothing fails";
        let tail =
            if all.iter().any(|group| worst(group) != ChangeEffect::Additive) { said } else { "no client breaks" };
        let counted = words::count(all.len(), "behaviour change");
        return format!("{counted} ({}); {tail}{}", effects(&all), open.unwrap_or_default());
    }
    if verdict(Verdict::Accepted) {
        let counted = words::count(all.len(), "behaviour change");
        return format!("{counted}, accepted by the suite of this branch{}", open.unwrap_or_default());
    }
    let affected = total(services, |s| s.plan.count(State::Affected));
    let new = total(services, |s| s.plan.count(State::New));
    if verdict(Verdict::Undecided) {
        let undecided = total(services, |s| count(&s.compared, Comparison::Undecided));
        return match affected - undecided.min(affected) {
            0 => format!("could not tell whether {} differently", answer(undecided)),
            same => {
                format!("no change found in {same}, could not tell in {undecided} of {affected} affected operations")
            }
        };
    }
    let left = total(services, |s| if s.check.is_none() { s.plan.count(State::Recheck) } else { 0 });
    if left > 0 {
        let same = if affected > 0 { format!("; {} the same", are(affected)) } else { String::new() };
        return format!("{} to be looked at again, not run{same}", words::count(left, "operation"));
    }
    // Changes covered by `[[ignore]]` are not reported.
    let aside = total(services, |s| if s.ignored.is_empty() { 0 } else { count(&s.compared, Comparison::Changed) });
    if aside > 0 {
        return format!("what {} differently is left aside", answer(aside));
    }
    // Changed code that runs outside of operations was not compared.
    if services.iter().any(|service| service.plan.runs_unreached()) {
        let beside = "changed code that runs beside the operations is not compared";
        return match affected {
            0 => format!("no operation is affected; {beside}"),
            affected => format!("{} the same; {beside}", are(affected)),
        };
    }
    match (affected, new) {
        (0, 0) => "✅ no operation is affected".to_owned(),
        (0, new) => format!("✅ {} new, no other is affected", are(new)),
        (affected, _) => format!("✅ no behaviour change: {} the same", are(affected)),
    }
}

/// The undecided operations, to be appended to another verdict.
fn open(services: &[ServiceReport]) -> Option<String> {
    let undecided = total(services, |s| count(&s.compared, Comparison::Undecided));
    let compared = total(services, |s| s.compared.len());
    (undecided > 0).then(|| format!("; could not tell in {undecided} of {compared} affected operations"))
}

fn total(services: &[ServiceReport], of: impl Fn(&ServiceReport) -> usize) -> usize {
    services.iter().map(of).sum()
}

fn are(n: usize) -> String {
    format!("{} {}", words::count(n, "affected operation").replace("affected ", ""), if n == 1 { "is" } else { "are" })
}

fn answer(n: usize) -> String {
    format!("{} {}", words::count(n, "affected operation"), if n == 1 { "answers" } else { "answer" })
}

/// The changes of all services, grouped by cause.
fn causes(services: &[ServiceReport]) -> Vec<Vec<&Change>> {
    services.iter().flat_map(|service| grouped(&service.changes.iter().collect::<Vec<_>>())).collect()
}

/// The most severe effect of a cause's changes, including those listed under them.
fn worst(group: &[&Change]) -> ChangeEffect {
    let all = || group.iter().flat_map(|change| change.with_also()).map(|c| c.effect);
    match () {
        () if all().any(|effect| effect == ChangeEffect::Breaking) => ChangeEffect::Breaking,
        () if all().any(|effect| effect == ChangeEffect::Unclear) => ChangeEffect::Unclear,
        () => ChangeEffect::Additive,
    }
}

/// How many causes break clients, may break them, or only add.
fn effects(causes: &[Vec<&Change>]) -> String {
    let of = |effect| causes.iter().filter(|group| worst(group) == effect).count();
    // A single cause is not counted.
    if let [only] = causes {
        return words::effect_on_clients(worst(only)).to_owned();
    }
    let parts = [
        (of(ChangeEffect::Breaking), "breaks clients", "break clients"),
        (of(ChangeEffect::Unclear), "may break clients", "may break clients"),
        (of(ChangeEffect::Additive), "only adds", "only add"),
    ];
    if let Some((_, _, many)) = parts.iter().find(|(n, ..)| *n == causes.len()) {
        return format!("all {many}");
    }
    let said = parts.iter().filter(|(n, ..)| *n > 0);
    said.map(|(n, one, many)| format!("{n} {}", if *n == 1 { one } else { many })).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use mastor_types::manifest::Changed;
    use mastor_types::results::compared::Stop;
    use mastor_types::results::plan::Unreached;

    fn said(change: impl Fn(&mut ServiceReport)) -> String {
        let mut service = sample::service("orders");
        change(&mut service);
        let mut report = sample::report(vec![service]);
        report.exit.code = 0;
        headline(&report)
    }

    fn undecided(service: &mut ServiceReport, n: usize) {
        for one in service.compared.iter_mut().take(n) {
            one.state = Comparison::Undecided;
            one.stopped = vec![Stop::of("a filter is not followed")];
        }
    }

    #[test]
    fn what_could_not_be_told_is_said_in_the_same_breath_and_is_never_green() {
        let of_two = said(|service| {
            service.changes.clear();
            undecided(service, 1);
            service.verdict = Verdict::Undecided;
        });
        assert_eq!(of_two, "no change found in 1, could not tell in 1 of 2 affected operations");
        let none = said(|service| {
            service.changes.clear();
            undecided(service, 2);
            service.verdict = Verdict::Undecided;
        });
        assert_eq!(none, "could not tell whether 2 affected operations answer differently");
        let decision = said(|service| {
            undecided(service, 1);
            service.verdict = Verdict::NeedsDecision;
        });
        assert_eq!(decision, "1 behaviour change needs a decision; could not tell in 1 of 2 affected operations");
    }

    #[test]
    fn what_breaks_what_may_break_and_what_only_adds_are_counted_apart() {
        let text = said(|service| {
            service.verdict = Verdict::Changed;
            service.changes[0].effect = ChangeEffect::Additive;
            service.changes[1].effect = ChangeEffect::Unclear;
            service.changes[1].also.clear();
        });
        assert!(text.starts_with("2 behaviour changes (1 may break clients, 1 only adds);"), "{text}");
    }

    #[test]
    fn code_that_runs_beside_the_operations_keeps_a_headline_from_being_green() {
        let unreached = |from_running| {
            said(|service| {
                service.changes.clear();
                service.ignored.clear();
                service.verdict = Verdict::Same;
                service.plan.unreached = vec![Unreached {
                    input: "src/Job.java#Job.run()".to_owned(),
                    change: Changed::Changed,
                    referred_by: Vec::new(),
                    from_running,
                }];
            })
        };
        assert_eq!(
            unreached(true),
            "2 operations are the same; changed code that runs beside the operations is not compared"
        );
        assert_eq!(unreached(false), "✅ no behaviour change: 2 operations are the same");
    }

    #[test]
    fn operations_that_were_to_be_looked_at_again_and_were_not_are_never_green() {
        let text = said(|service| {
            service.changes.clear();
            service.compared.clear();
            service.verdict = Verdict::NothingAffected;
            for operation in &mut service.plan.operations {
                operation.state = State::Recheck;
            }
        });
        assert_eq!(text, "4 operations to be looked at again, not run");
        let green = said(|service| {
            service.changes.clear();
            service.ignored.clear();
            service.verdict = Verdict::Same;
        });
        assert_eq!(green, "✅ no behaviour change: 2 operations are the same");
    }
}
