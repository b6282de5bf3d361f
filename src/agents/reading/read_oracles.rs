//! Parses proposed oracles. Each must have a sendable request, valid assertions and existing citations; otherwise it is
//! dropped with a reason.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::replies::{Claim, Gift, Proposed, Request};
use super::text::{line, sentence, test_id};
use crate::brief::{Brief, Bundle};
use mastor_java::interpret::library::text::matching::regex_read::compile;
use mastor_llm::redact::PLACEHOLDER;
use mastor_types::OpId;
use mastor_types::suite::assertion::{Assertion, BodyOp, Check, FieldOp, StatusSet};
use mastor_types::suite::assumption::Assumption;
use mastor_types::suite::evidence::{Evidence, EvidenceId};
use mastor_types::suite::given::{Given, GivenValue, Gives, Stub};
use mastor_types::suite::input::{Body, Input};
use mastor_types::suite::oracle::{Candidate, Challenger, Confirmation, Engine, Oracle, Origin, Strategy};
use mastor_types::suite::path::{at, problem};
use mastor_types::suite::source_context::SourceContext;

/// Maximum size of a request's part in bytes.
const LARGEST: usize = 100_000;
/// Maximum number of assertions kept for one oracle.
const MOST_ASSERTIONS: usize = 60;
/// Maximum number of values that the stubs of one oracle give.
const MOST_GIVEN: usize = 20;

/// The maker of a reply.
#[derive(Debug, Clone)]
pub struct Maker<'a> {
    /// The model.
    pub model: &'a str,
    /// The challenger's verdict so far.
    pub challenger: Challenger,
}

/// The candidate for a proposal of a model.
///
/// # Errors
/// The reason why it is dropped.
pub fn candidate(
    brief: &Brief,
    (bundle, context): (&Bundle, &SourceContext),
    proposed: &Proposed,
    maker: &Maker<'_>,
) -> Result<Candidate, &'static str> {
    let filled = proposed.fills.as_deref().map(|name| derived(brief, name)).transpose()?;
    let (strategy, as_user, input) = match filled {
        Some(known) => (known.strategy, known.as_user.clone(), known.input.clone()),
        None => (
            strategy(&proposed.strategy).ok_or("names no strategy")?,
            user(proposed.as_user.as_deref(), &brief.users)?,
            input(&brief.op_id, &proposed.input)?,
        ),
    };
    let mut assertions = assertions(&proposed.assertions)?;
    let has_status = |all: &[Assertion]| all.iter().any(|one| matches!(one.check, Check::Status { .. }));
    if let Some(known) = filled.filter(|_| !has_status(&assertions)) {
        let status = known.assertions.iter().filter(|one| has_status(std::slice::from_ref(*one)));
        assertions.splice(..0, status.cloned());
    }
    of_request(&mut assertions, &input, &BTreeMap::new())?;
    let citations = citations(&proposed.evidence, bundle, context)?;
    let first = citations.first().map(Evidence::id).ok_or("cites no code")?;
    let given = match filled {
        // Without slices nothing gives what a stub would: the request is sent as it is.
        Some(known) => {
            let is_there = |given: &&Given| !brief.calls.is_empty() || given.is_from_start();
            known.given.iter().filter(is_there).cloned().collect()
        }
        None => given(&proposed.given, &brief.calls, &first)?,
    };
    let assumes = proposed.assumes.iter().take(8).map(|what| sentence(what)).filter(|what| !what.is_empty());
    let assumes = assumes.map(|what| Assumption::of(what, first.clone())).collect();
    let oracle = Oracle {
        o_id: Oracle::identity_given(&brief.op_id, &as_user, &input, &given),
        op_id: brief.op_id.clone(),
        test_id: test_id(&proposed.test_id, strategy.as_str()),
        description: sentence(&proposed.description),
        strategy,
        as_user,
        input,
        assertions,
        events: Vec::new(),
        effect: brief.effect,
        given,
        assumes,
        evidence: citations.iter().map(Evidence::id).collect(),
        rationale: sentence(&proposed.rationale),
        origin: origin(maker),
        confirmation: Confirmation::none(),
    };
    Ok(Candidate { oracle, citations })
}

/// The derived oracle with this name.
///
/// # Errors
/// Where there is none.
fn derived<'b>(brief: &'b Brief, name: &str) -> Result<&'b Oracle, &'static str> {
    let all = brief.derived.iter().flat_map(|derived| derived.oracles.iter().chain(&derived.open));
    let mut named = all.filter(|oracle| oracle.test_id == name.trim());
    named.next().ok_or("fills an oracle that there is none of")
}

