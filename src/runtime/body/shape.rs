//! Shapes: partial knowledge of a JSON body, from the exact value down to its type only.

use std::collections::BTreeSet;
use std::rc::Rc;

use serde_json::Value as Json;

use mastor_java::interpret::library::frameworks::named_headers::Named;
use mastor_java::interpret::values::value::ObjId;
use mastor_java::ir::ids::MemberId;

/// Partial knowledge of a JSON value.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// The exact value.
    Exact(Json),
    /// Only its JSON type (`string`, `number`, `integer`, `boolean`, `array`, `object`), and whether it may be null.
    Typed(&'static str, bool),
    /// An object with exactly these fields.
    Object(Vec<(String, Shape)>),
    /// An array with exactly these elements.
    Array(Vec<Shape>),
    /// An array with exactly these elements, in any order.
    Bag(Vec<Shape>),
    /// A key that a store generates: its name, and its JSON type.
    Key(Rc<str>, &'static str),
    /// Nothing is known.
    Unknown,
}

impl Shape {
    /// The same shape with the order of all array elements left open.
    #[must_use]
    pub fn unordered(self) -> Self {
        let each = |items: Vec<Self>| items.into_iter().map(Self::unordered).collect::<Vec<Self>>();
        match self {
            Self::Array(items) if items.len() > 1 => Self::Bag(each(items)),
            Self::Array(items) => Self::Array(each(items)),
            Self::Bag(items) => Self::Bag(each(items)),
            Self::Object(fields) => {
                Self::Object(fields.into_iter().map(|(name, shape)| (name, shape.unordered())).collect())
            }
            Self::Exact(Json::Array(items)) => {
                Self::Array(items.into_iter().map(Self::Exact).collect::<Vec<Self>>()).unordered()
            }
            other => other,
        }
    }

    /// The value, if it is fully known.
    pub fn exact(&self) -> Option<Json> {
        match self {
            Self::Exact(json) => Some(json.clone()),
            Self::Object(fields) => {
                let fields: Option<serde_json::Map<String, Json>> =
                    fields.iter().map(|(name, shape)| shape.exact().map(|value| (name.clone(), value))).collect();
                fields.map(Json::Object)
            }
            Self::Array(items) => items.iter().map(Self::exact).collect::<Option<Vec<Json>>>().map(Json::Array),
            _ => None,
        }
    }

    /// The elements of an array in any order, if all are fully known.
    pub fn items(&self) -> Option<Vec<Json>> {
        match self {
            Self::Array(items) | Self::Bag(items) => items.iter().map(Self::exact).collect(),
            Self::Exact(Json::Array(items)) => Some(items.clone()),
            _ => None,
        }
    }

    /// The knowledge that both shapes share.
    #[must_use]
    pub fn meet(&self, other: &Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a.clone(),
            (Self::Object(a), Self::Object(b))
                if a.len() == b.len() && a.iter().zip(b).all(|((left, _), (right, _))| left == right) =>
            {
                Self::Object(a.iter().zip(b).map(|((name, x), (_, y))| (name.clone(), x.meet(y))).collect())
            }
            (Self::Array(a), Self::Array(b)) if a.len() == b.len() => {
                Self::Array(a.iter().zip(b).map(|(x, y)| x.meet(y)).collect())
            }
            (Self::Array(_) | Self::Bag(_), Self::Array(_) | Self::Bag(_)) => Self::Typed("array", false),
            _ => Self::Unknown,
        }
    }
}

/// Partial knowledge of an answer's body.
#[derive(Debug, Clone, PartialEq)]
pub enum AnswerBody {
    /// An empty body.
    Empty,
    /// JSON of this shape.
    Json(Shape),
    /// This exact text, and how a client reads it by its media type.
    Text(String, Label),
    /// Nothing is known.
    Unknown,
}

/// How a client reads a text by its media type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// As text: `2` is a string.
    Plain,
    /// As JSON: `2` is a number.
    Json,
    /// Unknown.
    Open,
}

/// The JSON value that a client reads from a text. Objects, arrays and texts that are not JSON read the same under
/// every label. `None` if the result depends on an unknown label.
pub fn read(text: &str, label: Label) -> Option<Json> {
    match serde_json::from_str::<Json>(text) {
        Ok(value) if label == Label::Json || value.is_object() || value.is_array() => Some(value),
        Ok(_) if label == Label::Open => None,
        _ => Some(Json::String(text.to_owned())),
    }
}

/// Partial knowledge of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The status; `None` if unknown.
    pub status: Option<u16>,
    /// Body.
    pub body: AnswerBody,
    /// Simple name of the exception that caused it.
    pub exception: Option<String>,
    /// The exception object, if the path has one.
    pub thrown: Option<ObjId>,
    /// The members that ran in the project's exception handler.
    pub handled_by: BTreeSet<MemberId>,
    /// The generated key at the end of the `Location` address.
    pub made: Option<Rc<str>>,
    /// The path of a redirect.
    pub location: Option<String>,
    /// The headers that code sets; `None` if not all of their names are known.
    pub headers: Option<Named>,
    /// Members that set headers before the handler ran, each with the header names.
    pub set_by: Vec<(MemberId, Vec<String>)>,
}

impl Answer {
    /// An unknown answer.
    pub fn unknown() -> Self {
        Self::of(None, AnswerBody::Unknown)
    }

    /// An answer with a status and a body.
    pub fn of(status: Option<u16>, body: AnswerBody) -> Self {
        Self {
            status,
            body,
            exception: None,
            handled_by: BTreeSet::new(),
            thrown: None,
            made: None,
            location: None,
            headers: None,
            set_by: Vec::new(),
        }
    }

    /// A short text: `400`, `200 {"ok":true}`.
    pub fn describe(&self) -> String {
        let status = self.status.map_or_else(|| "an unknown status".to_owned(), |status| status.to_string());
        match &self.body {
            AnswerBody::Json(shape) => match shape.exact() {
                Some(json) => {
                    let mut text = json.to_string();
                    if text.chars().count() > 200 {
                        text = text.chars().take(197).collect::<String>() + "...";
                    }
                    format!("{status} {text}")
                }
                None => status,
            },
            AnswerBody::Text(text, _) if text.len() <= 200 => format!("{status} {text:?}"),
            _ => status,
        }
    }
}
