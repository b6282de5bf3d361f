//! Aspects: decides whether an aspect only observes, so that the advised method behaves as without it. The rule
//! `aspects`.
//!
//! Runs the advice around a call that returns a marker object. On every path the advice must return that object and
//! leave no doubt.

use super::wiring::Container;
use crate::subject::Subject;
use mastor_java::interpret::library::frameworks::aspects::{GIVEN, JOIN_POINT};
use mastor_java::interpret::paths::path::Outcome;
use mastor_java::interpret::values::scalar::ClassRef;
use mastor_java::interpret::values::value::Value;
use mastor_java::interpret::{Bounds, Codes, Context, explore};
use mastor_java::ir::facts::MemberKind;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;

const AROUND: &str = "Around";
const ADVICE: &[&str] = &[AROUND, "Before", "After", "AfterReturning", "AfterThrowing"];

/// The doubt that an aspect which is not interpreted raises.
pub fn an_aspect(project: &Project, aspect: TypeId) -> String {
    format!("an aspect: {}", project.ty(aspect).name)
}

/// Whether all advice of an aspect only observes.
pub fn only_looks_on(subject: &Subject<'_>, codes: &Codes<'_>, aspect: TypeId) -> bool {
    let project = subject.project;
    project.members(aspect).filter(|member| project.member(*member).kind == MemberKind::Method).all(|member| {
        let kind = project.member(member).annotations.iter().find(|annotation| ADVICE.contains(&annotation.simple()));
        kind.is_none_or(|kind| looks_on(subject, codes, aspect, member, kind.simple() == AROUND))
    })
}

fn looks_on(subject: &Subject<'_>, codes: &Codes<'_>, aspect: TypeId, advice: MemberId, around: bool) -> bool {
    let container = Container::of(*subject, false, &Default::default());
    let bounds = Bounds { paths: 16, forks: 8, steps: 20_000, total_steps: 80_000, ..Bounds::default() };
    let cx = Context { codes, wiring: &container, bounds, follows: None };
    let run = explore(&cx, |machine| {
        let params = machine.project.member(advice).params.clone();
        let mut args = Vec::new();
        for param in &params {
            args.push(match param.ty.simple() {
                "ProceedingJoinPoint" | "JoinPoint" => machine.modelled(JOIN_POINT, &[]),
                _ => {
                    let ty = machine.type_of(advice.ty, &param.ty);
                    Value::unknown("what an aspect is given", ty)
                }
            });
        }
        let this = Value::Ref(machine.bean(aspect)?);
        machine.invoke(advice, Some(this), args)
    });
    run.complete
        && run.paths.iter().all(|path| {
            let given = match &path.outcome {
                Outcome::Returned(Value::Ref(id)) => {
                    path.object(*id).is_some_and(|object| object.class == ClassRef::library(GIVEN))
                }
                Outcome::Returned(_) => !around,
                _ => false,
            };
            path.doubts.is_empty() && given
        })
}
