//! Objects as the driver's POJO codec stores them: through the constructor without parameters, getters and setters.

use super::kept::{CopyKind, is_kept};
use crate::interpret::classes::objects::{capitalised, has};
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::support::{Answer, open};
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{ObjId, Type, Value};
use crate::ir::facts::{MemberKind, Modifiers, TypeKind};
use crate::ir::ids::{MemberId, TypeId};

impl Machine<'_> {
    /// Copies an object like the driver's POJO codec: through the constructor without parameters, getters and
    /// setters.
    pub(super) fn copied_pojo(&mut self, id: ObjId, ty: TypeId, way: CopyKind, depth: usize) -> Answer {
        let facts = self.project.ty(ty);
        let line: Vec<TypeId> = std::iter::once(ty).chain(self.project.all_supers(ty)).collect();
        let members: Vec<MemberId> = line.iter().flat_map(|ty| self.project.members(*ty)).collect();
        let odd = |member: &MemberId| {
            let mut all = self.project.member(*member).annotations.iter();
            all.any(|a| a.simple().starts_with("Bson") && a.simple() != "BsonId")
        };
        if facts.kind != TypeKind::Class
            || facts.annotations.iter().any(|a| a.simple().starts_with("Bson"))
            || line.iter().any(|ty| self.project.ty(*ty).annotations.iter().any(|a| a.simple() == "Builder"))
            || members.iter().any(odd)
            || members.iter().any(|member| self.is_field_for_all(*member))
            || !self.is_made_by_codec(ty)
        {
            return open("how a codec keeps an object");
        }
        let class = Type::Class(ClassRef::Project(ty), Vec::new());
        let made = self.quietly(|machine| machine.construct_type(&class, Vec::new()))?;
        let Some(Value::Ref(made)) = made else { return open("a document could not be made") };
        if line.iter().any(|ty| has(&self.project.ty(*ty).annotations, &["Data", "Getter", "Setter"])) {
            for member in self.fields_of(ty)? {
                let value = self.read_member(&Value::Ref(id), member)?;
                let declared = self.field_type(member);
                self.is_as_declared(&value, &declared)?;
                let value = self.copied(&value, way, depth + 1)?;
                if !value.is_null() {
                    self.object_mut(made).fields.insert(member, value);
                }
            }
            return Ok(Value::Ref(made));
        }
        for name in self.properties_of(&members) {
            let held = self.property(id, &name)?;
            self.is_as_declared(&held, &self.property_type(&members, &name))?;
            let value = self.copied(&held, way, depth + 1)?;
            if value.is_null() {
                continue;
            }
            let setter = format!("set{}", capitalised(&name));
            let done = self.quietly(|machine| machine.call_method(Value::Ref(made), &setter, vec![value.clone()]))?;
            if done.is_none() {
                return open("a setter of a document fails");
            }
            // The model calls getter and setter twice per round trip, the codec once. So a setter that changes its
            // value is not modelled.
            if let (Value::Scalar(given), Value::Scalar(read)) = (&value, &self.property(made, &name)?)
                && given != read
            {
                return open("a property of a document that changes as it is set");
            }
        }
        Ok(Value::Ref(made))
    }

    /// Whether the codec stores a field without a getter.
    fn is_field_for_all(&self, member: MemberId) -> bool {
        let facts = self.project.member(member);
        facts.kind == MemberKind::Field
            && facts.modifiers.has(Modifiers::PUBLIC)
            && !facts.modifiers.has(Modifiers::STATIC)
    }

    /// Whether a class has a constructor for the codec: without parameters, and public or protected.
    fn is_made_by_codec(&self, ty: TypeId) -> bool {
        let facts = self.project.ty(ty);
        let is_seen = |modifiers: Modifiers| modifiers.has(Modifiers::PUBLIC) || modifiers.has(Modifiers::PROTECTED);
        let mut own = self.project.members(ty).map(|member| self.project.member(member));
        let (mut any, mut fits) = (false, false);
        for member in own.by_ref().filter(|member| member.kind == MemberKind::Constructor) {
            any = true;
            fits = fits || member.params.is_empty() && is_seen(member.modifiers);
        }
        let says = has(&facts.annotations, &["AllArgsConstructor", "RequiredArgsConstructor", "Value", "SuperBuilder"]);
        let without = facts.annotations.iter().find(|a| a.simple() == "NoArgsConstructor");
        match without {
            Some(without) => without.arg("access").is_none(),
            None => fits || !any && !says && is_seen(facts.modifiers),
        }
    }

    /// Leaves an object open whose class differs from the property's declared class, which the codec uses.
    fn is_as_declared(&self, value: &Value, declared: &Type) -> Answer<()> {
        let Value::Ref(id) = value else { return Ok(()) };
        match (&self.object(*id).class, declared) {
            (ClassRef::Project(own), Type::Class(ClassRef::Project(declared), _)) if own == declared => Ok(()),
            (ClassRef::Project(_), _) => open("an object of another class than a property declares"),
            _ => Ok(()),
        }
    }

    /// The parameter type of a property's setter.
    fn property_type(&self, members: &[MemberId], name: &str) -> Type {
        let setter = format!("set{}", capitalised(name));
        let found = members.iter().find(|member| {
            let facts = self.project.member(**member);
            facts.kind == MemberKind::Method && facts.name == setter && facts.params.len() == 1
        });
        let Some(found) = found else { return Type::Unknown };
        let param = self.project.member(*found).params.first();
        param.map_or(Type::Unknown, |param| self.type_of(found.ty, &param.ty))
    }

    /// The properties of a class with a getter and a setter, sorted.
    fn properties_of(&self, members: &[MemberId]) -> Vec<String> {
        let is_method = |member: &MemberId, name: &str, params: usize| {
            let facts = self.project.member(*member);
            facts.kind == MemberKind::Method
                && facts.name == name
                && facts.params.len() == params
                && facts.modifiers.has(Modifiers::PUBLIC)
                && !facts.modifiers.has(Modifiers::STATIC)
        };
        let mut found: Vec<String> = Vec::new();
        for member in members {
            let facts = self.project.member(*member);
            let Some(rest) = facts.name.strip_prefix("set").filter(|rest| rest.starts_with(char::is_uppercase)) else {
                continue;
            };
            let mut chars = rest.chars();
            let name: String = chars.next().into_iter().flat_map(char::to_lowercase).chain(chars).collect();
            let has_getter = ["get", "is"]
                .iter()
                .any(|prefix| members.iter().any(|other| is_method(other, &format!("{prefix}{rest}"), 0)));
            if is_method(member, &facts.name, 1) && has_getter && !found.contains(&name) {
                found.push(name);
            }
        }
        found
    }

    /// The value that a property's getter returns.
    pub(super) fn property(&mut self, id: ObjId, name: &str) -> Answer {
        let ClassRef::Project(ty) = self.object(id).class else { return open("a property of a library's object") };
        let line: Vec<TypeId> = std::iter::once(ty).chain(self.project.all_supers(ty)).collect();
        let members: Vec<MemberId> = line.iter().flat_map(|ty| self.project.members(*ty)).collect();
        let capital = capitalised(name);
        let getter = members.iter().find_map(|member| {
            let facts = self.project.member(*member);
            let named = facts.name.strip_prefix("get").or_else(|| facts.name.strip_prefix("is")) == Some(&capital);
            (facts.kind == MemberKind::Method && named && facts.params.is_empty()).then(|| facts.name.clone())
        });
        if let Some(getter) = getter {
            let given = self.quietly(|machine| machine.call_method(Value::Ref(id), &getter, Vec::new()))?;
            return given.map_or_else(|| open("a getter of a document fails"), Ok);
        }
        let field = members.into_iter().find(|m| is_kept(self.project, *m) && self.project.member(*m).name == name);
        match field {
            Some(field) => Ok(self.read_member(&Value::Ref(id), field)?),
            None => open("a query names no property"),
        }
    }
}
