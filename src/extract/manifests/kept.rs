//! Cached fingerprints: a plan needs nothing else of a revision, so each revision is analysed only once.

use std::sync::Arc;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::analysis::Analysis;
use super::plan::Fingerprinted;
use super::unreached::UnreachedInput;
use mastor_java::files::packs::Packs;
use mastor_revision::BlobId;
use mastor_store::Cache;
use mastor_types::manifest::{Input, InputClass, Manifest};
use mastor_types::places::IndexSet;
use mastor_types::suite::source_context::Entry;
use mastor_types::{Hash, OpId};

/// Kind of the cached fingerprints.
const FINGERPRINTS: &str = "fingerprints";

/// Hash of this program's sources and dependencies; set by the build script.
const PROGRAM: &str = env!("MASTOR_PROGRAM");

/// What a plan needs of a revision: its operations with their manifests, and the location of each input.
pub struct Fingerprints {
    /// Every operation except those of the framework, sorted by name.
    pub operations: Vec<Fingerprinted>,
    /// Every input of the operations, sorted, with the index of its location in `texts`.
    inputs: Arc<[Input]>,
    places: Vec<u32>,
    texts: Vec<String>,
    /// Main code that no operation reaches.
    pub unreached: Vec<UnreachedInput>,
    /// Methods that no known route leads to but that may still serve operations.
    pub hidden: Vec<Entry>,
}

/// The cache key of a revision's fingerprints: everything that they are made from, and this program.
pub fn key<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> Hash {
    Hash::of_parts(std::iter::once(PROGRAM.as_bytes()).chain(parts))
}

/// Texts, each as the number of bytes that it shares with the one before, and the rest.
type Texts = Vec<(u32, String)>;

/// The cached record. Inputs are sorted, and inputs that operations share are next to each other: an operation's inputs
/// are stored as alternating gaps and run lengths.
#[derive(Serialize, Deserialize)]
struct Record {
    names: Texts,
    inputs: Vec<(InputClass, Hash, u32)>,
    places: Texts,
    operations: Vec<Operation>,
    unreached: Vec<UnreachedInput>,
    hidden: Vec<(String, String)>,
}

#[derive(Serialize, Deserialize)]
struct Operation {
    name: String,
    entry: Option<(String, String)>,
    route: Option<String>,
    says_names: bool,
    inputs: Vec<u32>,
}

/// Marks a type's location to which the signature of a member must be appended.
const MEMBER: char = '.';

impl Fingerprints {
    /// Loads the fingerprints that were cached under a key.
    pub fn load(cache: &Arc<Cache>, key: Hash) -> Option<Self> {
        Packs::open(Some(cache), FINGERPRINTS).get::<Record>(blob(key)).and_then(Self::read)
    }

    fn read(record: Record) -> Option<Self> {
        let Record { names, inputs, places, operations, unreached, hidden } = record;
        let hidden = hidden.into_iter().map(|(class, method)| Entry { class, method }).collect();
        let shared: Arc<[Input]> = unfold(names)?
            .into_iter()
            .zip(&inputs)
            .map(|(name, (class, hash, _))| (Arc::from(name), *class, *hash))
            .collect();
        let operation = |kept: Operation| {
            let lines = unfold_places(&kept.inputs, inputs.len())?;
            Some(Fingerprinted {
                op_id: OpId::parse(&kept.name).filter(|op_id| op_id.as_str() == kept.name)?,
                entry: kept.entry.map(|(class, method)| Entry { class, method }),
                route: kept.route,
                manifest: Manifest::within(&shared, lines),
                says_names: kept.says_names,
            })
        };
        let operations: Option<Vec<Fingerprinted>> = operations.into_iter().map(operation).collect();
        let operations = operations?;
        let at = inputs.into_iter().map(|(.., place)| place).collect();
        Some(Self { operations, inputs: shared, places: at, texts: unfold(places)?, unreached, hidden })
    }

    /// Caches the fingerprints of an analysis under a key.
    pub fn keep(analysis: &Analysis, cache: &Arc<Cache>, key: Hash) {
        let shared = analysis.operations.first().map(|first| first.manifest.shared().clone()).unwrap_or_default();
        if analysis.operations.iter().any(|operation| !Arc::ptr_eq(operation.manifest.shared(), &shared)) {
            return;
        }
        let places: Vec<String> = shared.par_iter().map(|(name, ..)| place(analysis, name)).collect();
        let mut distinct: Vec<&str> = places.iter().map(String::as_str).collect();
        distinct.par_sort_unstable();
        distinct.dedup();
        let place = |place: &String| distinct.binary_search(&place.as_str()).unwrap_or_default() as u32;
        let operation = |operation: &Fingerprinted| Operation {
            name: operation.op_id.as_str().to_owned(),
            entry: operation.entry.as_ref().map(|entry| (entry.class.clone(), entry.method.clone())),
            route: operation.route.clone(),
            says_names: operation.says_names,
            inputs: fold_places(operation.manifest.places()),
        };
        let record = Record {
            names: fold(shared.iter().map(|(name, ..)| &**name)),
            inputs: shared.iter().zip(&places).map(|((_, class, hash), at)| (*class, *hash, place(at))).collect(),
            places: fold(distinct.iter().copied()),
            operations: analysis.operations.iter().map(operation).collect(),
            unreached: analysis.unreached.clone(),
            hidden: analysis.hidden.iter().map(|entry| (entry.class.clone(), entry.method.clone())).collect(),
        };
        Packs::open(Some(cache), FINGERPRINTS).put(blob(key), &record);
    }

