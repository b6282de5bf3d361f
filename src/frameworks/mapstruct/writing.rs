//! The writer of one mapper's implementation: what it knows, and the names that it gives.

use super::beans::Property;
use super::mapper::Mapper;
use super::mappings::{Mapping, Mappings};
use super::methods::Method;
use crate::java::ty::Ty;
use crate::java::typing::Types;

/// What is written of one mapper.
pub struct Writer<'t, 'p> {
    /// Types of the project.
    pub types: &'t Types<'p>,
    /// The mapper.
    pub mapper: &'t Mapper,
    /// What it can call.
    pub methods: Vec<Method>,
    /// Methods that are made beside those that are asked for: from, to, name and text.
    pub helpers: Vec<(Ty, Ty, String, String)>,
    /// The mappers that are called, by their places.
    pub called: Vec<usize>,
    /// How many names were given.
    pub count: usize,
}

/// A value that a property is set from.
pub struct Given {
    /// Statements before.
    pub before: Vec<String>,
    /// The expression.
    pub value: String,
    /// The variable that is looked at for null before.
    pub guard: Option<String>,
    /// What is set where that is null.
    pub otherwise: Option<String>,
}

impl Writer<'_, '_> {
    /// The field that holds a mapper that is used.
    pub fn field(&self, at: usize) -> String {
        format!("used{at}")
    }

    /// A name that nothing else has.
    pub fn name(&mut self, stem: &str) -> String {
        self.count += 1;
        format!("{stem}{}", self.count)
    }

    /// A type as it is written.
    pub fn text(&self, ty: &Ty) -> Result<String, String> {
        let args = |args: &[Ty]| -> Result<String, String> {
            let all: Result<Vec<String>, String> = args.iter().map(|arg| self.text(arg)).collect();
            let all = all?;
            Ok(if all.is_empty() { String::new() } else { format!("<{}>", all.join(", ")) })
        };
        match ty {
            Ty::Prim(name) => Ok(name.to_string()),
            Ty::Project { id, args: of } => Ok(format!("{}{}", self.types.project().fqn(*id), args(of)?)),
            Ty::Library { fqn, args: of } => Ok(format!("{fqn}{}", args(of)?)),
            Ty::Array(of) => Ok(format!("{}[]", self.text(of)?)),
            _ => Err("a type is not known".to_owned()),
        }
    }

    /// Whether null leaves a property as it is.
    pub fn keeps(&self, property: &Property, mappings: &Mappings) -> bool {
        let own = mappings.all.iter().find(|one| one.target.as_slice() == [property.name.clone()]);
        own.and_then(|one: &Mapping| one.keeps_on_null).or(mappings.keeps_on_null).unwrap_or(self.mapper.keeps_on_null)
    }
}
