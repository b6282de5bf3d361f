//! The tables of a statement that no dialect understands, or whose tree does not tell them, by its words.

use std::collections::BTreeSet;

/// The tables that a statement names after `INTO`, `UPDATE`, `FROM`, `JOIN`, `TABLE`, `REFERENCES`, `ON`; lower case, without schema. These words also stand
/// where no table follows: `UPDATE OF column`, `ON DELETE CASCADE`, `ON CONFLICT`, `IS DISTINCT FROM`, the condition of a join.
pub(super) fn tables_of(statement: &str) -> BTreeSet<String> {
    const BEFORE: [&str; 7] = ["into", "update", "from", "join", "table", "references", "on"];
    // `FROM` also stands in these calls, as in `EXTRACT(day FROM column)`.
    const CALLS: [&str; 5] = ["extract", "substring", "trim", "overlay", "position"];
    const BETWEEN: [&str; 8] = ["if", "not", "exists", "only", "lateral", "ignore", "table", "column"];
    // What stands in a text names no table.
    let lower: String = statement.split('\'').step_by(2).collect::<Vec<_>>().join(" '' ").to_ascii_lowercase();
    let spaced = lower.replace('(', " ( ").replace([')', ','], " ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let at = |place: usize| words.get(place).copied().unwrap_or_default();
    // `WITH name AS (…)` names no table.
    let is_named_here = |place: &usize| at(place + 1) == "as" && at(place + 2) == "(";
    let named_here: BTreeSet<&str> = (0..words.len()).filter(is_named_here).map(at).collect();
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
        let Some(next) = (place + 1..words.len()).find(|next| !BETWEEN.contains(&at(*next))) else { continue };
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
