//! Parses associations and proposed sequences: operations must exist, values must flow from a capture to a bind, and
//! citations must name known facts.

use std::collections::{BTreeMap, BTreeSet};

use super::read_oracles::{Maker, assertions, citations, input, of_request, origin, user};
use super::replies::{Associations, Group, ProposedSequence, ProposedStep};
use super::text::{sentence, test_id};
use mastor_types::OpId;
use mastor_types::suite::binds::captured;
use mastor_types::suite::evidence::Evidence;
use mastor_types::suite::oracle::{Confirmation, Effect};
use mastor_types::suite::sequence::{Pattern, Sequence, Step};
use mastor_types::suite::source_context::SourceContext;

/// Maximum number of operations in an association.
const MOST_STEPS: usize = 8;
/// Maximum number of associations in a service.
const MOST_GROUPS: usize = 200;

/// An association between operations of the service.
#[derive(Debug, Clone, PartialEq)]
pub struct Association {
    /// Its pattern.
    pub pattern: Pattern,
    /// The operations in the order in which they run, possibly with repetition.
    pub operations: Vec<OpId>,
    /// Why they belong together and how values flow, in words.
    pub reason: String,
    /// The value flows as text, for the next agent's prompt.
    pub flows: Vec<String>,
}

/// The associations in a reply that name existing operations, and the reasons for the dropped ones.
pub fn associations(
    reply: Associations,
    known: &BTreeSet<OpId>,
    touched: &BTreeSet<OpId>,
) -> (Vec<Association>, Vec<&'static str>) {
    let (mut out, mut left): (Vec<Association>, Vec<&'static str>) = Default::default();
    for group in reply.groups.into_iter().take(MOST_GROUPS) {
        match association(group, known, touched) {
            Ok(one) if out.iter().any(|other| other.operations == one.operations) => {
                left.push("the same operations again")
            }
            Ok(one) => out.push(one),
            Err(why) => left.push(why),
        }
    }
    (out, left)
}

fn association(group: Group, known: &BTreeSet<OpId>, touched: &BTreeSet<OpId>) -> Result<Association, &'static str> {
    let pattern = pattern(&group.pattern).ok_or("names no pattern")?;
    let operations: Option<Vec<OpId>> =
        group.operations.iter().map(|name| OpId::parse(name.trim()).filter(|op_id| known.contains(op_id))).collect();
    let operations = operations.ok_or("names an operation that there is none of")?;
    if operations.len() < 2 || operations.len() > MOST_STEPS {
        return Err("joins fewer than two operations, or too many");
    }
    if !operations.iter().any(|op_id| touched.contains(op_id)) {
        return Err("touches no operation at hand");
    }
    let flow = |flow: &super::replies::Flow| {
        let ends = flow.from_step < flow.to_step && flow.to_step < operations.len();
        ends.then(|| {
            format!(
                "step {} {} → step {} {}",
                flow.from_step,
                sentence(&flow.capture),
                flow.to_step,
                sentence(&flow.bind)
            )
        })
    };
    let flows = group.flows.iter().filter_map(flow).collect();
    Ok(Association { pattern, reason: sentence(&group.reason), flows, operations })
}

fn pattern(text: &str) -> Option<Pattern> {
    let text = text.trim().to_ascii_lowercase().replace([' ', '-'], "_");
    Some(match text.as_str() {
        "resource_lifecycle" => Pattern::ResourceLifecycle,
        "identifier_flow" => Pattern::IdentifierFlow,
        "field_data_passing" | "field_level_data_passing" => Pattern::FieldDataPassing,
        "nested_resource" | "nested_resource_dependency" => Pattern::NestedResource,
        "state_propagation" => Pattern::StatePropagation,
        _ => return None,
    })
}

/// What is known about the operations of a group.
pub struct Scene<'a> {
    /// The association.
    pub group: &'a Association,
    /// Source contexts of its operations.
    pub contexts: BTreeMap<&'a OpId, &'a SourceContext>,
    /// Whether a request of an operation may change state.
    pub effects: BTreeMap<&'a OpId, Effect>,
    /// Users that requests may be sent as.
    pub users: &'a [String],
}

