//! Collects values from a service's answers, and suggests values for path parameters and names.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::answers::unstable::Moment;
use crate::auth::secret::MASK;
use crate::fits::{fits, plain, singular};
use mastor_types::op_id::OpId;

/// Maximum number of rows kept for a place; if there are more, an even sample is kept.
const ROWS: usize = 40;
/// Maximum number of values suggested from one field name.
const VALUES: usize = 6;
/// Maximum number of values from each field inside a named object.
const EACH: usize = 2;
/// Maximum number of list elements examined.
const ELEMENTS: usize = 400;
/// Maximum number of values tried for one parameter in combination with the same preceding values.
const BRANCHES: usize = 10;
/// Maximum length of a value, in characters.
const LONGEST: usize = 64;

/// A segment of a path template.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Segment {
    Fixed(String),
    Parameter(String),
}

/// The segments of a path; `None` where a parameter is only part of a segment.
fn segments(path: &str) -> Option<Vec<Segment>> {
    let of = |segment: &str| match segment.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        Some(name) if !name.contains(['{', '}']) => Some(Segment::Parameter(name.to_owned())),
        None if !segment.contains('{') => Some(Segment::Fixed(segment.to_owned())),
        _ => None,
    };
    path.split('/').filter(|segment| !segment.is_empty()).map(of).collect()
}

/// The key of a place: its segments without the names of parameters.
fn place(segments: &[Segment]) -> String {
    let each = segments.iter().map(|segment| match segment {
        Segment::Fixed(text) => format!("/{text}"),
        Segment::Parameter(_) => "/{}".to_owned(),
    });
    each.collect()
}

/// Segments as a path template.
fn named_place(segments: &[Segment]) -> String {
    let each = segments.iter().map(|segment| match segment {
        Segment::Fixed(text) => format!("/{text}"),
        Segment::Parameter(name) => format!("/{{{name}}}"),
    });
    each.collect()
}

/// Values in a service's answers so far.
#[derive(Debug, Default)]
pub struct DiscoveredValues {
    /// Parameters that directly follow a place, by place.
    wanted: BTreeMap<String, BTreeSet<String>>,
    /// Values of path parameters, each with the preceding ones, by the place that ends in the last of them.
    rows: BTreeMap<String, BTreeSet<Vec<String>>>,
    /// Values by plain field name.
    fields: BTreeMap<String, BTreeSet<String>>,
    /// Values by the plain names of the enclosing field and their own field.
    inside: BTreeMap<String, BTreeMap<String, BTreeSet<String>>>,
}