/// What calls give, one stub for each call.
///
/// # Errors
/// Where a call is not listed, or a value is none.
fn given(gifts: &[Gift], calls: &BTreeSet<String>, evidence: &EvidenceId) -> Result<Vec<Given>, &'static str> {
    let mut by_call: BTreeMap<&str, Vec<Gives>> = BTreeMap::new();
    for gift in gifts.iter().take(MOST_GIVEN) {
        let call = calls.get(gift.call.trim()).ok_or("gives for a call that was not listed")?;
        let value =
            serde_json::from_value::<GivenValue>(gift.value.clone()).map_err(|_| "gives a value that is none")?;
        by_call.entry(call).or_default().push(Gives { call: call.clone(), at: line(&gift.at), value });
    }
    let stubs = by_call.into_iter().map(|(call, gives)| Stub::giving(call, gives));
    Ok(stubs.map(|stub| Given::stub(stub, evidence.clone())).collect())
}

/// The origin of a candidate made by an agent.
pub fn origin(maker: &Maker<'_>) -> Origin {
    Origin { engine: Engine::Agents, model: Some(maker.model.to_owned()), challenger: maker.challenger }
}

fn strategy(text: &str) -> Option<Strategy> {
    let text = text.trim().to_ascii_lowercase();
    Strategy::ALL.into_iter().find(|one| one.as_str() == text)
}

/// The user of the request.
///
/// # Errors
/// Where no such user exists.
pub fn user(name: Option<&str>, users: &[String]) -> Result<String, &'static str> {
    match name.map(str::trim) {
        None | Some("" | "anonymous") => Ok("anonymous".to_owned()),
        Some(name) if users.iter().any(|user| user == name) => Ok(name.to_owned()),
        Some(_) => Err("asks as a user that there is none of"),
    }
}

/// The cited evidence, without repetition.
///
/// # Errors
/// Where a citation names nothing that was sent.
pub fn citations(cited: &[String], bundle: &Bundle, context: &SourceContext) -> Result<Vec<Evidence>, &'static str> {
    let mut out: Vec<Evidence> = Vec::new();
    for text in cited.iter().take(20) {
        let text = text.trim();
        let of_context = || context.evidence.iter().find(|(id, _)| id.as_str() == text).map(|(_, evidence)| evidence);
        let evidence = bundle.cite(text).or_else(|| bundle.by_id(text)).or_else(of_context);
        let evidence = evidence.ok_or(match bundle.shown(text).is_some() {
            true => "cites a line that does not decide this operation",
            false => "cites a line that was not sent",
        })?;
        if !out.contains(evidence) {
            out.push(evidence.clone());
        }
    }
    Ok(out)
}

/// The request.
///
/// # Errors
/// Why it cannot be sent.
pub fn input(op_id: &OpId, request: &Request) -> Result<Input, &'static str> {
    let mut request = request.clone();
    let values = request.path.iter_mut().flat_map(BTreeMap::values_mut);
    let parts = [&mut request.query, &mut request.headers, &mut request.cookies, &mut request.body];
    values.chain(parts.into_iter().flatten()).for_each(write_out);
    let mut path = BTreeMap::new();
    for (name, value) in request.path.iter().flatten() {
        path.insert(name.clone(), scalar(value).ok_or("a path value that is no text")?);
    }
    let query = pairs(request.query.as_ref()).ok_or("query parameters that are no pairs")?;
    let headers = pairs(request.headers.as_ref()).ok_or("headers that are no pairs")?;
    let cookies = pairs(request.cookies.as_ref()).ok_or("cookies that are no pairs")?;
    let plain = |text: &str| text.chars().all(|c| !c.is_control() && c.is_ascii());
    let token = |name: &str| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c))
    };
    let reserved = ["host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer"];
    for (name, value) in &headers {
        if !token(name) || !plain(value) {
            return Err("a header that cannot be sent");
        }
        if reserved.contains(&name.to_ascii_lowercase().as_str()) {
            return Err("a header that the connection decides");
        }
    }
    if cookies.iter().any(|(name, value)| !token(name) || !plain(value) || value.contains([';', ','])) {
        return Err("a cookie that cannot be sent");
    }
    let body = request.body.as_ref().filter(|body| !body.is_null()).map(body).transpose()?;
    // A redacted value is unknown, so a request must not contain its placeholder.
    if serde_json::to_string(&(&path, &query, &headers, &cookies, &body)).is_ok_and(|all| all.contains(PLACEHOLDER)) {
        return Err("asks with a value that was never sent");
    }
    let size = serde_json::to_vec(&body).map_or(0, |bytes| bytes.len())
        + path.values().map(String::len).sum::<usize>()
        + query.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>();
    if size > LARGEST {
        return Err("a request that is too large");
    }
    if op_id.method().as_str() == "TRACE" {
        return Err("a method that is not sent");
    }
    Ok(Input { path, query, headers, cookies, body })
}

