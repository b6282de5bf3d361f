//! Chains of calls, by which builders are configured: a link that only one side has is told as a call that came or went, not
//! by the links after it.

use std::rc::Rc;

use super::called::{method_name, receivers};
use super::difference::{Difference, DifferenceKind, words};

use mastor_java::interpret::values::term::{Canon, Opaque, Origin};

/// Number of links from which on a value counts as a chain.
const CHAIN: usize = 3;

/// The first link that only one of two chains has, if one chain has all links of the other one, in the same order.
pub(super) fn link_of_one_side(before: &Canon, after: &Canon) -> Option<Difference> {
    let (was, is) = (links(before), links(after));
    let (longer, shorter, is_new) = if is.len() > was.len() { (&is, &was, true) } else { (&was, &is, false) };
    if longer.len() < CHAIN || longer.len() == shorter.len() || shorter.is_empty() {
        return None;
    }
    let mut rest = shorter.iter().peekable();
    let mut extra = Vec::new();
    for link in longer {
        match rest.peek() {
            Some(own) if are_alike(own, link) => _ = rest.next(),
            _ => extra.push(link),
        }
    }
    let link = extra.first().filter(|_| rest.peek().is_none())?;
    let given = link.operands.get(receivers(link)..).unwrap_or_default();
    let given: Vec<String> = given.iter().filter(|one| !one.is_mark()).map(words).collect();
    let call = format!("{}({})", method_name(link), given.join(", "));
    let (before, after) = if is_new { (String::new(), call) } else { (call, String::new()) };
    Some(Difference { of: DifferenceKind::Call, place: Vec::new(), before, after })
}

/// The calls of a chain, the first call first. A chain ends at a value that is no call with a receiver.
fn links(value: &Canon) -> Vec<Rc<Opaque>> {
    let mut found = Vec::new();
    let mut next = value.as_opaque().cloned();
    while let Some(call) = next.filter(|call| call.origin == Origin::Call && receivers(call) == 1) {
        next = call.operands.first().and_then(Canon::as_opaque).cloned();
        found.push(call);
    }
    found.reverse();
    found
}

/// Whether two links make the same call with the same arguments.
fn are_alike(one: &Opaque, other: &Opaque) -> bool {
    let given = |call: &'_ Opaque| -> Vec<Canon> {
        // When a call is made, among the others, follows from its place in the chain.
        call.operands.iter().skip(1).filter(|operand| !operand.is_mark()).cloned().collect()
    };
    one.callee == other.callee && given(one) == given(other)
}
