//! Copies objects to stored documents and back; the two share no state.

use crate::interpret::classes::objects::has;
use crate::interpret::engine::machine::Machine;
use crate::interpret::library::base::contents::{Contents, contents};
use crate::interpret::library::base::support::{Answer, open};
use crate::interpret::library::time::old_dates;
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{Kind, ObjId, Object, Type, Value};
use crate::ir::facts::{MemberKind, Modifiers, TypeKind};
use crate::ir::ids::{MemberId, TypeId};
use crate::project::index::Project;

/// Maximum nesting depth of objects in a document.
const DEPTH: usize = 8;

/// The kind of copy.
#[derive(Debug, Clone, Copy)]
pub struct CopyKind {
    /// Whether a stored document is copied for the code; otherwise an object of the code is copied to the store.
    pub reads: bool,
    /// Whether the driver's codec copies; otherwise Spring Data does.
    pub by_codec: bool,
}

/// Whether documents store this field.
pub fn is_kept(project: &Project, member: MemberId) -> bool {
    let facts = project.member(member);
    matches!(facts.kind, MemberKind::Field | MemberKind::RecordComponent)
        && !facts.modifiers.has(Modifiers::STATIC)
        && !facts.modifiers.has(Modifiers::TRANSIENT)
        && !has(&facts.annotations, &["Transient"])
}

