//! Matching: pairs the operations of the document with the endpoints of the code, each with how it was matched or why
//! it was not.

use std::collections::{BTreeMap, BTreeSet};

use mastor_frameworks::endpoint::Returns;
use mastor_frameworks::{Build, Endpoint, Location, Properties, contract_first, paths, provided};
use mastor_java::project::index::Project;
use mastor_java::project::languages::counted;
use mastor_openapi::{Document, Operation};
use mastor_types::results::report::MatchStatus;
use mastor_types::{Method, OpId};

/// One operation with the endpoints that serve it.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// Name of the operation.
    pub op_id: OpId,
    /// How document and code agree on the operation.
    pub status: MatchStatus,
    /// Index of the operation in the document.
    pub operation: Option<usize>,
    /// Indices of its endpoints, the entry first; more than one if several serve it (overloads, media types).
    pub endpoints: Vec<usize>,
    /// How the match was found.
    pub matched_by: Option<String>,
    /// Why there is no entry.
    pub reason: Option<String>,
}

/// Input of matching.
pub struct Sides<'a> {
    /// The document, if there is one.
    pub document: Option<&'a Document>,
    /// All endpoints.
    pub endpoints: &'a [Endpoint],
    /// The Java project, for the names of entries.
    pub project: &'a Project,
    /// Build files.
    pub build: &'a Build,
    /// Application properties.
    pub properties: &'a Properties,
}

/// Matches every operation, and creates operations for routes that the document does not contain. Documented operations
/// come first, in the document's order.
pub fn matches(sides: &Sides<'_>) -> Vec<Match> {
    let mut all = Vec::new();
    let mut used = BTreeSet::new();
    if let Some(document) = sides.document {
        let index = Index::new(sides);
        let offset = index.common_offset(document);
        for (at, operation) in document.operations.iter().enumerate() {
            let found = index.find(document, operation, offset.as_deref());
            if let Some((endpoints, _)) = &found {
                used.extend(endpoints.iter().copied());
            }
            all.push((at, operation, found));
        }
    }
    let mut matches = Vec::new();
    if let Some(document) = sides.document {
        let by_name = by_operation_id(sides, &all, &used);
        for (at, operation, found) in all {
            let found = found.or_else(|| by_name.get(&at).cloned());
            used.extend(found.iter().flat_map(|(endpoints, _)| endpoints.iter().copied()));
            matches.push(documented(sides, document, at, operation, found));
        }
    }
    matches.extend(undocumented(sides, &matches, &used));
    matches
}

fn documented(
    sides: &Sides<'_>,
    document: &Document,
    at: usize,
    operation: &Operation,
    found: Option<(Vec<usize>, String)>,
) -> Match {
    let op_id = OpId::new(operation.method, &operation.path);
    if let Some((endpoints, by)) = found {
        return Match {
            op_id,
            status: MatchStatus::Matched,
            operation: Some(at),
            endpoints,
            matched_by: Some(by),
            reason: None,
        };
    }
    let path = plain(&operation.path);
    let bases = bases(document, operation);
    let full = bases.iter().map(|base| paths::join(base, &path));
    let provided = std::iter::once(path.clone())
        .chain(full)
        .find_map(|path| provided::reason(sides.build, sides.properties, operation.method, &path, &operation.tags));
    let (status, reason) = match provided {
        Some(reason) => (MatchStatus::Framework, reason),
        None => (MatchStatus::Unmatched, why_not(sides, document, operation)),
    };
    Match { op_id, status, operation: Some(at), endpoints: Vec::new(), matched_by: None, reason: Some(reason) }
}