impl DiscoveredValues {
    /// Starts without values, for these operations.
    pub fn new<'a>(op_ids: impl Iterator<Item = &'a OpId>) -> Self {
        let mut known = Self::default();
        for op_id in op_ids {
            let Some(segments) = segments(op_id.path()) else { continue };
            for (at, segment) in segments.iter().enumerate() {
                if let Segment::Parameter(name) = segment {
                    known.wanted.entry(place(&segments[..at])).or_default().insert(name.clone());
                }
            }
        }
        known
    }

    /// Collects the values in an operation's answer to a request with these path parameters.
    pub fn learn(&mut self, op_id: &OpId, given: &BTreeMap<String, String>, body: &Value, moment: &Moment) {
        self.fields_of((None, None), body, moment, 0);
        let Some(segments) = segments(op_id.path()) else { return };
        let at = place(&segments);
        let Some(names) = self.wanted.get(&at) else { return };
        let before: Option<Vec<String>> = segments
            .iter()
            .filter_map(|segment| if let Segment::Parameter(name) = segment { Some(name) } else { None })
            .map(|name| given.get(name).cloned())
            .collect();
        let Some(before) = before else { return };
        let collection = match segments.last() {
            Some(Segment::Fixed(text)) => text.as_str(),
            _ => "",
        };
        let mut found = Vec::new();
        for element in elements(body, collection).into_iter().flatten().take(ELEMENTS) {
            for name in names {
                found.extend(
                    identifier(element, name, collection).filter(|text| is_usable_in_path(text, element, moment)),
                );
            }
        }
        let rows = self.rows.entry(format!("{at}/{{}}")).or_default();
        for value in found {
            let mut row = before.clone();
            row.push(value);
            rows.insert(row);
        }
        thin(rows, ROWS);
    }

    fn fields_of(&mut self, names: (Option<&str>, Option<&str>), value: &Value, moment: &Moment, depth: usize) {
        let (outer, name) = names;
        match (value, name) {
            _ if depth > 5 => {}
            (Value::Object(fields), _) => {
                for (key, inner) in fields {
                    self.fields_of((name, Some(key)), inner, moment, depth + 1);
                }
            }
            (Value::Array(items), _) => {
                items.iter().take(ELEMENTS).for_each(|inner| self.fields_of((outer, name), inner, moment, depth + 1));
            }
            (leaf, Some(name)) => {
                let Some(text) = text_of(leaf).filter(|text| is_usable_in_path(text, leaf, moment)) else { return };
                let add = |values: &mut BTreeSet<String>, text: String| values.len() < ELEMENTS && values.insert(text);
                if let Some(outer) = outer {
                    let inside = self.inside.entry(plain(outer)).or_default();
                    add(inside.entry(plain(name)).or_default(), text.clone());
                }
                add(self.fields.entry(plain(name)).or_default(), text);
            }
            _ => {}
        }
    }

    /// Up to `most` combinations of values for the parameters of an operation's path; empty where it has none or one is
    /// unknown.
    pub fn rows(&self, op_id: &OpId, most: usize) -> Vec<BTreeMap<String, String>> {
        let Some(segments) = segments(op_id.path()) else { return Vec::new() };
        let mut rows: Vec<Vec<String>> = vec![Vec::new()];
        let mut names: Vec<&str> = Vec::new();
        for (at, segment) in segments.iter().enumerate() {
            let Segment::Parameter(name) = segment else { continue };
            names.push(name);
            let next = |row: Vec<String>| {
                let values = self.values(&segments[..=at], name, &row);
                values.into_iter().map(move |value| row.iter().cloned().chain([value]).collect::<Vec<_>>())
            };
            rows = rows.into_iter().flat_map(next).collect();
            spread(&mut rows, most);
        }
        if names.is_empty() {
            return Vec::new();
        }
        let named = |row: Vec<String>| names.iter().map(|name| (*name).to_owned()).zip(row).collect();
        rows.into_iter().map(named).collect()
    }

    /// Values for all path parameters of an operation but the last, which is taken from `given`; used to ask for
    /// members that do not exist. Empty where the others are unknown or missing.
    pub fn within(&self, op_id: &OpId, given: &BTreeMap<String, String>) -> Vec<BTreeMap<String, String>> {
        let Some(segments) = segments(op_id.path()) else { return Vec::new() };
        let at = |segment: &Segment| matches!(segment, Segment::Parameter(_));
        let Some(last) = segments.iter().rposition(at) else { return Vec::new() };
        let Segment::Parameter(name) = &segments[last] else { return Vec::new() };
        let Some(value) = given.get(name) else { return Vec::new() };
        let outer = OpId::new(op_id.method(), &named_place(&segments[..last]));
        let rows = self.rows(&outer, 2).into_iter();
        rows.map(|mut row| {
            row.insert(name.clone(), value.clone());
            row
        })
        .collect()
    }

    /// The values of the path parameters before the last segment.
    pub fn before(op_id: &OpId, path: &BTreeMap<String, String>) -> Vec<String> {
        let segments = segments(op_id.path()).unwrap_or_default();
        let outer = segments.split_last().map_or(&segments[..0], |(_, outer)| outer);
        let value = |segment: &Segment| match segment {
            Segment::Parameter(name) => path.get(name).cloned(),
            Segment::Fixed(_) => None,
        };
        outer.iter().filter_map(value).collect()
    }

    /// Values for the parameter that ends this path, given the values before it.
    fn values(&self, path: &[Segment], name: &str, before: &[String]) -> Vec<String> {
        let of_place = self.rows.get(&place(path)).into_iter().flatten();
        let mut values: Vec<String> =
            of_place.filter(|row| row.starts_with(before)).filter_map(|row| row.last().cloned()).collect();
        // A member of a collection elsewhere may be valid here too, such as a product's feature in one of its
        // configurations.
        if let [.., Segment::Fixed(collection), _] = path {
            values.extend(self.members(collection, before));
        }
        if values.is_empty() {
            values.extend(self.named(name, before));
        }
        let mut seen = BTreeSet::new();
        values.retain(|value| seen.insert(value.clone()));
        spread(&mut values, BRANCHES);
        values
    }

    /// Members of all collections with this name, from the rows that share most values with `before`.
    fn members(&self, collection: &str, before: &[String]) -> Vec<String> {
        let end = format!("/{collection}/{{}}");
        let of_name = self.rows.iter().filter(|(place, _)| place.ends_with(&end)).flat_map(|(_, rows)| rows);
        let shared = |row: &Vec<String>| row.iter().zip(before).take_while(|(a, b)| a == b).count();
        let most = of_name.clone().map(shared).max().unwrap_or_default();
        let fits = |row: &&Vec<String>| shared(row) == most && (most > 0 || row.len() == 1 || before.is_empty());
        of_name.filter(fits).filter_map(|row| row.last().cloned()).collect()
    }

    /// Values for a name anywhere: of fields with this name, or of members of the collection that it refers to.
    pub fn named(&self, name: &str, before: &[String]) -> Vec<String> {
        let wanted = plain(name);
        let mut values: Vec<String> = self
            .fields
            .iter()
            .filter(|(field, _)| **field == wanted || singular(field) == wanted)
            .flat_map(|(_, values)| values.iter().cloned())
            .collect();
        spread(&mut values, VALUES);
        if values.is_empty() {
            values = self.inside(&wanted);
        }
        let collections: BTreeSet<&str> = self.rows.keys().filter_map(|place| place.rsplit('/').nth(1)).collect();
        for collection in collections {
            let one = singular(&plain(collection));
            let ends =
                [one.clone(), format!("{one}id"), format!("{one}name"), format!("{one}key"), format!("{one}code")];
            if one.len() > 2 && ends.iter().any(|end| wanted.ends_with(end.as_str())) {
                values.extend(self.members(collection, before));
            }
        }
        values
    }
}

