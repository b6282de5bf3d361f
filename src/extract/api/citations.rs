//! Citations: resolves a cited symbol in a revision to its hash or its text.

use std::ops::Range;

use super::operations::Surface;
use mastor_openapi::DocumentLocation;
use mastor_types::Hash;

/// Number of lines shown of a file that is cited as a whole.
const BEGINNING: usize = 40;

impl Surface {
    /// The hash of the tokens of a cited symbol; `None` if this revision has no such symbol.
    ///
    /// `com.acme.Orders#find(String)` is a member, `com.acme.Orders` the header of a type, `path#/pointer` a part of a
    /// document, and any other `path` a whole file.
    pub fn resolve(&self, symbol: &str) -> Option<Hash> {
        if let Some(member) = self.project.by_symbol(symbol) {
            return Some(self.project.member(member).tokens);
        }
        if let Some(ty) = self.project.by_fqn(symbol) {
            return Some(self.project.ty(ty).header);
        }
        if let Some(place) = pointer(symbol) {
            let value = self.document.as_ref().and_then(|document| document.value(&place));
            let hash = value.map(|value| Hash::of(mastor_types::suite::input::canonical(value).as_bytes()));
            return hash.or_else(|| self.project.origin_hash(symbol));
        }
        self.resources.hash(symbol.split_once('#').map_or(symbol, |(path, _)| path))
    }

    /// File, text and byte range of a symbol. For a part of a document the text is that part as JSON, whatever the
    /// document's format; for a part of a document or a whole file the range covers the beginning only.
    pub fn excerpt(&self, symbol: &str) -> Option<(String, String, Range<usize>)> {
        let project = &self.project;
        let place = match project.by_symbol(symbol) {
            Some(member) => Some((member.ty, project.member(member).span)),
            None => project.by_fqn(symbol).map(|ty| (ty, project.ty(ty).name_span)),
        };
        if let Some((ty, span)) = place {
            let path = project.path_of(ty).to_owned();
            let text = self.tree.text(&path).ok()?.text;
            return Some((path, text, span.start as usize..span.end as usize));
        }
        let begin = |path: &str, text: String| {
            let end = text.match_indices('\n').nth(BEGINNING - 1).map_or(text.trim_end().len(), |(at, _)| at);
            Some((path.to_owned(), text, 0..end))
        };
        match pointer(symbol) {
            Some(place) => {
                let value = self.document.as_ref()?.value(&place)?;
                begin(&place.file, serde_json::to_string_pretty(value).ok()?)
            }
            None => {
                let path = symbol.split_once('#').map_or(symbol, |(path, _)| path);
                begin(path, self.resources.text(path)?.to_owned())
            }
        }
    }
}

/// Parses `path#/pointer`.
fn pointer(symbol: &str) -> Option<DocumentLocation> {
    let (file, pointer) = symbol.split_once('#')?;
    pointer.starts_with('/').then(|| DocumentLocation { file: file.to_owned(), pointer: pointer.to_owned() })
}
