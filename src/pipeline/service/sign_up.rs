//! Sign-up: finds the operations of an API that create a user or log one in, by their paths and the fields that they
//! take.

use serde_json::{Map, Value, json};

use crate::pipeline::generate::made::make_all;
use crate::pipeline::service::service_path::service_path;
use mastor_extract::Analysis;
use mastor_java::ir::facts::MemberKind;
use mastor_java::project::index::Project;
use mastor_probe::auth::sign_up::{SignUps, UserRequest, kind_of};
use mastor_types::OpId;
use mastor_types::http::Method;
use mastor_types::suite::binds::written;
use mastor_types::suite::input::Body;
use mastor_types::suite::oracle::{Oracle, Strategy};
use mastor_types::suite::source_context::{Location, RequestParam};

/// Operations of each kind that are tried, at most.
const TRIED: usize = 4;
/// Operations that are asked whether they need a login, at most.
const GUARDED: usize = 20;

/// Last path segments of operations that create a user, the clearest first.
const MAKES: [&str; 12] = [
    "register",
    "registration",
    "signup",
    "createuser",
    "createaccount",
    "adduser",
    "join",
    "users",
    "user",
    "accounts",
    "members",
    "customers",
];

/// Last path segments of operations that log a user in.
const LETS_IN: [&str; 10] =
    ["login", "signin", "authenticate", "authentication", "auth", "token", "session", "sessions", "logon", "authorize"];

/// The operations that may create users and log them in, for the service at this URL.
pub fn sign_ups(analysis: &Analysis, base_url: &str) -> SignUps {
    let base = service_path(&analysis.surface, base_url);
    let makers = asks(analysis, &base, &MAKES);
    let logins = asks(analysis, &base, &LETS_IN);
    let is_plain = |op_id: &&OpId| op_id.method() == Method::Get && !op_id.path().contains('{');
    let reads = analysis.operations.iter().map(|operation| &operation.op_id).filter(is_plain).take(GUARDED);
    SignUps { makers, logins, reads: reads.map(|op_id| format!("{base}{}", op_id.path())).collect() }
}

/// The requests of operations whose path ends in one of these words and that take a password.
fn asks(analysis: &Analysis, base: &str, words: &[&str]) -> Vec<UserRequest> {
    let rank = |op_id: &OpId| {
        let last = op_id.path().rsplit('/').find(|segment| !segment.is_empty())?;
        let last: String = last.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
        words.iter().position(|word| last == *word || (last.starts_with(word) && word.len() > 5))
    };
    let posts = analysis
        .operations
        .iter()
        .map(|operation| &operation.op_id)
        .filter(|op_id| matches!(op_id.method(), Method::Post | Method::Put) && !op_id.path().contains('{'));
    let mut ranked: Vec<(usize, &OpId)> = posts.filter_map(|op_id| Some((rank(op_id)?, op_id))).collect();
    ranked.sort();
    let op_ids: Vec<OpId> = ranked.into_iter().map(|(_, op_id)| op_id.clone()).take(TRIED * 2).collect();
    let made = make_all(analysis, &op_ids, &|_| {});
    let found = made.into_iter().flatten().filter_map(|made| {
        let valid = made.suite.oracles.iter().find(|oracle| oracle.strategy == Strategy::Fv);
        ask(&analysis.surface.project, (&made.op_id, base), valid, &made.suite.context.request_params)
    });
    found.take(TRIED).collect()
}

/// The request of one operation; `None` where it takes no password.
fn ask(
    project: &Project,
    (op_id, base): (&OpId, &str),
    valid: Option<&Oracle>,
    params: &[RequestParam],
) -> Option<UserRequest> {
    let mut body = match valid.and_then(|oracle| oracle.input.body.as_ref()) {
        Some(Body::Json { json: json @ Value::Object(_) }) => json.clone(),
        _ => Value::Object(Map::new()),
    };
    let of = |location: Location| params.iter().filter(move |param| param.location == location);
    let mut is_form = false;
    for param in of(Location::Body).filter(|param| !param.name.is_empty() && !param.name.contains('[')) {
        if kind_of(&param.name).is_some() && body.pointer(&format!("/{}", param.name.replace('.', "/"))).is_none() {
            body = written(body, &param.name, Value::String(String::new()));
        }
    }
    // Fills in enum fields, mostly roles: a user without a role often has no rights.
    for param in of(Location::Body).filter(|param| !param.name.is_empty() && !param.name.contains('[')) {
        let place = format!("/{}", param.name.replace('.', "/"));
        let is_open = body.pointer(&place).is_none_or(|value| value.is_null() || *value == json!([null]));
        if let Some(role) = plainest(project, &param.ty).filter(|_| is_open) {
            let value = if param.ty.contains('<') { json!([role]) } else { json!(role) };
            body = written(body, &param.name, value);
        }
    }
    if body.as_object().is_some_and(Map::is_empty) {
        is_form = true;
        for param in of(Location::Form).chain(of(Location::Query)).filter(|param| kind_of(&param.name).is_some()) {
            body = written(body, &param.name, Value::String(String::new()));
        }
    }
    let ask = UserRequest { path: format!("{base}{}", op_id.path()), method: op_id.method(), body, is_form };
    ask.takes_a_password().then_some(ask)
}

/// The constant of a project enum, or of an enum in a list, with the fewest rights: one for plain users, else the
/// first.
fn plainest(project: &Project, ty: &str) -> Option<String> {
    let simple = ty.trim_end_matches('>').rsplit(['<', '.']).next()?;
    let [of] = project.by_simple(simple) else { return None };
    let constants = project.members(*of).map(|member| project.member(member));
    let names: Vec<&str> =
        constants.filter(|member| member.kind == MemberKind::EnumConstant).map(|member| &*member.name).collect();
    let plain = |name: &&&str| ["USER", "CLIENT", "MEMBER", "CUSTOMER"].iter().any(|word| name.contains(word));
    names.iter().find(plain).or(names.first()).map(|name| (*name).to_owned())
}