/// Writes out texts that are given as a part and how often it stands there: `{"repeat": "a", "times": 255}`.
fn write_out(value: &mut Value) {
    match value {
        Value::Object(members) => {
            let part = members.get("repeat").and_then(Value::as_str).filter(|_| members.len() == 2);
            let times = members.get("times").and_then(Value::as_u64).and_then(|times| usize::try_from(times).ok());
            if let (Some(part), Some(times)) = (part, times) {
                *value = Value::from(part.repeat(times.min(LARGEST / part.len().max(1) + 1)));
            } else {
                members.values_mut().for_each(write_out);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(write_out),
        _ => {}
    }
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// Reads pairs from an object or a list of pairs; a list as a value repeats the name.
fn pairs(value: Option<&Value>) -> Option<Vec<(String, String)>> {
    let mut out = Vec::new();
    match value {
        None | Some(Value::Null) => {}
        Some(Value::Object(object)) => {
            for (name, value) in object {
                match value {
                    Value::Null => {}
                    Value::Array(items) => {
                        for item in items {
                            out.push((name.clone(), scalar(item)?));
                        }
                    }
                    value => out.push((name.clone(), scalar(value)?)),
                }
            }
        }
        Some(Value::Array(items)) => {
            for item in items {
                match item.as_array().map(Vec::as_slice) {
                    Some([name, value]) => out.push((scalar(name)?, scalar(value)?)),
                    _ => {
                        let (name, value) = (item.get("name")?, item.get("value")?);
                        out.push((scalar(name)?, scalar(value)?));
                    }
                }
            }
        }
        Some(_) => return None,
    }
    Some(out)
}

/// Reads a body in the format of the suite or as plain JSON.
fn body(value: &Value) -> Result<Body, &'static str> {
    let known = |object: &serde_json::Map<String, Value>| {
        let keys: Vec<&str> = object.keys().map(String::as_str).collect();
        matches!(
            keys.as_slice(),
            ["json" | "form" | "multipart"] | ["text" | "base64", "media_type"] | ["media_type", "text" | "base64"]
        )
    };
    match value {
        Value::Object(object) if known(object) => {
            serde_json::from_value(value.clone()).map_err(|_| "a body that is none")
        }
        _ => Ok(Body::Json { json: value.clone() }),
    }
}

/// The assertions.
///
/// # Errors
/// Where one is invalid.
pub fn assertions(claims: &[Claim]) -> Result<Vec<Assertion>, &'static str> {
    let mut out: Vec<Assertion> = Vec::new();
    for claim in claims.iter().take(MOST_ASSERTIONS) {
        let assertion = Assertion::derived(check(claim)?);
        if !out.contains(&assertion) {
            out.push(assertion);
        }
    }
    Ok(out)
}

/// Replaces operands that refer to the request (`$request.path.id`, `$request.body.name`) by what is sent there: its value, or
/// the capture that is bound to it.
///
/// # Errors
/// Where the request has no such part.
pub fn of_request(
    assertions: &mut [Assertion],
    input: &Input,
    binds: &BTreeMap<String, String>,
) -> Result<(), &'static str> {
    for assertion in assertions {
        if let Check::Field { expected: Some(value), .. } | Check::Header { expected: Some(value), .. } =
            &mut assertion.check
        {
            resolve(value, input, binds)?;
        }
    }
    Ok(())
}

fn resolve(value: &mut Value, input: &Input, binds: &BTreeMap<String, String>) -> Result<(), &'static str> {
    match value {
        Value::String(text) => {
            if let Some(place) = text.strip_prefix("$request.") {
                let bound = binds.get(place).map(|bind| Value::from(bind.as_str()));
                *value =
                    bound.or_else(|| part(input, place)).ok_or("refers to a part of the request that is not there")?;
            }
            Ok(())
        }
        Value::Array(items) => items.iter_mut().try_for_each(|item| resolve(item, input, binds)),
        Value::Object(object) => object.values_mut().try_for_each(|item| resolve(item, input, binds)),
        _ => Ok(()),
    }
}

/// What stands at a part of the request, such as `path.id` or `body.name`.
fn part(input: &Input, place: &str) -> Option<Value> {
    let (kind, name) = place.split_once('.')?;
    let of = |pairs: &[(String, String)]| {
        pairs.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| Value::from(value.as_str()))
    };
    match (kind, &input.body) {
        ("path", _) => input.path.get(name).map(|value| Value::from(value.as_str())),
        ("query", _) => of(&input.query),
        ("header", _) => of(&input.headers),
        ("cookie", _) => of(&input.cookies),
        ("form", Some(Body::Form { form })) => of(form),
        ("body", Some(Body::Json { json })) => at(json, name).cloned(),
        _ => None,
    }
}

