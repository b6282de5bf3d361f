//! Finds the tables of a statement by its words, where no dialect understands it or its tree does not contain them.

use std::collections::BTreeSet;

/// A statement in lower case without its string literals; all of its text where a quote is not closed.
fn outside_texts(statement: &str) -> String {
    let parts: Vec<&str> = statement.split('\'').collect();
    let kept = if parts.len().is_multiple_of(2) {
        parts.join(" ")
    } else {
        parts.into_iter().step_by(2).collect::<Vec<_>>().join(" '' ")
    };
    kept.to_ascii_lowercase()
}

/// The words of a statement in lower case, without those in string literals.
pub(super) fn words_of(statement: &str) -> Vec<String> {
    all_words(&outside_texts(statement))
}

/// The words of a text that is in lower case already.
pub(super) fn all_words(lower: &str) -> Vec<String> {
    let words = lower.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '\\' | '@')));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The tables that a statement names after `INTO`, `UPDATE`, `FROM`, `JOIN`, `TABLE`, `REFERENCES`, `ON`; lower case, without schema. These words also stand
/// where no table follows: `UPDATE OF column`, `ON DELETE CASCADE`, `ON CONFLICT`, `IS DISTINCT FROM`, the condition of a join.
pub(super) fn tables_of(statement: &str) -> BTreeSet<String> {
    const BEFORE: [&str; 7] = ["into", "update", "from", "join", "table", "references", "on"];
    // `FROM` also stands in these calls, as in `EXTRACT(day FROM column)`.
    const CALLS: [&str; 5] = ["extract", "substring", "trim", "overlay", "position"];
    const BETWEEN: [&str; 8] = ["if", "not", "exists", "only", "lateral", "ignore", "table", "column"];
    let lower = outside_texts(statement);
    let spaced = lower.replace('(', " ( ").replace([')', ',', ';'], " ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let at = |place: usize| words.get(place).copied().unwrap_or_default();
    // `WITH name AS (…)` names no table.
    let is_named_here = |place: &usize| at(place + 1) == "as" && at(place + 2) == "(";
    let named_here: BTreeSet<&str> = (0..words.len()).filter(is_named_here).map(at).collect();
    // For each index, the first index from there on whose word is not in `BETWEEN`.
    let mut nexts = vec![words.len(); words.len() + 1];
    for place in (0..words.len()).rev() {
        nexts[place] = if BETWEEN.contains(&at(place)) { nexts[place + 1] } else { place };
    }
    let mut found = BTreeSet::new();
    let (mut joins, mut is_in_call) = (0_usize, false);
    for place in 0..words.len() {
        let (before, word, after) = (place.checked_sub(1).map_or("", &at), at(place), at(place + 1));
        let names = match word {
            "update" => !matches!(before, "on" | "do" | "for" | "key") && !matches!(after, "of" | "on" | "or" | "set"),
            "from" => before != "distinct" && !is_in_call,
            "(" => {
                is_in_call = CALLS.contains(&before);
                false
            }
            "select" => {
                is_in_call = false;
                false
            }
            "join" => {
                joins += 1;
                true
            }
            "on" if joins > 0 => {
                joins -= 1;
                false
            }
            "on" => !matches!(after, "conflict" | "delete" | "update" | "duplicate" | "commit"),
            word => BEFORE.contains(&word),
        };
        if !names {
            continue;
        }
        let Some(&next) = nexts.get(place + 1).filter(|next| **next < words.len()) else { continue };
        let is_call = word == "from" && at(next + 1) == "(";
        let name = at(next);
        let of_column = at(next - 1) == "column";
        let plain =
            name.rsplit('.').nth(usize::from(of_column)).unwrap_or(name).trim_matches(['"', '`', '[', ']', '\'']);
        let is_name = plain.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
        if is_name && !is_call && !matches!(plain, "select" | "set" | "values") && !named_here.contains(name) {
            found.insert(plain.to_owned());
        }
    }
    found
}
