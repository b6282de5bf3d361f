//! Operations that no rule matched: collects the files that may implement them, and asks a model.

use std::collections::{BTreeMap, BTreeSet};

use crate::pipeline::generate::briefs::until_interrupted;
use crate::pipeline::generate::bundles::patterns;
use crate::pipeline::generate::engines::{Asking, interrupted};
use crate::pipeline::repository::comparison::analyse_with;
use mastor_agents::BundleFile;
use mastor_agents::roles::oas_matching::{self, Method, Search};
use mastor_config::Settings;
use mastor_extract::api::matching::{Match, stripped};
use mastor_extract::{Analysis, is_of_service};
use mastor_java::ir::facts::MemberKind;
use mastor_java::syntax::tokens::Tokens;
use mastor_llm::AskError;
use mastor_openapi::{Document, Operation};
use mastor_revision::SourceTree;
use mastor_suite::Suite;
use mastor_types::OpId;
use mastor_types::error::{Exit, Failure};
use mastor_types::results::report::MatchStatus;
use mastor_types::suite::source_context::MatchedBy;

/// Files that are shown, at most: those that mention most of the words of the operations.
const FILES: usize = 24;
/// Length of the shortest word that counts, in letters.
const TELLING: usize = 3;

/// Whether the document names an operation that no route serves.
pub fn is_unmatched(one: &Match) -> bool {
    one.status == MatchStatus::Unmatched
}

/// Whether a model named the operation's entry, according to its committed context.
pub fn has_vanished(committed: &Suite, op_id: &OpId) -> bool {
    committed.operations.get(op_id).is_some_and(|suite| suite.context.matched_by == Some(MatchedBy::Model))
}

/// Asks the model, if the engine in force has one, what implements operations that no rule matched. Gives a new
/// analysis of the revision if the model named something.
///
/// # Errors
/// Settings that cannot be used, and an interrupt.
pub fn match_by_model(
    asking: &mut Asking<'_>,
    analysis: &Analysis,
    tree: &SourceTree,
    op_ids: &[OpId],
) -> Result<Option<Analysis>, Failure> {
    if op_ids.is_empty() || !asking.asks_for_entries() {
        return Ok(None);
    }
    let search = search(analysis, asking.settings, op_ids)?;
    if search.bundle.files.is_empty() {
        return Ok(None);
    }
    let events = &asking.workspace.events;
    events.started("asking the model what implements unmatched operations", Some(search.operations.len() as u64));
    let models = asking.models()?;
    let found = until_interrupted(models, oas_matching::run(models, &search))?;
    let found = found.map_err(|error| Failure::new(Exit::Internal, error.to_string()))?;
    if found.trouble == Some(AskError::Cancelled) {
        return Err(interrupted());
    }
    events.finished(format!("{} of {} named", found.entries.len(), search.operations.len()));
    let named = match found.entries.is_empty() {
        true => None,
        false => Some(analyse_with(asking.workspace, asking.settings, tree, &found.entries)?),
    };
    asking.searched = Some(found);
    Ok(named)
}

/// The question to the model: the operations, and the files that mention most of their words.
///
/// # Errors
/// Exit 2 for file patterns that cannot be read.
pub fn search(analysis: &Analysis, settings: &Settings, op_ids: &[OpId]) -> Result<Search, Failure> {
    let never = patterns(&settings.redact.never_send)?;
    let Some(document) = &analysis.surface.document else { return Ok(Search::default()) };
    let asked: Vec<(&OpId, &Operation)> =
        op_ids.iter().filter_map(|op_id| Some((op_id, document.operation(op_id.as_str())?))).collect();
    let mut found = Search::default();
    if asked.is_empty() {
        return Ok(found);
    }
    let words = Words::of(asked.iter().map(|(_, operation)| *operation));
    let mut files: Vec<(String, BTreeSet<usize>, String)> = Vec::new();
    let declared = declared(analysis, settings);
    for (path, names) in &declared {
        let Ok(text) = analysis.surface.tree.text(path) else { continue };
        let said = words.said(&text.text, names);
        match never.is_match(path) {
            true if said.is_empty() => {}
            true => found.bundle.withheld.push(path.clone()),
            false => files.push((path.clone(), said, text.text)),
        }
    }
    for (path, text) in likeliest(files, &declared) {
        let text = Tokens::of(&text).without_comments();
        let lines = (1..).zip(text.lines()).map(|(n, line)| (n, line.trim_end().to_owned()));
        let lines = lines.filter(|(_, line)| !line.is_empty()).collect();
        found.methods.extend(methods(analysis, &path));
        found.bundle.files.push(BundleFile { path, lines, cites: Vec::new(), shared: true });
    }
    found.operations = asked.iter().map(|(op_id, operation)| ((*op_id).clone(), line(document, operation))).collect();
    Ok(found)
}