impl DiscoveredValues {
    /// Some values of each field inside objects with this name or prefix: for `lang`, codes and names of the
    /// `languages`.
    fn inside(&self, wanted: &str) -> Vec<String> {
        let fits =
            |name: &str| name == wanted || singular(name) == wanted || (wanted.len() > 3 && name.starts_with(wanted));
        let flat = self.fields.iter().filter(|(name, _)| fits(name)).map(|(_, values)| values);
        let within = self.inside.iter().filter(|(name, _)| fits(name)).flat_map(|(_, fields)| fields.values());
        let mut found = Vec::new();
        for values in flat.chain(within) {
            let mut values: Vec<String> = values.iter().cloned().collect();
            spread(&mut values, EACH);
            found.extend(values);
        }
        found
    }
}

/// The list in an answer: the answer itself, or a list inside it, preferably the one named like the collection.
fn elements<'v>(body: &'v Value, collection: &str) -> Option<&'v Vec<Value>> {
    match body {
        Value::Array(items) => Some(items),
        Value::Object(fields) => {
            let named = fields.iter().find(|(key, value)| plain(key) == plain(collection) && value.is_array());
            let lists = || fields.iter().find(|(_, value)| value.as_array().is_some_and(|items| !items.is_empty()));
            let inner = || fields.values().filter(|value| value.is_object()).find_map(|v| elements(v, collection));
            named.or_else(lists).and_then(|(_, value)| value.as_array()).or_else(inner)
        }
        _ => None,
    }
}

/// The value that identifies an element for this parameter: the element itself, or its best-fitting field.
fn identifier<'v>(element: &'v Value, parameter: &str, collection: &str) -> impl Iterator<Item = String> + use<'v> {
    let found = match element {
        Value::Object(fields) => {
            let ranked = fields
                .iter()
                .filter_map(|(key, value)| Some((fits(parameter, collection, key)?, key, text_of(value)?)));
            ranked.min_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1))).map(|(_, _, text)| text)
        }
        leaf => text_of(leaf),
    };
    found.into_iter()
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Whether a value can be used in a path and is stable between runs.
fn is_usable_in_path(text: &str, value: &Value, moment: &Moment) -> bool {
    let fits = !text.is_empty() && text.chars().count() <= LONGEST && !text.contains(MASK);
    let is_plain = !text.contains(['/', '\\', '?', '#', '%', ';']) && !text.chars().any(char::is_control);
    fits && is_plain && text.trim() == text && !matches!(text, "." | "..") && moment.class(value).is_none()
}

/// Reduces values to an evenly spaced sample.
fn spread<T>(values: &mut Vec<T>, most: usize) {
    let count = values.len();
    if count > most {
        let kept: BTreeSet<usize> = (0..most).map(|n| n * (count - 1) / (most - 1).max(1)).collect();
        let mut at = 0;
        values.retain(|_| {
            at += 1;
            kept.contains(&(at - 1))
        });
    }
}