/// Why an operation has no entry, with the nearest route.
fn why_not(sides: &Sides<'_>, document: &Document, operation: &Operation) -> String {
    if let Some(generator) = sides.build.generators().find(|generator| generator.document == document.path) {
        let (interfaces, method) = contract_first::names::expected(generator, operation);
        return format!(
            "no type implements {} with `{method}`, which {} generates",
            interfaces.join(" or "),
            generator.build_file
        );
    }
    let unread = counted(sides.project.opaque());
    if sides.endpoints.is_empty() {
        return match unread {
            Some(files) => format!("no route was found in the Java source, and {files} are not read"),
            None => "no route was found in the source".to_owned(),
        };
    }
    let key = paths::key(&operation.path);
    let same: BTreeSet<Method> = sides
        .endpoints
        .iter()
        .filter(|endpoint| paths::key(&endpoint.path) == key || endpoint.full_path() == key)
        .map(|endpoint| endpoint.method)
        .collect();
    if !same.is_empty() {
        let methods: Vec<&str> = same.iter().map(|method| method.as_str()).collect();
        return format!("the path is served for {} only", methods.join(", "));
    }
    let nearest = sides
        .endpoints
        .iter()
        .filter(|endpoint| endpoint.method == operation.method)
        .min_by_key(|endpoint| strsim::osa_distance(&paths::key(&endpoint.path), &key))
        .filter(|endpoint| strsim::osa_distance(&paths::key(&endpoint.path), &key) * 3 <= key.chars().count());
    let unread = unread.map(|files| format!(", and {files} are not read")).unwrap_or_default();
    match nearest {
        Some(near) => {
            format!("no route in the source has this path{unread}; the nearest is {} {}", near.method, near.path)
        }
        None => format!("no route in the source has this path{unread}"),
    }
}

/// The document's path without the query or fragment that some documents write.
fn plain(path: &str) -> String {
    path.split(['?', '#']).next().unwrap_or(path).to_owned()
}

fn bases(document: &Document, operation: &Operation) -> Vec<String> {
    let bases = operation.base_paths.as_ref().unwrap_or(&document.base_paths);
    bases.iter().map(|base| paths::prefix(base)).collect()
}

/// Endpoints by method and path.
struct Index<'a> {
    sides: &'a Sides<'a>,
    by_path: BTreeMap<(Method, String), Vec<usize>>,
    by_full: BTreeMap<(Method, String), Vec<usize>>,
}

impl<'a> Index<'a> {
    fn new(sides: &'a Sides<'a>) -> Self {
        let mut index = Self { sides, by_path: BTreeMap::new(), by_full: BTreeMap::new() };
        for (at, endpoint) in sides.endpoints.iter().enumerate() {
            index.by_path.entry((endpoint.method, paths::key(&endpoint.path))).or_default().push(at);
            index.by_full.entry((endpoint.method, endpoint.full_path())).or_default().push(at);
        }
        index
    }

