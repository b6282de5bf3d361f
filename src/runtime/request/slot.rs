//! A slot: one parameter of an operation, where it stands, and what is read there.

use std::rc::Rc;

use super::text_forms::{Converted, Fit, TextForm, convert};
use crate::frameworks::Location;
use crate::java::facts::{Annotation, TypeKind};
use crate::java::ids::{MemberId, TypeId};
use crate::java::interpret::enums::enum_constants;
use crate::java::interpret::term::{Input, Place};
use crate::java::interpret::value::Type;
use crate::java::project::Project;

/// One parameter of the entry.
#[derive(Debug, Clone)]
pub struct Slot {
    /// Its input; the body's has an empty name.
    pub input: Input,
    /// Where it stands.
    pub location: Location,
    /// Its type.
    pub ty: Type,
    /// Names of its constants, where it is an enum.
    pub constants: Option<Vec<Rc<str>>>,
    /// Whether a request without it is refused.
    pub required: bool,
    /// The value where it is not sent.
    pub default: Option<String>,
    /// Index among the entry's parameters.
    pub index: usize,
    /// Whether its fields are validated.
    pub validated: bool,
    /// Constraints on the parameter itself.
    pub constraints: Vec<Annotation>,
    /// How a text stands for its value, where the library's class makes it.
    pub form: Option<TextForm>,
    /// What it is of an object that the framework fills; `None` for a parameter that has its value alone.
    pub part: Option<Part>,
}

/// What a slot is of an object that the framework fills from parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The parameter of the entry that holds the object.
    Whole,
    /// One of its properties.
    Property(MemberId),
    /// The number of a page.
    Page,
    /// How many elements a page has.
    Size,
    /// By what is sorted.
    Sort,
}

impl Slot {
    /// A text of the request that no parameter of the entry is for.
    pub fn unread(location: Location, name: &str, required: bool) -> Self {
        Self {
            input: Input::new(place(location), name),
            location,
            ty: Type::Str,
            constants: None,
            required,
            default: None,
            index: UNREAD,
            validated: false,
            constraints: Vec::new(),
            form: None,
            part: None,
        }
    }

    /// What a text of the request becomes.
    pub fn convert(&self, text: &str) -> Converted {
        match self.form.map(|form| form.fit(text)) {
            Some(Fit::Plain) => Converted::Made,
            Some(Fit::No) => Converted::Refused,
            Some(Fit::Open) => Converted::Unknown,
            None => convert(text, &self.ty, || self.constants.clone()),
        }
    }

    /// Whether the entry has a parameter for it; else it is a variable of the path alone, or the code reads it by hand.
    pub fn is_read(&self) -> bool {
        self.index != UNREAD
    }

    /// Whether it only fills a part of a parameter of the entry.
    pub fn is_part(&self) -> bool {
        self.part.is_some_and(|part| part != Part::Whole)
    }
}

/// The index of what no parameter of the entry is for.
const UNREAD: usize = usize::MAX;

/// The names of a type's constants, where it is an enum whose texts are those.
pub fn constants(project: &Project, ty: &Type) -> Option<Vec<Rc<str>>> {
    // Texts become constants of a generated enum by a converter, where one is found.
    let is_read = |id: &TypeId| project.ty(*id).kind == TypeKind::Enum && project.origin(*id).is_none();
    ty.project().filter(is_read).map(|id| enum_constants(project, id))
}

/// The place of an input that stands at a location.
pub fn place(location: Location) -> Place {
    match location {
        Location::Path => Place::Path,
        Location::Query => Place::Query,
        Location::Header => Place::Header,
        Location::Cookie => Place::Cookie,
        Location::Body => Place::Body,
        _ => Place::Form,
    }
}