/// The sequence and its citations for a proposal of a model.
///
/// # Errors
/// The reason why it is dropped.
pub fn sequence(
    scene: &Scene<'_>,
    proposed: &ProposedSequence,
    maker: &Maker<'_>,
) -> Result<(Sequence, Vec<Evidence>), &'static str> {
    if proposed.steps.len() < 2 || proposed.steps.len() > MOST_STEPS {
        return Err("fewer than two steps, or too many");
    }
    let mut steps = Vec::new();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for proposed in &proposed.steps {
        let step = step(scene, proposed, &taken)?;
        taken.extend(step.captures.keys().cloned());
        steps.push(step);
    }
    let used: BTreeSet<&str> = steps.iter().flat_map(used).collect();
    if taken.iter().any(|name| !used.contains(name.as_str())) {
        return Err("takes a value that no later step uses");
    }
    let mut found = Vec::new();
    for text in &proposed.evidence {
        let mut of_any = scene.contexts.values().filter_map(|context| {
            citations(std::slice::from_ref(text), &crate::brief::Bundle::default(), context).ok()
        });
        found.extend(of_any.next().ok_or("cites a fact that was not given")?);
    }
    if found.is_empty() {
        return Err("cites no code");
    }
    let writes = steps.iter().any(|step| scene.effects.get(&step.op_id) != Some(&Effect::Reads));
    let sequence = Sequence {
        s_id: Sequence::identity(&steps),
        test_id: test_id(&proposed.test_id, "seq"),
        description: sentence(&proposed.description),
        pattern: scene.group.pattern,
        effect: if writes { Effect::Writes } else { Effect::Reads },
        given: Vec::new(),
        assumes: Vec::new(),
        steps,
        evidence: found.iter().map(Evidence::id).collect::<BTreeSet<_>>().into_iter().collect(),
        origin: origin(maker),
        confirmation: Confirmation::none(),
    };
    Ok((sequence, found))
}

/// Names of the captures that a step uses.
fn used(step: &Step) -> Vec<&str> {
    let mut out: Vec<&str> = step.binds.values().filter_map(|bind| captured(bind)).collect();
    for assertion in &step.assertions {
        use mastor_types::suite::assertion::Check::{Field, Header};
        if let Field { expected: Some(value), .. } | Header { expected: Some(value), .. } = &assertion.check {
            out.extend(value.as_str().and_then(captured));
        }
    }
    out
}

fn step(scene: &Scene<'_>, proposed: &ProposedStep, taken: &BTreeSet<String>) -> Result<Step, &'static str> {
    let op_id = OpId::parse(proposed.op_id.trim()).ok_or("names an operation that there is none of")?;
    if !scene.group.operations.contains(&op_id) {
        return Err("names an operation outside its group");
    }
    let mut input = input(&op_id, &proposed.input)?;
    let name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    for (capture, from) in &proposed.captures {
        if !name(capture) || !(from.starts_with("body:") || from.starts_with("header:")) {
            return Err("a capture that cannot be taken");
        }
    }
    for (place, value) in &proposed.binds {
        let (part, rest) = place.split_once('.').ok_or("a bind that leads nowhere")?;
        if rest.is_empty() || !matches!(part, "path" | "query" | "header" | "cookie" | "form" | "body") {
            return Err("a bind that leads nowhere");
        }
        if !captured(value).is_some_and(|name| taken.contains(name)) {
            return Err("binds a value that no earlier step takes");
        }
        if part == "path" {
            // The template must be complete, so a bound path parameter gets a value too.
            input.path.entry(rest.to_owned()).or_insert_with(|| "1".to_owned());
        }
    }
    let template = |text: &str| op_id.path().contains(&format!("{{{text}"));
    input.path.retain(|name, _| template(name));
    if op_id.parameters().any(|name| !input.path.contains_key(name.trim_start_matches(['*', '+']))) {
        return Err("a path parameter has no value");
    }
    let mut assertions = assertions(&proposed.assertions)?;
    of_request(&mut assertions, &input, &proposed.binds)?;
    if !assertions
        .iter()
        .any(|assertion| matches!(assertion.check, mastor_types::suite::assertion::Check::Status { .. }))
    {
        return Err("a step asserts no status");
    }
    let as_user = user(proposed.as_user.as_deref(), scene.users)?;
    let (captures, binds) = (proposed.captures.clone(), proposed.binds.clone());
    Ok(Step { op_id, as_user, input, captures, binds, assertions })
}
