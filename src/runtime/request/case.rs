//! A case: the concrete inputs of one request, run on the interpreter and sent by an oracle.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::{Map, Value as Json};

use super::signature::Signature;
use super::text_forms::Converted;
use crate::body::media::Carried;
use mastor_frameworks::Location;
use mastor_java::interpret::values::scalar::{ClassRef, Prim, Scalar};
use mastor_java::interpret::values::term::{Input, InputPlace, Inputs, Term};
use mastor_java::interpret::values::value::{Type, Value};
use mastor_types::suite::input;
use mastor_types::suite::input::{Body, canonical, in_order};
use mastor_types::suite::request::ANONYMOUS;

const CONTENT_TYPE: &str = "Content-Type";

fn is_content_type(name: &str) -> bool {
    name.eq_ignore_ascii_case(CONTENT_TYPE)
}

/// The body of a case.
#[derive(Debug, Clone, PartialEq)]
pub enum CaseBody {
    /// No body is sent.
    None,
    /// A JSON value.
    Json(Json),
    /// Malformed JSON.
    Malformed,
}

/// The inputs of one request.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The user of the auth file who sends it; `None` for an anonymous request.
    pub as_user: Option<Rc<str>>,
    /// Texts by input; an input without an entry is not sent.
    pub params: BTreeMap<Input, String>,
    /// The body.
    pub body: CaseBody,
    /// Generated keys by name. A text `$captures.name` in the case stands for the key `name`.
    pub captured: BTreeMap<String, Rc<str>>,
}

impl Case {
    /// The sender's name in oracles.
    pub fn sender(&self) -> String {
        self.as_user.as_deref().unwrap_or(ANONYMOUS).to_owned()
    }

    /// The case, sent by the user with this name in oracles.
    #[must_use]
    pub fn sent_by(self, user: &str) -> Self {
        Self { as_user: (user != ANONYMOUS).then(|| user.into()), ..self }
    }

    /// The request of an oracle with these inputs.
    pub fn request(&self, signature: &Signature) -> input::Input {
        let mut input = input::Input::default();
        let mut form = Vec::new();
        for slot in &signature.slots {
            let Some(text) = self.params.get(&slot.input) else { continue };
            let name = slot.input.name.to_string();
            match slot.location {
                Location::Path => {
                    input.path.insert(name, text.clone());
                }
                Location::Query => input.query.push((name, text.clone())),
                Location::Header => input.headers.push((name, text.clone())),
                Location::Cookie => input.cookies.push((name, text.clone())),
                Location::Form => form.push((name, text.clone())),
                _ => {}
            }
        }
        input.body = match &self.body {
            CaseBody::None if !form.is_empty() => Some(Body::Form { form }),
            CaseBody::None => None,
            CaseBody::Json(json) => Some(match (json, &signature.text_body) {
                (Json::String(text), Some(media_type)) => {
                    Body::Text { text: text.clone(), media_type: media_type.clone() }
                }
                _ => Body::Json { json: in_order(json) },
            }),
            CaseBody::Malformed => {
                Some(Body::Text { text: "{".to_owned(), media_type: signature.taken.json().to_owned() })
            }
        };
        let carried = self.carried(signature).filter(|_| self.body != CaseBody::Malformed);
        let is_named = input.headers.iter().any(|(name, _)| is_content_type(name));
        if let Some(kind) = carried.and_then(|carried| signature.taken.header(carried)).filter(|_| !is_named) {
            input.headers.push((CONTENT_TYPE.to_owned(), kind.to_owned()));
        }
        input
    }

    /// The kind of content that the request carries; `None` for a text that the handler receives unparsed.
    fn carried(&self, signature: &Signature) -> Option<Carried> {
        let is_text = |json: &Json| signature.text_body.is_some() && json.is_string();
        match &self.body {
            CaseBody::None if self.params.keys().any(|input| input.place == InputPlace::Form) => Some(Carried::Form),
            CaseBody::None => Some(Carried::Nothing),
            CaseBody::Json(json) if is_text(json) => None,
            CaseBody::Json(_) | CaseBody::Malformed => Some(Carried::Json),
        }
    }

