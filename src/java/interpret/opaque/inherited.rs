//! Fields that a class of the project inherits from a library, and other fields of objects whose class does not declare
//! them: their values are opaque, and what code writes to them is kept.

use std::rc::Rc;

use super::calls::Unfollowed;
use super::canon::key_of;
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::term::Term;
use crate::interpret::values::value::{Kind, ObjId, Type, Value};
use crate::ir::facts::{TypeKind, TypeRef};
use crate::ir::ids::TypeId;
use crate::ir::named::Named;

impl Machine<'_> {
    /// Whether a call makes a new object by a mapper that MapStruct generates. One with a target fills it.
    pub(super) fn is_mapping(&self, call: &Unfollowed<'_>) -> bool {
        let Some(Value::Symbol(symbol)) = call.receiver else { return false };
        let Some(ty) = symbol.ty.project() else { return false };
        let facts = self.project.ty(ty);
        let is_named = facts.annotations.iter().any(|one| one.simple() == "Mapper")
            && matches!(self.project.resolve(ty, "Mapper"), Named::Library(name) if &*name == "org.mapstruct.Mapper");
        let fills = facts.members.iter().filter(|member| member.name == call.name).any(|member| {
            member.params.iter().flat_map(|param| &param.annotations).any(|one| one.simple() == "MappingTarget")
        });
        is_named && !fills
    }

    /// Whether a value is an object of a project class that extends a class of a library.
    pub(in crate::interpret) fn inherits_fields(&self, value: &Value) -> bool {
        let Value::Ref(id) = value else { return false };
        let ClassRef::Project(ty) = self.object(*id).class else { return false };
        std::iter::once(ty).chain(self.project.all_supers(ty)).any(|own| {
            let facts = self.project.ty(own);
            let extends = |above: &TypeRef| self.project.resolve(own, &above.name).project().is_none();
            facts.kind == TypeKind::Class && facts.extends.iter().any(extends)
        })
    }

    /// Whether an unresolved name may be one that a file imports statically from a library.
    pub(in crate::interpret) fn imports_names(&self, ty: TypeId) -> bool {
        let imports = &self.project.file(self.project.file_of(ty)).facts.imports;
        imports.iter().any(|import| import.is_static && import.wildcard)
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
        let is_own = matches!(&made, Value::Ref(id) if !matches!(self.object(*id).kind, Kind::Bean));
        match &made {
            Value::Ref(id) => _ = self.object_mut(*id).inherited.insert(Rc::from(name), value.clone()),
            Value::Symbol(symbol) => {
                let key = (key_of(&symbol.term), Rc::from(name));
                self.opaque.undeclared.insert(key, value.clone());
            }
            _ => {}
        }
        if !(is_own && self.inherits_fields(&made)) {
            let operands = self.canons(&[made, value.clone()]);
            self.event(&format!("field {name}"), operands, &format!("{name} = …"));
        }
        Ok(value)
    }
}
