//! A slot: one parameter of an operation, with its location and type.

use std::rc::Rc;

use super::text_forms::{Converted, Fit, TextForm, convert};
use mastor_frameworks::Location;
use mastor_java::interpret::classes::enums::enum_constants;
use mastor_java::interpret::values::term::{Input, InputPlace};
use mastor_java::interpret::values::value::Type;
use mastor_java::ir::facts::{Annotation, TypeKind};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;

/// One parameter of the entry.
#[derive(Debug, Clone)]
pub struct Slot {
    /// Its input; the name of the body input is empty.
    pub input: Input,
    /// Its location in the request.
    pub location: Location,
    /// Its type.
    pub ty: Type,
    /// The constant names of an enum type.
    pub constants: Option<Vec<Rc<str>>>,
    /// Whether a request without it is refused.
    pub required: bool,
    /// The value if it is not sent.
    pub default: Option<String>,
    /// Index among the entry's parameters.
    pub index: usize,
    /// Whether its fields are validated.
    pub validated: bool,
    /// Constraints on the parameter itself.
    pub constraints: Vec<Annotation>,
    /// How the library class parses its text.
    pub form: Option<TextForm>,
    /// Whether the handler takes it as an `Optional` of this type.
    pub is_wrapped: bool,
    /// Its role in an object that the framework fills; `None` for a parameter with a value of its own.
    pub part: Option<Part>,
}

/// The role of a slot in an object that the framework fills from parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The parameter of the entry method that receives the object.
    Whole,
    /// A property of the object.
    Property(MemberId),
    /// The page number.
    Page,
    /// The page size.
    Size,
    /// The sort order.
    Sort,
}

impl Slot {
    /// A slot for an input that no parameter of the entry method receives.
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
            is_wrapped: false,
            part: None,
        }
    }

    /// Converts a text of the request.
    pub fn convert(&self, text: &str) -> Converted {
        match self.form.map(|form| form.fit(text)) {
            Some(Fit::Plain) => Converted::Made,
            Some(Fit::No) => Converted::Refused,
            Some(Fit::Open) => Converted::Unknown,
            None => convert(text, &self.ty, || self.constants.clone()),
        }
    }

    /// Whether the entry method has a parameter for it. Otherwise it is only a path variable, or code reads it from
    /// the request.
    pub fn is_read(&self) -> bool {
        self.index != UNREAD
    }

    /// Whether it only fills a part of an object parameter.
    pub fn is_part(&self) -> bool {
        self.part.is_some_and(|part| part != Part::Whole)
    }
}

/// The index of a slot without a parameter.
const UNREAD: usize = usize::MAX;

/// The constant names of an enum type, if its texts are these names.
pub fn constants(project: &Project, ty: &Type) -> Option<Vec<Rc<str>>> {
    // The project may have a converter that reads the texts of a generated enum.
    let is_read = |id: &TypeId| project.ty(*id).kind == TypeKind::Enum && project.origin(*id).is_none();
    ty.project().filter(is_read).map(|id| enum_constants(project, id))
}

/// The input place of a location.
pub fn place(location: Location) -> InputPlace {
    match location {
        Location::Path => InputPlace::Path,
        Location::Query => InputPlace::Query,
        Location::Header => InputPlace::Header,
        Location::Cookie => InputPlace::Cookie,
        Location::Body => InputPlace::Body,
        _ => InputPlace::Form,
    }
}
