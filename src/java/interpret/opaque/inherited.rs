//! Fields that a class of the project inherits from a library, and other fields of objects whose class does not declare
//! them: their values are opaque, and what code writes to them is kept.

use std::rc::Rc;

use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::term::Term;
use crate::interpret::values::value::{Kind, ObjId, Type, Value};
use crate::ir::named::Named;

impl Machine<'_> {
    /// Whether a value is a mapper that MapStruct generates.
    pub(super) fn is_mapper(&self, value: &Value) -> bool {
        let Value::Symbol(symbol) = value else { return false };
        let Some(ty) = symbol.ty.project() else { return false };
        self.project.ty(ty).annotations.iter().any(|one| one.simple() == "Mapper")
            && matches!(self.project.resolve(ty, "Mapper"), Named::Library(name) if &*name == "org.mapstruct.Mapper")
    }

    /// Whether a value is an object of a project class that has supertypes in a library.
    pub(in crate::interpret) fn inherits_fields(&self, value: &Value) -> bool {
        let Value::Ref(id) = value else { return false };
        match &self.object(*id).class {
            ClassRef::Project(ty) => self.project.library_supers(*ty).iter().any(|above| *above != "java.lang.Object"),
            ClassRef::Library(_) => false,
        }
    }

    /// The value of a field that a library declares for an object of the project.
    pub(in crate::interpret) fn inherited_field(&mut self, id: ObjId, name: &str) -> Value {
        if let Some(value) = self.object(id).inherited.get(name) {
            return value.clone();
        }
        let of = match &self.object(id).kind {
            Kind::Opaque(term) => Some(term.clone()),
            Kind::Body(input) => Some(Rc::new(Term::Input(input.clone()))),
            _ => None,
        };
        if let Some(of) = of {
            let words = format!("{}.{name}", self.name_of(&of));
            let leaf = self.part(&of, &format!(".{name}"), &Type::Unknown, &words);
            return self.of_opaque(leaf, &Type::Unknown);
        }
        let (class, noun) = (self.class_name(&self.object(id).class), self.noun(id));
        let filled = self.object(id).filled.clone();
        let after = filled.map_or_else(String::new, |by| format!(" after {by}"));
        self.given_as(&format!("the field {name} of a new {class}{after}"), &format!("{noun}.{name}"), Type::Unknown)
    }

    /// Writes a field that the object's class does not declare. A write to an object that is not followed is an event.
    pub(in crate::interpret) fn write_undeclared(&mut self, object: &Value, name: &str, value: Value) -> Eval {
        self.not_null(object)?;
        let made = self.lazy_object(object).unwrap_or_else(|| object.clone());
        match &made {
            Value::Ref(id) if self.inherits_fields(&made) => {
                self.object_mut(*id).inherited.insert(Rc::from(name), value.clone());
            }
            made => {
                let operands = self.canons(&[made.clone(), value.clone()]);
                self.event(&format!("field {name}"), operands, &format!("{name} = …"));
            }
        }
        Ok(value)
    }
}
