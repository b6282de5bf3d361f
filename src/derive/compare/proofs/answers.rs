//! Compares the ends of two paths: their answers, or the exceptions that end them.

use std::rc::Rc;

use crate::compare::paths::difference::{self, Comparison, Difference, DifferenceKind};
use crate::compare::paths::parts::{self, Assignments};
use mastor_java::interpret::values::term::Canon;
use mastor_runtime::server::opaquely::{ANY_EXCEPTION, ComparablePath};

/// Compares the ends of two paths, at the level that is known on both: the answer, else the exception.
pub(super) fn answers(before: &ComparablePath, after: &ComparablePath, on: &mut Assignments<'_>) -> Comparison {
    if let (Some(was), Some(is)) = (before.status, after.status)
        && was != is
    {
        return match on.any() {
            true => Comparison::Differs(Difference {
                of: DifferenceKind::Status,
                place: Vec::new(),
                before: was.to_string(),
                after: is.to_string(),
            }),
            false => Comparison::Open(format!("no values were found on which it answers {is} where it answered {was}")),
        };
    }
    match (&before.given, &after.given, &before.thrown, &after.thrown) {
        (Some(was), Some(is), _, _) => parts::compare(was, is, on),
        (None, None, Some((was, _)), Some((is, _)))
            if was != is && [was, is].iter().any(|one| &***one == ANY_EXCEPTION) =>
        {
            Comparison::Open("which exception is thrown is not known".to_owned())
        }
        (None, None, Some((was, old)), Some((is, new))) => {
            let classes = |name: &Rc<str>| Canon::Named(name.clone());
            match parts::compare(&classes(was), &classes(is), on) {
                Comparison::Alike => match parts::compare(old, new, on) {
                    Comparison::Differs(difference) => Comparison::Differs(Difference {
                        of: DifferenceKind::Thrown(Rc::from(simple(is))),
                        ..difference
                    }),
                    told => told,
                },
                Comparison::Differs(_) => {
                    let (short_was, short_is) = (simple(was), simple(is));
                    let (was, is) = if short_was == short_is { (&**was, &**is) } else { (short_was, short_is) };
                    ends(format!("throws {was}"), format!("throws {is}"))
                }
                told => told,
            }
        }
        (None, None, None, None) => Comparison::Open("what is answered is not known".to_owned()),
        (None, Some(is), Some((was, _)), None) if on.any() => {
            ends(format!("throws {}", simple(was)), difference::words(is))
        }
        (Some(was), None, None, Some((is, _))) if on.any() => {
            ends(difference::words(was), format!("throws {}", simple(is)))
        }
        _ => Comparison::Open("what is answered is not known".to_owned()),
    }
}

/// The name of a class without its package.
fn simple(class: &str) -> &str {
    class.rsplit(['.', '$']).next().unwrap_or(class)
}

fn ends(before: String, after: String) -> Comparison {
    Comparison::Differs(Difference { of: DifferenceKind::Given, place: Vec::new(), before, after })
}