    /// A path prefix that the code has and the document lacks, or (with a `-`) the other way round, if most operations
    /// agree on it.
    fn common_offset(&self, document: &Document) -> Option<String> {
        let mut votes: BTreeMap<String, usize> = BTreeMap::new();
        let mut told = 0;
        for operation in &document.operations {
            let path = paths::key(&plain(&operation.path));
            let bases = bases(document, operation);
            if self.direct(operation.method, &path, &bases).is_some() {
                told += 1;
                continue;
            }
            let mut seen = BTreeSet::new();
            for ((method, full), _) in self.by_full.iter().filter(|((method, _), _)| *method == operation.method) {
                debug_assert_eq!(*method, operation.method);
                if let Some(prefix) =
                    full.strip_suffix(&path).filter(|prefix| prefix.starts_with('/') && !prefix.contains('{'))
                {
                    seen.insert(prefix.to_owned());
                }
                for base in &bases {
                    let whole = paths::key(&paths::join(base, &path));
                    if let Some(prefix) = whole
                        .strip_suffix(full.as_str())
                        .filter(|prefix| prefix.starts_with('/') && !prefix.contains('{') && full != "/")
                    {
                        seen.insert(format!("-{prefix}"));
                    }
                }
            }
            for prefix in seen {
                *votes.entry(prefix).or_default() += 1;
            }
        }
        let (prefix, count) = votes
            .into_iter()
            .max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.len().cmp(&a.0.len())).then_with(|| b.0.cmp(&a.0)))?;
        (count * 2 > document.operations.len().saturating_sub(told)).then_some(prefix)
    }

    /// Endpoints by method and path, with or without base and context path.
    fn direct(&self, method: Method, path: &str, bases: &[String]) -> Option<(Vec<usize>, &'static str)> {
        let fulls: Vec<String> = bases.iter().map(|base| paths::key(&paths::join(base, path))).collect();
        let get = |map: &BTreeMap<(Method, String), Vec<usize>>, key: &str| map.get(&(method, key.to_owned())).cloned();
        let has_base = bases.iter().any(|base| !base.is_empty());
        if let Some(found) = fulls.iter().find_map(|full| get(&self.by_full, full)) {
            let context = found.iter().any(|at| !self.sides.endpoints[*at].context_path.is_empty());
            return Some((
                found,
                if has_base || context {
                    "method and path below base path and context path"
                } else {
                    "method and path"
                },
            ));
        }
        if let Some(found) = get(&self.by_path, path) {
            return Some((found, "method and path"));
        }
        if let Some(found) = get(&self.by_full, path) {
            return Some((found, "method and path with the context path"));
        }
        if let Some(found) = fulls.iter().find_map(|full| get(&self.by_path, full)) {
            return Some((found, "method and path with the base path"));
        }
        None
    }

    fn find(&self, document: &Document, operation: &Operation, offset: Option<&str>) -> Option<(Vec<usize>, String)> {
        let path = paths::key(&plain(&operation.path));
        let bases = bases(document, operation);
        let made: Vec<usize> = (0..self.sides.endpoints.len())
            .filter(|at| self.sides.endpoints[*at].made_from.as_deref() == Some(operation.op_id.as_str()))
            .collect();
        if !made.is_empty() {
            return Some(self.order(made, operation, "operationId names the method"));
        }
        if let Some((found, by)) = self.direct(operation.method, &path, &bases) {
            return Some(self.order(found, operation, by));
        }
        if let Some(offset) = offset {
            let found = match offset.strip_prefix('-') {
                None => self.by_full.get(&(operation.method, format!("{offset}{path}"))).cloned(),
                Some(cut) => bases
                    .iter()
                    .find_map(|base| paths::key(&paths::join(base, &path)).strip_prefix(cut).map(str::to_owned))
                    .and_then(|rest| self.by_full.get(&(operation.method, paths::key(&rest))).cloned()),
            };
            if let Some(found) = found {
                return Some(self.order(
                    found,
                    operation,
                    &format!("method and path; all paths differ by the prefix {}", offset.trim_start_matches('-')),
                ));
            }
        }
        if let Some(found) = self.by_pattern(operation.method, &path, &bases) {
            return Some(self.order(found, operation, "method and path; a variable of the route takes this value"));
        }
        if operation.method == Method::Head
            && let Some((found, _)) = self.direct(Method::Get, &path, &bases)
        {
            return Some(self.order(found, operation, "path; a GET handler answers HEAD too"));
        }
        None
    }

    /// Endpoints whose path variables have regular expressions that match the literal segments of the path.
    fn by_pattern(&self, method: Method, path: &str, bases: &[String]) -> Option<Vec<usize>> {
        let wanted: Vec<String> =
            bases.iter().map(|base| paths::key(&paths::join(base, path))).chain([path.to_owned()]).collect();
        let found: Vec<usize> = self
            .sides
            .endpoints
            .iter()
            .enumerate()
            .filter(|(_, endpoint)| endpoint.method == method && endpoint.raw_path.contains(':'))
            .filter(|(_, endpoint)| {
                let full = paths::join(&endpoint.context_path, &endpoint.raw_path);
                wanted.iter().any(|path| takes(&full, path) || takes(&endpoint.raw_path, path))
            })
            .map(|(at, _)| at)
            .collect();
        (!found.is_empty()).then_some(found)
    }

    /// Sorts endpoints so that the entry comes first: methods with the operation's name, then paths written as in the
    /// document, then paths without regular expressions.
    fn order(&self, mut found: Vec<usize>, operation: &Operation, by: &str) -> (Vec<usize>, String) {
        let mut by = by.to_owned();
        let name = operation.operation_id.as_deref().map(stripped);
        let endpoint = |at: usize| &self.sides.endpoints[at];
        let project = self.sides.project;
        let named = |at: usize| name.as_deref().is_some_and(|name| project.member(endpoint(at).entry).name == name);
        let tagged = |at: usize| {
            let class = kebab(&project.ty(endpoint(at).receiver).name);
            operation.tags.iter().any(|tag| kebab(tag) == class)
        };
        let classes: BTreeSet<_> = found.iter().map(|at| endpoint(*at).receiver).collect();
        if classes.len() > 1 {
            // Two classes of one service cannot both serve a path. The tag, the operation's name and the kind of return
            // value decide which class does.
            for tells in [&tagged as &dyn Fn(usize) -> bool, &named, &|at| endpoint(at).returns != Returns::View] {
                let told: Vec<usize> = found.iter().copied().filter(|at| tells(*at)).collect();
                if !told.is_empty() && told.len() < found.len() {
                    found = told;
                }
            }
        }
        let exact = |at: usize| endpoint(at).path == operation.path || endpoint(at).raw_path == operation.path;
        found.sort_by_key(|at| {
            (!named(*at), !exact(*at), endpoint(*at).raw_path.contains(':'), endpoint(*at).entry, *at)
        });
        let mut seen = BTreeSet::new();
        found.retain(|at| seen.insert((endpoint(*at).entry, endpoint(*at).receiver)));
        if found.first().is_some_and(|at| named(*at)) && !by.starts_with("operationId") {
            by += ", confirmed by operationId";
        }
        if found.len() > 1 {
            by += &format!("; {} members serve it", found.len());
        }
        (found, by)
    }
}