    /// The reason why the media type keeps the request from the operation; `None` if it does not.
    pub fn stopped(&self, signature: &Signature) -> Option<String> {
        signature.taken.stops(self.carried(signature)?)
    }

    /// The case of an oracle's request; `None` if the request has inputs that the signature lacks.
    pub fn of_request(request: &input::Input, signature: &Signature) -> Option<Self> {
        let mut params = BTreeMap::new();
        let mut add = |location: Location, name: &str, value: &str| {
            let slot = signature.slots.iter().find(|slot| slot.location == location && *slot.input.name == *name)?;
            params.insert(slot.input.clone(), value.to_owned()).is_none().then_some(())
        };
        for (name, value) in &request.path {
            add(Location::Path, name, value)?;
        }
        for (name, value) in &request.query {
            add(Location::Query, name, value)?;
        }
        let is_made = |name: &str| is_content_type(name) && !signature.reads_header(name);
        for (name, value) in request.headers.iter().filter(|(name, _)| !is_made(name)) {
            add(Location::Header, name, value)?;
        }
        for (name, value) in &request.cookies {
            add(Location::Cookie, name, value)?;
        }
        if let Some(Body::Form { form }) = &request.body {
            for (name, value) in form {
                add(Location::Form, name, value)?;
            }
        }
        let body = match &request.body {
            None | Some(Body::Form { .. }) => CaseBody::None,
            // A body read as text keeps its quotes.
            Some(Body::Json { json }) if signature.text_body.is_some() => CaseBody::Json(canonical(json).into()),
            Some(Body::Text { text, .. }) if signature.text_body.is_some() => CaseBody::Json(text.clone().into()),
            Some(Body::Json { json }) => CaseBody::Json(json.clone()),
            Some(Body::Text { text, media_type }) if text == "{" && media_type == signature.taken.json() => {
                CaseBody::Malformed
            }
            Some(_) => return None,
        };
        Some(Self { as_user: None, params, body, captured: BTreeMap::new() })
    }
}

impl Case {
    /// The generated key that a text stands for, as a value of this type.
    pub fn key(&self, text: &str, ty: &Type) -> Option<Value> {
        let name = self.captured.get(text.strip_prefix("$captures.")?)?;
        Some(Value::symbol(Term::Input(Input::new(InputPlace::Store, name)), ty.clone(), false))
    }
}

/// Reads the typed inputs of a case, to evaluate conditions.
pub struct Reading<'a> {
    /// The case.
    pub case: &'a Case,
    /// The operation's parameters.
    pub signature: &'a Signature,
}

impl Inputs for Reading<'_> {
    fn scalar(&self, input: &Input) -> Option<Scalar> {
        if input.place == InputPlace::Body {
            let ty = self.signature.body_type(input)?;
            return match (self.at(input), &ty) {
                (None | Some(Json::Null), Type::Prim(prim)) => Some(prim.zero()),
                (None | Some(Json::Null), _) => Some(Scalar::Null),
                (Some(Json::String(text)), Type::Str) => Some(Scalar::text(text)),
                (Some(Json::String(text)), Type::Class(ClassRef::Project(id), _)) => {
                    Some(Scalar::Enum(ClassRef::Project(*id), std::rc::Rc::from(text.as_str())))
                }
                (Some(Json::Bool(value)), Type::Prim(Prim::Bool) | Type::Boxed(Prim::Bool)) => {
                    Some(Scalar::Bool(*value))
                }
                (Some(Json::Number(number)), Type::Prim(prim) | Type::Boxed(prim)) => number_as(number, *prim),
                _ => None,
            };
        }
        let slot = self.signature.slot(input)?;
        let text = self.case.params.get(input).or(slot.default.as_ref());
        match text {
            None => match &slot.ty {
                Type::Prim(prim) => Some(prim.zero()),
                _ => Some(Scalar::Null),
            },
            Some(text) => match slot.convert(text) {
                Converted::Value(value) => Some(value),
                // Each accepted text is the canonical form of its value.
                Converted::Made => Some(Scalar::text(text)),
                _ => None,
            },
        }
    }

    fn size(&self, input: &Input) -> Option<i32> {
        match self.at(input)? {
            Json::Array(items) => i32::try_from(items.len()).ok(),
            _ => None,
        }
    }
}