fn thin(rows: &mut BTreeSet<Vec<String>>, most: usize) {
    if rows.len() > most {
        let mut values: Vec<Vec<String>> = std::mem::take(rows).into_iter().collect();
        spread(&mut values, most);
        rows.extend(values);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use mastor_types::Method;

    fn moment() -> Moment {
        Moment { now: 1_795_279_680, authority: "127.0.0.1:8080".to_owned(), ..Moment::default() }
    }

    fn given(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    fn texts(rows: &[BTreeMap<String, String>]) -> Vec<String> {
        rows.iter().map(|row| row.values().cloned().collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn what_lists_answer_names_their_members_down_the_path() {
        let list = OpId::new(Method::Get, "/shops");
        let one = OpId::new(Method::Get, "/shops/{shop}");
        let rooms = OpId::new(Method::Get, "/shops/{shop}/rooms");
        let room = OpId::new(Method::Delete, "/shops/{shop}/rooms/{roomId}");
        let mut known = DiscoveredValues::new([&list, &one, &rooms, &room].into_iter());
        assert!(known.rows(&one, 9).is_empty());
        known.learn(&list, &given(&[]), &json!(["north", "south/west"]), &moment());
        assert_eq!(texts(&known.rows(&one, 9)), ["north"]);
        known.learn(&rooms, &given(&[("shop", "north")]), &json!({"rooms": [{"id": 7}, {"id": 8}]}), &moment());
        assert_eq!(texts(&known.rows(&room, 9)), ["7 north", "8 north"]);
        assert_eq!(texts(&known.within(&room, &given(&[("shop", "x"), ("roomId", "99")]))), ["99 north"]);
        assert!(known.within(&one, &given(&[("shop", "x")])).is_empty());
    }

    #[test]
    fn a_member_elsewhere_is_tried_and_a_field_gives_values_by_name() {
        let tags = OpId::new(Method::Get, "/shops/{shop}/tags");
        let of_room = OpId::new(Method::Post, "/shops/{shop}/rooms/{room}/tags/{tag}");
        let list = OpId::new(Method::Get, "/shops");
        let rooms = OpId::new(Method::Get, "/shops/{shop}/rooms");
        let by_city = OpId::new(Method::Get, "/city/{city}");
        let mut known = DiscoveredValues::new([&tags, &of_room, &list, &rooms, &by_city].into_iter());
        known.learn(&list, &given(&[]), &json!([{"name": "north", "city": "Oslo"}]), &moment());
        known.learn(&rooms, &given(&[("shop", "north")]), &json!(["a"]), &moment());
        known.learn(&tags, &given(&[("shop", "north")]), &json!([{"name": "cosy"}]), &moment());
        // No operation asks for a member of `/shops/{shop}/tags`, so the values in that list are not used.
        assert!(known.rows(&of_room, 9).is_empty());
        let tag = OpId::new(Method::Put, "/shops/{shop}/tags/{tag}");
        let mut known = DiscoveredValues::new([&tags, &tag, &of_room, &list, &rooms, &by_city].into_iter());
        known.learn(&list, &given(&[]), &json!([{"name": "north", "city": "Oslo"}]), &moment());
        known.learn(&rooms, &given(&[("shop", "north")]), &json!(["a"]), &moment());
        known.learn(&tags, &given(&[("shop", "north")]), &json!([{"name": "cosy"}]), &moment());
        assert_eq!(texts(&known.rows(&of_room, 9)), ["a north cosy"]);
        assert_eq!(texts(&known.rows(&by_city, 9)), ["Oslo"]);
        assert_eq!(known.named("sourceTag", &["north".to_owned()]), ["cosy"]);
    }

    #[test]
    fn what_a_name_stands_for_gives_its_values_too() {
        let all = OpId::new(Method::Get, "/all");
        let by_lang = OpId::new(Method::Get, "/lang/{lang}");
        let mut known = DiscoveredValues::new([&all, &by_lang].into_iter());
        let country =
            json!({"name": "Norge", "languages": [{"code": "nb", "long": "nob"}, {"code": "se", "long": "sme"}]});
        known.learn(&all, &given(&[]), &json!([country]), &moment());
        assert_eq!(texts(&known.rows(&by_lang, 9)), ["nb", "se", "nob", "sme"]);
    }

    #[test]
    fn of_many_values_some_from_all_over_are_kept_and_none_of_the_moment() {
        let list = OpId::new(Method::Get, "/things");
        let one = OpId::new(Method::Get, "/things/{id}");
        let mut known = DiscoveredValues::new([&list, &one].into_iter());
        let all: Vec<Value> = (100..350).map(|id| json!({"id": id, "name": "n"})).collect();
        known.learn(&list, &given(&[]), &json!(all), &moment());
        assert_eq!(texts(&known.rows(&one, 3)), ["100", "208", "349"]);
        let mut known = DiscoveredValues::new([&list, &one].into_iter());
        known.learn(&list, &given(&[]), &json!(["http:127.0.0.1:8080", "", "x y "]), &moment());
        assert!(known.rows(&one, 3).is_empty());
    }
}