fn check(claim: &Claim) -> Result<Check, &'static str> {
    match claim.kind.as_str() {
        "status" => Ok(Check::Status { expected: status(claim.expected.as_ref()).ok_or("a status that is none")? }),
        "field" => {
            let (op, expected) = operator(claim)?;
            let path = claim.path.clone().unwrap_or_default();
            let path = path.strip_prefix("$.").or_else(|| path.strip_prefix('$')).unwrap_or(&path).to_owned();
            if problem(&path).is_some() {
                return Err("a path that is none");
            }
            Ok(Check::Field { path, op, expected })
        }
        "header" => {
            let name = claim.name.clone().or_else(|| claim.path.clone()).filter(|name| !name.is_empty());
            let (op, expected) = operator(claim)?;
            Ok(Check::Header { name: name.ok_or("a header without a name")?, op, expected })
        }
        "body" => {
            let op = match claim.op.as_deref().unwrap_or_default() {
                "empty" => BodyOp::Empty,
                "not_empty" => BodyOp::NotEmpty,
                "media_type" => BodyOp::MediaType,
                _ => return Err("an operator that there is none of"),
            };
            let expected = claim.expected.as_ref().and_then(Value::as_str).map(str::to_owned);
            if op == BodyOp::MediaType && expected.is_none() {
                return Err("an operator without its operand");
            }
            Ok(Check::Body { op, expected: expected.filter(|_| op == BodyOp::MediaType) })
        }
        _ => Err("an assertion of no known kind"),
    }
}

fn status(expected: Option<&Value>) -> Option<StatusSet> {
    let code = |value: &Value| {
        let code = value.as_u64().or_else(|| value.as_str()?.trim().parse().ok())?;
        u16::try_from(code).ok().filter(|code| (100..600).contains(code))
    };
    match expected? {
        Value::Array(items) => {
            let codes: Option<Vec<u16>> = items.iter().map(code).collect();
            codes.filter(|codes| !codes.is_empty()).map(StatusSet::Many)
        }
        value => code(value).map(StatusSet::One),
    }
}

fn operator(claim: &Claim) -> Result<(FieldOp, Option<Value>), &'static str> {
    use FieldOp::{
        Absent, Contains, ContainsNot, Equals, Gt, Gte, IsNull, Keys, Length, Lt, Lte, Matches, Near, NotNull, OneOf,
        SameItems, Sorted, Type,
    };
    let name = claim.op.as_deref().unwrap_or("equals");
    let op = serde_json::from_value::<FieldOp>(Value::from(name)).map_err(|_| "an operator that there is none of")?;
    let wrong = Err("an operator with an operand that does not fit");
    let Some(expected) = claim.expected.as_ref().filter(|value| !value.is_null()) else {
        return match op {
            NotNull | IsNull | Absent => Ok((op, None)),
            Equals => Ok((IsNull, None)),
            _ => Err("an operator without its operand"),
        };
    };
    match op {
        NotNull | IsNull | Absent => Ok((op, None)),
        Gte | Lte | Gt | Lt if !expected.is_number() && !expected.is_string() => wrong,
        Near if !["value", "within"].iter().all(|part| expected.get(part).is_some_and(Value::is_number)) => wrong,
        Sorted => match expected.as_str().map(str::to_ascii_lowercase).as_deref() {
            Some("ascending" | "asc") => Ok((op, Some(Value::from("ascending")))),
            Some("descending" | "desc") => Ok((op, Some(Value::from("descending")))),
            _ => wrong,
        },
        Length if !expected.is_u64() => wrong,
        OneOf | SameItems if !expected.is_array() => wrong,
        Keys if !expected.as_array().is_some_and(|keys| keys.iter().all(Value::is_string)) => wrong,
        Type => match expected.as_str().and_then(json_type) {
            Some(ty) => Ok((op, Some(Value::from(ty)))),
            None => wrong,
        },
        Matches => match expected.as_str() {
            Some(regex) if regex.len() < 2000 && compile(regex, 0).is_ok() => Ok((op, Some(expected.clone()))),
            _ => wrong,
        },
        Equals | Contains | ContainsNot | Gte | Lte | Gt | Lt | Near | Length | OneOf | SameItems | Keys => {
            Ok((op, Some(expected.clone())))
        }
    }
}

/// The JSON type for a JSON or Java type name.
fn json_type(name: &str) -> Option<&'static str> {
    let plain = name.split('<').next().unwrap_or(name).to_ascii_lowercase();
    Some(match plain.as_str() {
        "string" | "str" => "string",
        "integer" | "int" | "long" | "short" => "integer",
        "number" | "double" | "float" | "bigdecimal" => "number",
        "boolean" | "bool" => "boolean",
        "array" | "list" | "set" => "array",
        "object" | "map" => "object",
        "null" => "null",
        _ => return None,
    })
}
