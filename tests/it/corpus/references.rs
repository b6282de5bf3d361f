//! Compares method references with equivalent lambdas, for every member of the registry.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::encode::NoBeans;
use mastor::java::interpret::paths::path::{Outcome, Path};
use mastor::java::interpret::values::scalar::{ClassRef, Scalar};
use mastor::java::interpret::values::value::{Type, Value};
use mastor::java::interpret::{Bounds, Codes, Context, explore};
use mastor::java::ir::ids::MemberId;
use mastor::java::models::registry::{Member, types};
use mastor::java::project::index::Project;
use mastor::java::resolve::resolver::Resolver;

/// The text that marks a path without doubts.
const NO_DOUBT: &str = " {} {";
/// Maximum number of arguments of a tested function.
const MOST: usize = 3;

/// A member with the number of arguments of a function for it.
struct Asked {
    fqn: &'static str,
    member: &'static Member,
    takes: usize,
}

fn asked() -> Vec<Asked> {
    let of = |(fqn, known): (&'static String, &'static mastor::java::models::registry::Modelled)| {
        known.members.iter().map(move |member| {
            let takes = member.arity + usize::from(!member.is_static);
            Asked { fqn: fqn.as_str(), member, takes }
        })
    };
    // Java rejects a reference that fits both a static and an instance method (JLS §15.13.1).
    let is_refused = |asked: &Asked| {
        let takes = |other: &Member| other.arity + usize::from(!other.is_static);
        types()[asked.fqn].members.iter().any(|other| {
            other.name == asked.member.name && other.is_static != asked.member.is_static && takes(other) == asked.takes
        })
    };
    let is_named = |fqn: &str| fqn.rsplit('.').next().is_some_and(|name| name.starts_with(char::is_uppercase));
    let is_tried = |asked: &Asked| {
        is_named(asked.fqn) && asked.member.name != "*" && (1..=MOST).contains(&asked.takes) && !is_refused(asked)
    };
    types().iter().flat_map(of).filter(is_tried).collect()
}

/// A class with a method reference and a lambda for each member.
fn source(all: &[Asked]) -> String {
    let mut out = String::from("class References {\n");
    for count in 1..=MOST {
        let (types, params): (Vec<String>, Vec<String>) =
            (1..=count).map(|at| (format!("T{at}"), format!("T{at} x{at}"))).unzip();
        let _ = writeln!(out, "  interface F{count}<{}> {{ Object on({}); }}", types.join(", "), params.join(", "));
    }
    for (at, asked) in all.iter().enumerate() {
        let (fqn, name) = (asked.fqn, asked.member.name);
        let first = if asked.member.is_static { "Object" } else { fqn };
        let types: Vec<&str> = (0..asked.takes).map(|at| if at == 0 { first } else { "Object" }).collect();
        let params: Vec<String> = types.iter().enumerate().map(|(at, ty)| format!("{ty} v{at}")).collect();
        let values: Vec<String> = (0..asked.takes).map(|at| format!("v{at}")).collect();
        let given: Vec<String> = (0..asked.takes).map(|at| format!("x{at}")).collect();
        let called = match (name, asked.member.is_static) {
            ("<init>", _) => format!("new {fqn}({})", given.join(", ")),
            (name, true) => format!("{fqn}.{name}({})", given.join(", ")),
            (name, false) => format!("x0.{name}({})", given[1..].join(", ")),
        };
        let reference = format!("{fqn}::{}", if name == "<init>" { "new" } else { name });
        let interface = format!("F{}<{}>", asked.takes, types.join(", "));
        for (kind, function) in [("r", reference), ("l", format!("({}) -> {called}", given.join(", ")))] {
            let _ = writeln!(
                out,
                "  static Object {kind}{at}({}) {{ {interface} f = {function}; return f.on({}); }}",
                params.join(", "),
                values.join(", ")
            );
        }
    }
    out + "}\n"
}

/// The outcome of a path in words, without places in the code.
fn told(path: &Path) -> String {
    let outcome = match &path.outcome {
        Outcome::Returned(Value::Scalar(scalar)) => format!("{scalar:?}"),
        Outcome::Returned(Value::Unknown(_)) => "unknown".to_owned(),
        Outcome::Returned(Value::Ref(id)) => {
            format!("{:?}", path.object(*id).map(|object| (&object.class, &object.kind, &object.parts)))
        }
        Outcome::Returned(_) => "a value".to_owned(),
        Outcome::Thrown(thrown) => format!("throws {:?}", thrown.class),
        Outcome::Cut(bound) => bound.describe().to_owned(),
    };
    format!("{outcome} {:?} {:?}", path.doubts, path.library_calls)
}

/// Number of tested members, number of those with a certain result, and members whose reference and lambda differ.
pub fn differences() -> (usize, usize, Vec<String>) {
    let all = asked();
    let project = Project::from_sources(&[("References.java", &source(&all))]);
    let resolver = Resolver::new(&project);
    let codes = Codes::new(&resolver);
    let class = project.by_fqn("References").unwrap();
    let method = |name: String| -> MemberId {
        project.members(class).find(|member| project.member(*member).name == name).unwrap()
    };
    let (mut found, mut certain) = (Vec::new(), 0);
    for (at, asked) in all.iter().enumerate() {
        let run = |kind: &str, rest: &Value| -> BTreeSet<String> {
            let first = match asked.member.is_static {
                true => rest.clone(),
                false if asked.fqn == "java.lang.String" => Value::Scalar(Scalar::text("ab")),
                false => {
                    let class = Type::Class(ClassRef::library(asked.fqn), Vec::new());
                    Value::unknown("what it is called on", class)
                }
            };
            let args: Vec<Value> =
                (0..asked.takes).map(|at| if at == 0 { first.clone() } else { rest.clone() }).collect();
            let bounds = Bounds { paths: 8, steps: 20_000, total_steps: 100_000, ..Bounds::default() };
            let cx = Context { codes: &codes, wiring: &NoBeans, bounds, follows: None };
            let method = method(format!("{kind}{at}"));
            explore(&cx, |machine| machine.invoke(method, None, args.clone())).paths.iter().map(told).collect()
        };
        let mut is_certain = false;
        for rest in [Value::Scalar(Scalar::text("1")), Value::Scalar(Scalar::Int(1)), Value::NULL] {
            let (reference, lambda) = (run("r", &rest), run("l", &rest));
            is_certain |= lambda.iter().all(|told| !told.starts_with("unknown") && told.contains(NO_DOUBT));
            if reference != lambda {
                let member = asked.member.written();
                found.push(format!(
                    "{}.{member} of {rest:?}\n  reference: {reference:?}\n  lambda:    {lambda:?}",
                    asked.fqn
                ));
            }
        }
        certain += usize::from(is_certain);
    }
    (all.len(), certain, found)
}