impl Reading<'_> {
    fn at(&self, input: &Input) -> Option<&Json> {
        let CaseBody::Json(json) = &self.case.body else { return None };
        at_path(json, &input.name)
    }

    /// Whether the case sends the input.
    pub fn is_given(&self, input: &Input) -> bool {
        if input.place == InputPlace::Body {
            // An empty text body counts as missing.
            let is_empty = || self.signature.text_body.is_some() && self.case.body == CaseBody::Json("".into());
            return match input.name.is_empty() {
                true => self.case.body != CaseBody::None && !is_empty(),
                false => self.at(input).is_some(),
            };
        }
        self.case.params.contains_key(input)
    }
}

/// Converts a JSON number to a primitive type if it is representable.
pub fn number_as(number: &serde_json::Number, prim: Prim) -> Option<Scalar> {
    match prim {
        Prim::Double => number.as_f64().map(Scalar::Double),
        // Only numbers that are exact as float: readers round others differently.
        Prim::Float => number.as_f64().filter(|x| f64::from(*x as f32) == *x).map(|x| Scalar::Float(x as f32)),
        Prim::Int => number.as_i64().and_then(|x| i32::try_from(x).ok()).map(Scalar::Int),
        Prim::Long => number.as_i64().map(Scalar::Long),
        Prim::Short => number.as_i64().and_then(|x| i16::try_from(x).ok()).map(Scalar::Short),
        Prim::Byte => number.as_i64().and_then(|x| i8::try_from(x).ok()).map(Scalar::Byte),
        _ => None,
    }
}

/// The steps of a path such as `lines[0].sku`.
fn steps(path: &str) -> Vec<Result<usize, String>> {
    let mut out = Vec::new();
    for part in path.split('.').filter(|part| !part.is_empty()) {
        let mut rest = part;
        if let Some((name, index)) = part.split_once('[') {
            if !name.is_empty() {
                out.push(Err(name.to_owned()));
            }
            rest = index;
            for index in rest.split('[') {
                if let Ok(index) = index.trim_end_matches(']').parse() {
                    out.push(Ok(index));
                }
            }
        } else {
            out.push(Err(rest.to_owned()));
        }
    }
    out
}

/// The value at a path.
pub fn at_path<'j>(json: &'j Json, path: &str) -> Option<&'j Json> {
    let mut at = json;
    for step in steps(path) {
        at = match step {
            Ok(index) => at.get(index)?,
            Err(name) => at.get(&name)?,
        };
    }
    Some(at)
}

/// Sets the value at a path, or removes it for `None`; creates objects and arrays on the way.
pub fn set_path(json: &mut Json, path: &str, value: Option<Json>) {
    let steps = steps(path);
    let Some((last, way)) = steps.split_last() else {
        if let Some(value) = value {
            *json = value;
        }
        return;
    };
    let mut at = json;
    for step in way {
        at = match step {
            Ok(index) => {
                if !at.is_array() {
                    *at = Json::Array(Vec::new());
                }
                let Json::Array(items) = at else { return };
                while items.len() <= *index {
                    items.push(Json::Object(Map::new()));
                }
                &mut items[*index]
            }
            Err(name) => {
                if !at.is_object() {
                    *at = Json::Object(Map::new());
                }
                let Json::Object(map) = at else { return };
                map.entry(name.clone()).or_insert(Json::Object(Map::new()))
            }
        };
    }
    match (last, value) {
        (Err(name), Some(value)) => {
            if !at.is_object() {
                *at = Json::Object(Map::new());
            }
            if let Json::Object(map) = at {
                map.insert(name.clone(), value);
            }
        }
        (Err(name), None) => {
            if let Json::Object(map) = at {
                map.shift_remove(name);
            }
        }
        (Ok(index), Some(value)) => {
            if let Json::Array(items) = at
                && let Some(slot) = items.get_mut(*index)
            {
                *slot = value;
            }
        }
        (Ok(_), None) => {}
    }
}
