//! The writer of one mapper's implementation: its state, and the names that it creates.

use super::beans::Property;
use super::mapper::Mapper;
use super::mappings::{Mapping, Mappings};
use super::methods::Method;
use mastor_java::ir::ty::Ty;
use mastor_java::types::typing::Types;

/// The state while one mapper is written.
pub struct Writer<'t, 'p> {
    /// Types of the project.
    pub types: &'t Types<'p>,
    /// The mapper.
    pub mapper: &'t Mapper,
    /// The methods that it can call.
    pub methods: Vec<Method>,
    /// Generated helper methods: source type, target type, name and source text.
    pub helpers: Vec<(Ty, Ty, String, String)>,
    /// Indices of the used mappers that are called.
    pub called: Vec<usize>,
    /// Number of names created.
    pub count: usize,
}

/// A value that a property is set to.
pub struct PropertyValue {
    /// Statements to run before.
    pub before: Vec<String>,
    /// The expression.
    pub value: String,
    /// The variable that must be checked for null before.
    pub guard: Option<String>,
    /// The value to set if that variable is null.
    pub otherwise: Option<String>,
}

impl Writer<'_, '_> {
    /// The field with a used mapper.
    pub fn field(&self, at: usize) -> String {
        format!("used{at}")
    }

    /// A unique name.
    pub fn name(&mut self, stem: &str) -> String {
        self.count += 1;
        format!("{stem}{}", self.count)
    }

    /// The source text of a type.
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

    /// Whether null leaves a property unchanged.
    pub fn keeps(&self, property: &Property, mappings: &Mappings) -> bool {
        let own = mappings.all.iter().find(|one| one.target.as_slice() == [property.name.clone()]);
        own.and_then(|one: &Mapping| one.keeps_on_null).or(mappings.keeps_on_null).unwrap_or(self.mapper.keeps_on_null)
    }
}
