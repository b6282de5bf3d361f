//! Given data of an oracle: the seeds of the tables that its request reads, each with a read request that shows whether
//! the row exists, and the initial state of the service.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use mastor_frameworks::Endpoint;
use mastor_frameworks::record::Serving;
use mastor_frameworks::seeds::Seed;
use mastor_java::ir::ids::MemberId;
use mastor_runtime::server::serve::Run;
use mastor_runtime::subject::Subject;
use mastor_types::suite::assertion::{Assertion, Check, FieldOp, StatusSet};
use mastor_types::suite::evidence::Evidence;
use mastor_types::suite::given::{Given, Read};
use mastor_types::suite::input::Input;
use mastor_types::suite::request::ANONYMOUS;
use mastor_types::{Method, OpId};

/// Maximum number of fields of a record that a read request checks.
const FIELDS: usize = 6;

/// The data that a request on these paths needs, with its evidence.
pub fn given(subject: &Subject<'_>, run: &Run) -> Vec<(Given, Evidence)> {
    let mut found: BTreeMap<&str, (Given, Evidence)> = BTreeMap::new();
    for effect in run.served.iter().flat_map(|served| &served.path.effects) {
        let repository = effect.split(|c: char| c == '.' || c.is_whitespace()).next().unwrap_or_default();
        let Some(seed) = subject.shared.seeds.of_repository(repository) else { continue };
        found.entry(&seed.table).or_insert_with(|| (seeded_row(subject, seed), seed.evidence.clone()));
    }
    let mut all: Vec<(Given, Evidence)> = found.into_values().collect();
    all.extend(lasting(subject, run));
    all
}

/// The request that shows a seeded record, if this operation shows one.
pub fn seeded(subject: &Subject<'_>) -> Option<Input> {
    subject.shared.seeds.all().find_map(|seed| read(subject.endpoint, seed)).map(|read| read.input)
}

/// Requirements on state that earlier requests may have changed.
fn lasting(subject: &Subject<'_>, run: &Run) -> Vec<(Given, Evidence)> {
    let all = run.served.iter().flat_map(|served| &served.path.store.lasting);
    let unset: BTreeSet<_> = run.served.iter().flat_map(|served| served.path.store.unset.clone()).collect();
    let fields: BTreeMap<_, _> = all.map(|one| (one.field, one.name.clone())).collect();
    let project = subject.project;
    let stated = |(member, what): (MemberId, String)| {
        let evidence = Evidence { symbol: project.symbol(member), tokens_sha256: project.member(member).tokens };
        (Given::state(what, evidence.id()), evidence)
    };
    let fields =
        fields.into_iter().map(|(field, name)| (field, format!("{name} as the service makes it when it starts")));
    let unset = unset.into_iter().map(|(name, member)| (member, format!("the environment does not set {name}")));
    let ran: BTreeSet<MemberId> = run.served.iter().flat_map(|served| served.path.members.iter().copied()).collect();
    let hosts = subject.endpoint.framework.serving == Serving::Exchange;
    let mains = ran.into_iter().filter(|member| {
        hosts && subject.shared.mains().contains(member) && !project.member(*member).params.is_empty()
    });
    let mains = mains.map(|main| (main, "the service is started without arguments".to_owned()));
    fields.chain(unset).chain(mains).map(stated).collect()
}

fn seeded_row(subject: &Subject<'_>, seed: &Seed) -> Given {
    let key = seed.row.first().map(|(column, value)| format!(" with {column} {value}")).unwrap_or_default();
    let row = format!("the record of {}{key} that {} inserts", seed.table, seed.evidence.symbol);
    Given::row(row, seed.evidence.id(), subject.endpoints.iter().find_map(|endpoint| read(endpoint, seed)))
}

/// The request with which an endpoint shows a record: a path with the table's name and one key.
fn read(endpoint: &Endpoint, seed: &Seed) -> Option<Read> {
    let (collection, last) = endpoint.path.rsplit_once('/')?;
    let name = last.strip_prefix('{')?.strip_suffix('}')?;
    let of_table = collection.rsplit('/').next().map(plain)?;
    let entity = plain(&seed.entity);
    let is_named = [plain(&seed.table), format!("{entity}s"), entity].contains(&of_table);
    if endpoint.method != Method::Get || collection.contains('{') || !is_named {
        return None;
    }
    let value = seed.row.iter().find(|(column, _)| plain(column) == plain(name)).map(|(_, value)| value)?;
    let key = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut assertions = vec![Assertion::derived(Check::Status { expected: StatusSet::One(200) })];
    assertions.extend(seed.row.iter().take(FIELDS).map(|(column, value)| equals(column, value)));
    Some(Read {
        op_id: OpId::new(endpoint.method, &endpoint.path),
        as_user: ANONYMOUS.to_owned(),
        input: Input { path: [(name.to_owned(), key)].into(), ..Input::default() },
        assertions,
    })
}

/// The assertion about the field of a column, such as `priceCents` for `price_cents`.
fn equals(column: &str, value: &Value) -> Assertion {
    let mut path = String::new();
    for (at, word) in column.split('_').filter(|word| !word.is_empty()).enumerate() {
        let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        path += &if at == 0 { first.to_owned() } else { first.to_uppercase() };
        path += rest;
    }
    Assertion::derived(Check::Field { path, op: FieldOp::Equals, expected: Some(value.clone()) })
}

fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