/// Whether a template with regular expressions matches a path whose variables are written `{}`.
fn takes(raw: &str, path: &str) -> bool {
    let (template, variables) = paths::template(raw);
    let mut variables = variables.into_iter();
    let split = |text: &str| text.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let (ours, theirs) = (split(&template), split(path));
    if ours.len() != theirs.len() {
        return false;
    }
    let mut told = false;
    for (own, other) in ours.iter().zip(&theirs) {
        let count = own.matches('{').count();
        let taken: Vec<_> = variables.by_ref().take(count).collect();
        if count == 0 {
            if own != other {
                return false;
            }
        } else if !other.contains('{') {
            let regex = taken.first().and_then(|variable| variable.regex.clone());
            let whole = count == 1 && own.starts_with('{') && own.ends_with('}');
            let Some(regex) =
                regex.filter(|_| whole).and_then(|regex| regex::Regex::new(&format!("^(?:{regex})$")).ok())
            else {
                return false;
            };
            if !regex.is_match(other) {
                return false;
            }
            told = true;
        }
    }
    told
}

/// An operation with its index, the endpoints found for it, and how they were found.
type OperationCandidates<'d> = (usize, &'d Operation, Option<(Vec<usize>, String)>);

/// Matches the remaining operations whose `operationId` leads to exactly one remaining endpoint with the same method
/// and number of variables.
fn by_operation_id(
    sides: &Sides<'_>,
    all: &[OperationCandidates<'_>],
    used: &BTreeSet<usize>,
) -> BTreeMap<usize, (Vec<usize>, String)> {
    let taken: BTreeSet<_> = used.iter().map(|at| sides.endpoints[*at].entry).collect();
    let mut found = BTreeMap::new();
    for (at, operation, matched) in all {
        let (None, Some(id)) = (matched, operation.operation_id.as_deref()) else { continue };
        let name = stripped(id);
        let variables = |path: &str| path.matches('{').count();
        let fits: Vec<usize> = (0..sides.endpoints.len())
            .filter(|index| {
                let endpoint = &sides.endpoints[*index];
                endpoint.method == operation.method
                    && !taken.contains(&endpoint.entry)
                    && sides.project.member(endpoint.entry).name == name
                    && variables(&endpoint.path) == variables(&operation.path)
                    && last_literal(&endpoint.path) == last_literal(&operation.path)
            })
            .collect();
        if let [only] = fits.as_slice() {
            found.insert(*at, (vec![*only], "operationId and method; the paths differ".to_owned()));
        }
    }
    found
}

fn last_literal(path: &str) -> Option<&str> {
    path.split('/').rfind(|part| !part.is_empty() && !part.contains('{'))
}

/// An `operationId` without the suffixes that generators add to make it unique: `UsingGET`, `_1`, `UsingGET_2`.
pub fn stripped(id: &str) -> String {
    let mut name = id.trim();
    let without_number = |name: &str| {
        let (head, tail) = name.rsplit_once('_')?;
        (!tail.is_empty() && tail.bytes().all(|byte| byte.is_ascii_digit())).then_some(head.len())
    };
    if let Some(length) = without_number(name) {
        name = &name[..length];
    }
    for method in Method::ALL {
        if let Some(head) = name.strip_suffix(method.as_str()).and_then(|head| head.strip_suffix("Using")) {
            name = head;
            break;
        }
    }
    name.to_owned()
}

/// Normalises a name, so that `PetTypeController` and `pet-type-controller` are equal.
fn kebab(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The method that represents a mapping without methods; methods of other mappings of the path are excluded.
fn stands_for(endpoint: &Endpoint, is_taken: impl Fn(Method) -> bool) -> Option<Method> {
    let takes_body = endpoint.params.iter().any(|param| matches!(param.location, Location::Body | Location::Part));
    let first = if takes_body { [Method::Post, Method::Put] } else { [Method::Get, Method::Post] };
    first.into_iter().chain(Method::ALL).find(|method| !is_taken(*method))
}

/// Operations for routes that no documented operation matched.
fn undocumented(sides: &Sides<'_>, matched: &[Match], used: &BTreeSet<usize>) -> Vec<Match> {
    let named: BTreeSet<String> = matched.iter().map(|one| one.op_id.erased()).collect();
    let served: BTreeSet<_> =
        used.iter().map(|at| (sides.endpoints[*at].entry, sides.endpoints[*at].full_path())).collect();
    let keys: BTreeSet<_> =
        used.iter().map(|at| (sides.endpoints[*at].method, sides.endpoints[*at].full_path())).collect();
    let mapped: BTreeSet<_> =
        sides.endpoints.iter().filter(|one| !one.any_method).map(|one| (one.method, one.full_path())).collect();
    let mut groups: BTreeMap<(String, Method), Vec<usize>> = BTreeMap::new();
    for (at, endpoint) in sides.endpoints.iter().enumerate() {
        let key = endpoint.full_path();
        let any_of_documented = endpoint.any_method && served.contains(&(endpoint.entry, key.clone()));
        // If the code does not restrict the methods of a path, the two most common ones represent all.
        let guessed = endpoint.any_method && endpoint.framework.routing.guesses_methods;
        let unlikely = match endpoint.any_method {
            true if guessed => !matches!(endpoint.method, Method::Get | Method::Post),
            // A mapping without a method becomes one operation, with the method that clients use for its kind of input.
            true => stands_for(endpoint, |method| mapped.contains(&(method, key.clone()))) != Some(endpoint.method),
            false => false,
        };
        if used.contains(&at) || any_of_documented || unlikely || keys.contains(&(endpoint.method, key)) {
            continue;
        }
        groups.entry((endpoint.path.clone(), endpoint.method)).or_default().push(at);
    }
    let mut found: Vec<Match> = Vec::new();
    let mut seen = BTreeSet::new();
    for ((path, method), endpoints) in groups {
        let op_id = OpId::new(method, &path);
        // Routes that differ only in a trailing slash are the same operation.
        if named.contains(&op_id.erased()) {
            continue;
        }
        if !seen.insert(op_id.erased())
            && let Some(known) = found.iter_mut().find(|known| known.op_id.erased() == op_id.erased())
        {
            known.endpoints.extend(endpoints);
            continue;
        }
        let status = MatchStatus::Undocumented;
        let matched_by = Some(sides.endpoints[endpoints[0]].how.clone());
        found.push(Match { op_id, status, operation: None, endpoints, matched_by, reason: None });
    }
    found.sort_by(|a, b| (a.op_id.path(), a.op_id.method()).cmp(&(b.op_id.path(), b.op_id.method())));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generators_suffixes_are_stripped() {
        assert_eq!(stripped("findAllUsingGET"), "findAll");
        assert_eq!(stripped("findAllUsingGET_12"), "findAll");
        assert_eq!(stripped("getOrder_1"), "getOrder");
        assert_eq!(stripped("v1_x"), "v1_x");
    }

    #[test]
    fn a_regular_expression_takes_what_it_matches() {
        assert!(takes("/positions/{extension:kml|kmz}", "/positions/kml"));
        assert!(takes("/a/{id}/{type:xlsx|mail}", "/a/{}/mail"));
        assert!(!takes("/positions/{extension:kml|kmz}", "/positions/csv"));
        assert!(!takes("/positions/{id}", "/positions/csv"));
    }
}