    /// `file#member` for an input of a manifest; `None` if this revision does not have it.
    pub fn place(&self, input: &str) -> Option<String> {
        let at = self.inputs.binary_search_by(|(name, ..)| (**name).cmp(input)).ok()?;
        let place = self.texts.get(*self.places.get(at)? as usize).filter(|place| !place.is_empty())?;
        match input.split_once('#') {
            Some((_, signature)) if place.ends_with(MEMBER) => Some(format!("{place}{signature}")),
            _ => Some(place.clone()),
        }
    }
}

/// The location of an input in cached form: for a member without the signature, so that members share it; empty if
/// unknown.
fn place(analysis: &Analysis, input: &str) -> String {
    let project = &analysis.surface.project;
    let type_place = |ty| format!("{}#{}", project.shown(ty, 1).0, project.ty(ty).name);
    if let Some((fqn, signature)) = input.split_once('#') {
        if let [only] = project.by_fqn_all(fqn) {
            return format!("{}{MEMBER}", type_place(*only));
        }
        let place = analysis.place(input).unwrap_or_default();
        return match place.strip_suffix(signature) {
            Some(head) if head.ends_with(MEMBER) => head.to_owned(),
            _ => place,
        };
    }
    analysis.place(input).unwrap_or_default()
}

fn blob(key: Hash) -> BlobId {
    let mut bytes = [0; 20];
    bytes.copy_from_slice(&key.as_bytes()[..20]);
    BlobId::from_bytes(bytes)
}

fn fold<'t>(texts: impl Iterator<Item = &'t str>) -> Texts {
    let mut before = "";
    let shared = |before: &str, text: &str| {
        let mut shared = before.bytes().zip(text.bytes()).take_while(|(a, b)| a == b).count();
        while !text.is_char_boundary(shared) {
            shared -= 1;
        }
        shared
    };
    texts
        .map(|text| {
            let shared = shared(std::mem::replace(&mut before, text), text);
            (shared as u32, text[shared..].to_owned())
        })
        .collect()
}

/// Encodes numbers as alternating gaps and run lengths.
fn fold_places(places: &IndexSet) -> Vec<u32> {
    let mut folded: Vec<u32> = Vec::new();
    let mut next = 0;
    for at in places.iter() {
        match folded.last_mut().filter(|_| at == next) {
            Some(run) => *run += 1,
            None => folded.extend([at - next, 1]),
        }
        next = at + 1;
    }
    folded
}

/// Decodes the numbers; `None` if one is not below `count`.
fn unfold_places(folded: &[u32], count: usize) -> Option<IndexSet> {
    let mut places = IndexSet::default();
    let mut next: u32 = 0;
    for turn in folded.chunks(2) {
        let [between, run] = turn else { return None };
        let first = next.checked_add(*between)?;
        next = first.checked_add(*run).filter(|next| *next as usize <= count)?;
        (first..next).for_each(|at| places.insert(at));
    }
    Some(places)
}

fn unfold(texts: Texts) -> Option<Vec<String>> {
    let mut before = String::new();
    let one = |(shared, rest): (u32, String)| {
        before.truncate(before.is_char_boundary(shared as usize).then_some(shared as usize)?);
        before.push_str(&rest);
        Some(before.clone())
    };
    texts.into_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_begin_alike_are_kept_short() {
        let texts = ["", "a.B#c()", "a.B#cd()", "a.B#é", "a.B#è", "b"];
        let folded = fold(texts.into_iter());
        assert_eq!(folded[2], (5, "d()".to_owned()));
        assert_eq!(folded[4], (4, "è".to_owned()));
        assert_eq!(unfold(folded).unwrap(), texts);
        assert_eq!(unfold(vec![(0, "é".to_owned()), (1, String::new())]), None);
    }
    #[test]
    fn places_that_follow_one_another_are_kept_short() {
        for (places, folded) in [
            (vec![], vec![]),
            (vec![0, 1, 2], vec![0, 3]),
            (vec![0], vec![0, 1]),
            (vec![1, 2, 70, 72, 73], vec![1, 2, 67, 1, 1, 2]),
        ] {
            assert_eq!(fold_places(&places.iter().copied().collect()), folded);
            assert_eq!(unfold_places(&folded, 100).unwrap().iter().collect::<Vec<_>>(), places);
        }
        assert!(unfold_places(&[98, 2], 100).is_some() && unfold_places(&[98, 3], 100).is_none());
        assert!(unfold_places(&[1], 100).is_none() && unfold_places(&[7, u32::MAX], 100).is_none());
    }
}