impl Machine<'_> {
    /// A deep copy of a project object.
    pub(super) fn document_copy(&mut self, object: ObjId, way: CopyKind) -> Answer<ObjId> {
        match self.copied(&Value::Ref(object), way, 0)? {
            Value::Ref(copy) => Ok(copy),
            _ => open("what a document holds is not known"),
        }
    }

    pub(super) fn copied(&mut self, value: &Value, way: CopyKind, depth: usize) -> Answer {
        self.step()?;
        if depth > DEPTH {
            return open("a document of great depth");
        }
        let id = match value {
            Value::Ref(id) => *id,
            Value::Class(_) | Value::Lambda(_) => return open("how a value is kept in a document"),
            other => return Ok(other.clone()),
        };
        if let Kind::Escaped(why) = &self.object(id).kind {
            let (why, ty) = (why.clone(), Type::Class(self.object(id).class.clone(), Vec::new()));
            return Ok(Value::unknowable(&why, ty));
        }
        match self.object(id).class.clone() {
            ClassRef::Project(ty) => self.copied_object(id, ty, way, depth),
            ClassRef::Library(fqn) => self.copied_value(id, &fqn, way, depth),
        }
    }

    fn copied_value(&mut self, id: ObjId, fqn: &str, way: CopyKind, depth: usize) -> Answer {
        const AS_THEY_ARE: &[&str] = &[
            super::object_ids::FQN,
            "java.util.UUID",
            "java.math.BigDecimal",
            "java.math.BigInteger",
            "java.time.LocalDate",
        ];
        const TO_THE_MILLISECOND: &[&str] = &["java.time.LocalDateTime", "java.time.LocalTime", "java.time.Instant"];
        let ty = Type::Class(ClassRef::library(fqn), Vec::new());
        if AS_THEY_ARE.contains(&fqn) {
            if way.by_codec && matches!(fqn, "java.util.UUID" | "java.math.BigInteger") {
                return open("a codec of the driver for a value");
            }
            return Ok(Value::Ref(id));
        }
        if fqn == old_dates::FQN {
            let copy = self.object(id).clone();
            return Ok(Value::Ref(self.allocate(copy)));
        }
        match contents(&self.heap, id) {
            Some(Contents::Text(text)) if TO_THE_MILLISECOND.contains(&fqn) => {
                let fraction = text.rsplit_once('.').map_or(0, |(_, digits)| digits.trim_end_matches('Z').len());
                Ok(match fraction {
                    0..=3 => Value::Ref(id),
                    _ => Value::unknowable("a time to the millisecond", ty),
                })
            }
            Some(Contents::List(items)) => {
                let items = self.all_copied(&items, way, depth)?;
                Ok(self.list_of(items))
            }
            Some(Contents::Set(items)) => {
                let items = self.all_copied(&items, way, depth)?;
                let list = self.list_of(items);
                let class = if way.reads && way.by_codec { "java.util.HashSet" } else { "java.util.LinkedHashSet" };
                let made = self.quietly(|machine| machine.call_library(class, "<init>", None, vec![list]))?;
                made.map_or_else(|| open("a set of a document"), Ok)
            }
            Some(Contents::Map(entries)) => {
                let class = if way.reads && way.by_codec { "java.util.HashMap" } else { "java.util.LinkedHashMap" };
                let made = self.quietly(|machine| machine.call_library(class, "<init>", None, Vec::new()))?;
                let Some(made) = made else { return open("a map of a document") };
                for (key, value) in entries {
                    let is_plain = matches!(&key, Value::Scalar(crate::interpret::values::scalar::Scalar::Str(text)) if !text.text.contains(['.', '$']));
                    if !is_plain {
                        return open("the keys of a map of a document");
                    }
                    let value = self.copied(&value, way, depth + 1)?;
                    self.call_method(made.clone(), "put", vec![key, value])?;
                }
                Ok(made)
            }
            _ => open("how a value is kept in a document"),
        }
    }

    fn all_copied(&mut self, items: &[Value], way: CopyKind, depth: usize) -> Answer<Vec<Value>> {
        let mut copies = Vec::new();
        for item in items {
            copies.push(self.copied(item, way, depth + 1)?);
        }
        Ok(copies)
    }

    fn copied_object(&mut self, id: ObjId, ty: TypeId, way: CopyKind, depth: usize) -> Answer {
        if self.project.has_unknown_super(ty) {
            return open("an object of a document inherits from a library");
        }
        if way.by_codec {
            return self.copied_pojo(id, ty, way, depth);
        }
        let mut held: Vec<(MemberId, Value)> = Vec::new();
        for member in self.fields_of(ty)? {
            let value = self.read_member(&Value::Ref(id), member)?;
            held.push((member, self.copied(&value, way, depth + 1)?));
        }
        if !way.reads || self.project.ty(ty).kind == TypeKind::Record {
            let mut copy = Object::new(ClassRef::Project(ty), Kind::Plain);
            copy.captured.clone_from(&self.object(id).captured);
            copy.fields = held.into_iter().collect();
            return Ok(Value::Ref(self.allocate(copy)));
        }
        self.read_object(ty, &held)
    }

    /// The stored fields of a class and its superclasses.
    pub(super) fn fields_of(&self, ty: TypeId) -> Answer<Vec<MemberId>> {
        const COLLECTIONS: &[&str] =
            &["List", "ArrayList", "Collection", "Iterable", "Set", "HashSet", "LinkedHashSet", "Map", "LinkedHashMap"];
        let classes = std::iter::once(ty).chain(self.project.all_supers(ty));
        let members: Vec<MemberId> = classes.flat_map(|ty| self.project.members(ty)).collect();
        let is_transient = |member: &&MemberId| {
            let facts = self.project.member(**member);
            facts.modifiers.has(Modifiers::TRANSIENT) && !facts.modifiers.has(Modifiers::STATIC)
        };
        if members.iter().any(|member| is_transient(&member)) {
            return open("a field of a document is transient by its modifier");
        }
        let kept: Vec<MemberId> = members.into_iter().filter(|member| is_kept(self.project, *member)).collect();
        let is_odd = |member: &&MemberId| match self.field_type(**member) {
            Type::Class(ClassRef::Library(fqn), _) => {
                let simple = fqn.strip_prefix("java.util.").filter(|rest| !rest.contains('.'));
                simple.is_some_and(|name| name.ends_with(['t', 'p']) && !COLLECTIONS.contains(&name))
            }
            Type::Array(_) => true,
            _ => false,
        };
        match kept.iter().any(|member| is_odd(&member)) {
            true => open("a field of a document that is read as another class"),
            false => Ok(kept),
        }
    }

    /// Creates an object from a stored document: with the constructor without parameters or the only constructor,
    /// then field by field. Null is not stored, so such a field keeps the constructor's value.
    fn read_object(&mut self, ty: TypeId, held: &[(MemberId, Value)]) -> Answer {
        let facts = self.project.ty(ty);
        let constructors: Vec<MemberId> =
            self.project.members(ty).filter(|m| self.project.member(*m).kind == MemberKind::Constructor).collect();
        let lombok = has(
            &facts.annotations,
            &["AllArgsConstructor", "RequiredArgsConstructor", "Builder", "Value", "SuperBuilder"],
        );
        let without = has(&facts.annotations, &["NoArgsConstructor"])
            || constructors.is_empty() && !lombok
            || constructors.iter().any(|one| self.project.member(*one).params.is_empty());
        let is_chosen = |one: &MemberId| {
            has(&self.project.member(*one).annotations, &["PersistenceCreator", "PersistenceConstructor"])
        };
        if constructors.iter().any(is_chosen) {
            return open("a constructor that is chosen for documents");
        }
        let mut args = Vec::new();
        match constructors.as_slice() {
            _ if without => {}
            [only] => {
                let is_null = |value: &Value| value.is_null();
                for param in &self.project.member(*only).params {
                    let own = held.iter().find(|(member, _)| self.project.member(*member).name == param.name);
                    let Some((_, value)) = own else { return open("a constructor of a document") };
                    if is_null(value) && param.ty.is_primitive() {
                        return open("a constructor of a document");
                    }
                    args.push(value.clone());
                }
            }
            _ => return open("a constructor of a document"),
        }
        let given: Vec<&str> = match args.is_empty() {
            true => Vec::new(),
            false => self.project.member(constructors[0]).params.iter().map(|param| param.name.as_str()).collect(),
        };
        let held = held.iter().filter(|(member, _)| !given.contains(&self.project.member(*member).name.as_str()));
        let held: Vec<&(MemberId, Value)> = held.collect();
        if held.iter().any(|(member, _)| self.project.member(*member).modifiers.has(Modifiers::FINAL)) {
            return open("a final field of a document");
        }
        let class = Type::Class(ClassRef::Project(ty), Vec::new());
        let made = self.quietly(|machine| machine.construct_type(&class, args))?;
        let Some(Value::Ref(made)) = made else { return open("a document could not be made") };
        for (member, value) in held {
            if !value.is_null() {
                self.object_mut(made).fields.insert(*member, value.clone());
            }
        }
        Ok(Value::Ref(made))
    }
}