/// Sorts files by the words that they mention: the fewer files mention a word, the more it counts. Files whose classes
/// these files name follow if there is room.
fn likeliest(
    mut files: Vec<(String, BTreeSet<usize>, String)>,
    declared: &BTreeMap<String, Vec<String>>,
) -> Vec<(String, String)> {
    let speaking: Vec<String> =
        files.iter().filter(|(_, said, _)| !said.is_empty()).map(|(.., text)| text.clone()).collect();
    let is_named = |path: &String| {
        let mut names = declared.get(path).into_iter().flatten();
        names.any(|name| speaking.iter().any(|text| says(text, name)))
    };
    files.retain(|(path, said, _)| !said.is_empty() || is_named(path));
    let mut frequent: BTreeMap<usize, usize> = BTreeMap::new();
    for word in files.iter().flat_map(|(_, said, _)| said) {
        *frequent.entry(*word).or_default() += 1;
    }
    let weight = |said: &BTreeSet<usize>| -> usize {
        said.iter().map(|word| 1_000_000 / frequent.get(word).copied().unwrap_or(1)).sum()
    };
    let mut files: Vec<(usize, String, String)> =
        files.into_iter().map(|(path, said, text)| (weight(&said), path, text)).collect();
    files.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    files.truncate(FILES);
    files.sort_by(|a, b| a.1.cmp(&b.1));
    files.into_iter().map(|(_, path, text)| (path, text)).collect()
}

/// Words that the document uses for operations and that code may use too.
struct Words {
    /// Segments of paths, and operation ids.
    texts: Vec<String>,
    /// Beginnings of class names, in lower case.
    tags: Vec<String>,
}

impl Words {
    fn of<'o>(operations: impl Iterator<Item = &'o Operation>) -> Self {
        let (mut texts, mut tags) = (BTreeSet::new(), BTreeSet::new());
        for operation in operations {
            let segments = operation.path.split('/').filter(|part| !part.contains('{') && part.len() >= TELLING);
            texts.extend(segments.map(str::to_owned));
            texts.extend(operation.operation_id.as_deref().map(stripped));
            // `/greetings` may be served by `Greetings` or by a `GreetingHandler`.
            let letters = |word: &str| -> String {
                let word = word.strip_suffix('s').unwrap_or(word);
                word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
            };
            let segments = operation.path.split('/').filter(|part| !part.contains('{'));
            let names = operation.tags.iter().map(String::as_str).chain(segments).map(letters);
            tags.extend(names.filter(|name| name.len() >= TELLING));
        }
        Self { texts: texts.into_iter().collect(), tags: tags.into_iter().collect() }
    }

    /// The indices of the words that a file mentions: in its text as a whole word, or at the beginning of a class name.
    fn said(&self, text: &str, classes: &[String]) -> BTreeSet<usize> {
        let named = |tag: &String| classes.iter().any(|class| class.to_lowercase().starts_with(tag.as_str()));
        let of_text = self.texts.iter().enumerate().filter(|(_, word)| says(text, word)).map(|(n, _)| n);
        let of_tags = self.tags.iter().enumerate().filter(|(_, tag)| named(tag)).map(|(n, _)| n + self.texts.len());
        of_text.chain(of_tags).collect()
    }
}

/// Whether a text contains a word as a whole word.
fn says(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let alone = |at: usize| {
        let after = text.get(at + word.len()..).and_then(|rest| rest.chars().next());
        let before = text.get(..at).and_then(|head| head.chars().next_back());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    };
    text.match_indices(word).any(|(at, _)| alone(at))
}

/// The service's files, each with the names of its classes.
fn declared(analysis: &Analysis, settings: &Settings) -> BTreeMap<String, Vec<String>> {
    let project = &analysis.surface.project;
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for ty in project.types() {
        let path = project.path_of(ty);
        if is_of_service(path, settings) {
            files.entry(path.to_owned()).or_default().push(project.ty(ty).name.to_string());
        }
    }
    files
}

/// The methods of a file that have a body.
fn methods(analysis: &Analysis, path: &str) -> Vec<Method> {
    let project = &analysis.surface.project;
    let mut out = Vec::new();
    for ty in project.types().filter(|ty| project.path_of(*ty) == path) {
        for id in project.members(ty) {
            let facts = project.member(id);
            if facts.kind == MemberKind::Method && facts.body.is_some() {
                out.push(Method {
                    file: path.to_owned(),
                    class: project.fqn(ty).to_owned(),
                    signature: facts.signature(),
                    lines: (facts.span.line, facts.span.end_line),
                });
            }
        }
    }
    out
}

/// What the document says of an operation, in one line.
fn line(document: &Document, operation: &Operation) -> String {
    let mut out = operation.op_id.clone();
    let base = operation.base_paths.as_ref().unwrap_or(&document.base_paths).first().filter(|base| !base.is_empty());
    out.extend(base.map(|base| format!(", below {base}")));
    out.extend(operation.operation_id.as_ref().map(|id| format!(", operationId {id}")));
    if !operation.tags.is_empty() {
        out.push_str(&format!(", tags {}", operation.tags.join(", ")));
    }
    let names: Vec<&str> = operation.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    if !names.is_empty() {
        out.push_str(&format!(", parameters {}", names.join(", ")));
    }
    out.replace(['\n', '\r'], " ")
}
