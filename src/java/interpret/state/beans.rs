//! Beans: singletons that the container creates, in their state between requests.

use std::rc::Rc;

use crate::interpret::classes::objects::{has, has_getter, has_setter};
use crate::interpret::engine::machine::{Eval, Machine, Stop};
use crate::interpret::library::environment::outside;
use crate::interpret::library::frameworks::environment::{self, property_as};
use crate::interpret::library::frameworks::{container, messages};
use crate::interpret::paths::path::Bound;
use crate::interpret::values::scalar::ClassRef;
use crate::interpret::values::value::{Kind, ObjId, Object, Type, Value};
use crate::ir::facts::{Annotation, MemberFacts, MemberKind, Modifiers, TypeKind};
use crate::ir::ids::{MemberId, TypeId};

/// Annotations of fields that the container injects.
pub const INJECTED: &[&str] =
    &["Autowired", "ConfigProperty", "Context", "EJB", "Inject", "PersistenceContext", "Resource", "Value"];

/// A list in the settings with this many elements or more is not followed.
const LISTED: usize = 64;

/// Marks a bean that has not been constructed yet.
const WAITING: &str = "not made up yet";

impl Machine<'_> {
    /// The singleton bean of a class, in its state between requests.
    pub fn bean(&mut self, ty: TypeId) -> Eval<ObjId> {
        let id = self.bean_later(ty);
        self.wake(id)?;
        Ok(id)
    }

    /// The singleton bean of a class, constructed only when one of its fields is first read, since the constructor
    /// arguments may not matter.
    fn bean_later(&mut self, ty: TypeId) -> ObjId {
        let key = (ty, Rc::from("bean"));
        if let Some(id) = self.singles.get(&key) {
            return *id;
        }
        let id = self.allocate(Object::new(ClassRef::Project(ty), Kind::Bean));
        self.object_mut(id).parts.insert(WAITING, Value::NULL);
        self.singles.insert(key, id);
        id
    }

    /// Constructs a bean that has not been constructed yet.
    pub(in crate::interpret) fn wake(&mut self, id: ObjId) -> Eval<()> {
        let ClassRef::Project(ty) = self.object(id).class else { return Ok(()) };
        if !matches!(self.object(id).kind, Kind::Bean) || self.object_mut(id).parts.remove(WAITING).is_none() {
            return Ok(());
        }
        self.object_mut(id).kind = Kind::Plain;
        let was = std::mem::replace(&mut self.is_starting, true);
        let made = self.quietly(|machine| machine.make_bean(ty, id));
        self.is_starting = was;
        self.opaque.never_starts |= matches!(made, Ok(None));
        let made = match made {
            // The service did start, so the loop must have ended.
            Err(Stop::Cut(Bound::Turns)) if self.is_opaque() => None,
            made => made?,
        };
        let mut members: Vec<MemberId> = self.project.members(ty).collect();
        for parent in self.project.all_supers(ty) {
            members.extend(self.project.members(parent));
        }
        let mut later: Vec<(MemberId, MemberId)> = Vec::new();
        for member in members {
            let facts = self.project.member(member);
            if facts.kind != MemberKind::Field || self.is_static(member) {
                continue;
            }
            let held = self.object(id).fields.get(&member).cloned();
            let name = format!("{}.{}", self.simple_name(member.ty), facts.name);
            let field_type = self.field_type(member);
            let lombok = held.is_none()
                && facts.body.is_none()
                && has(
                    &self.project.ty(member.ty).annotations,
                    &["RequiredArgsConstructor", "AllArgsConstructor", "Data"],
                );
            let value = if has(&facts.annotations, INJECTED) || lombok {
                self.injected(&field_type, &facts.name, &facts.annotations)?
            } else if made.is_none() {
                match held.filter(|value| self.is_opaque() && !value.is_null()) {
                    Some(value) => self.kept(value, member, Some(id), &name),
                    None => self.not_made(member.ty, &name, field_type),
                }
            } else if !facts.modifiers.has(Modifiers::FINAL) && self.is_assigned_later(member) {
                if let Some(value) = &held
                    && self.counts(member)
                    && self.follow(value, member, Some(id), &name)
                {
                    continue;
                }
                if let Some(method) = self.post_construct_of(member) {
                    later.push((member, method));
                    continue;
                }
                self.left_by_requests(&name, field_type)
            } else {
                match held {
                    Some(value) => self.kept(value, member, Some(id), &name),
                    None => continue,
                }
            };
            self.object_mut(id).fields.insert(member, value);
        }
        self.run_post_construct(id, &later)?;
        self.object_mut(id).kind = Kind::Bean;
        Ok(())
    }

    /// Whether anything except constructors and initialisers of its class assigns a field.
    pub(super) fn is_assigned_later(&self, field: MemberId) -> bool {
        let facts = self.project.member(field);
        if !facts.modifiers.has(Modifiers::PRIVATE) {
            // Other files can see the field: they may set it on an object, or a subclass may assign it.
            let is_set = self.cx.wiring.usage().is_none_or(|usage| usage.sets(&facts.name));
            let key = (facts.name.clone(), false);
            let assigns = |below: &TypeId| self.codes.assignments(self.project.file_of(*below)).contains_key(&key);
            if is_set || self.project.all_subtypes(field.ty).iter().any(assigns) {
                return true;
            }
        }
        self.assigning_members(field).into_iter().any(|member| {
            !matches!(self.project.member(member).kind, MemberKind::Constructor | MemberKind::Initializer)
        })
    }

    fn make_bean(&mut self, ty: TypeId, id: ObjId) -> Eval<()> {
        let constructors: Vec<MemberId> =
            self.project.members(ty).filter(|m| self.project.member(*m).kind == MemberKind::Constructor).collect();
        let chosen = match constructors.as_slice() {
            [] => None,
            [only] => Some(*only),
            several => {
                let wanted = several
                    .iter()
                    .copied()
                    .find(|m| has(&self.project.member(*m).annotations, &["Autowired", "Inject"]));
                let plain = several.iter().copied().find(|m| self.project.member(*m).params.is_empty());
                wanted.or(plain)
            }
        };
        let Some(constructor) = chosen else {
            let lombok =
                has(&self.project.ty(ty).annotations, &["RequiredArgsConstructor", "AllArgsConstructor", "Data"]);
            let this = Value::Ref(id);
            if !lombok {
                self.construct_super(ty, id, &this, &[], Vec::new(), None)?;
            }
            return self.run_initialisers(ty, id, &this);
        };
        let params = self.project.member(constructor).params.clone();
        let mut args = Vec::new();
        for param in &params {
            let declared = self.type_of(ty, &param.ty);
            args.push(self.injected(&declared, &param.name, &param.annotations)?);
        }
        self.construct_into(ty, id, &Value::Ref(id), &[constructor], args, None)
    }

    /// The singleton object of a library class that a factory method creates, if nothing can change it.
    fn of_factory(&mut self, fqn: &str, factory: MemberId) -> Eval<Option<Value>> {
        let key = (factory.ty, Rc::from(format!("made by {}", self.project.member(factory).name)));
        if let Some(id) = self.singles.get(&key) {
            return Ok(Some(Value::Ref(*id)));
        }
        let (bean, outer) = (Rc::<str>::from(fqn), self.opaque.making.clone());
        self.opaque.beans.insert(bean.clone());
        self.opaque.making = Some(bean);
        let made = self.quietly(|machine| {
            let this = if machine.is_static(factory) { None } else { Some(Value::Ref(machine.bean(factory.ty)?)) };
            machine.invoke(factory, this, Vec::new())
        });
        self.opaque.making = outer;
        let made = made?;
        let lasts = |object: &Object| match (&object.kind, &object.class) {
            (Kind::Native(native), _) => native.is_frozen(),
            (Kind::Modelled, ClassRef::Library(fqn)) => outside::keeps_nothing(fqn),
            _ => false,
        };
        Ok(match made {
            Some(Value::Ref(id)) if lasts(self.object(id)) => {
                self.singles.insert(key, id);
                Some(Value::Ref(id))
            }
            _ => None,
        })
    }

    /// Whether two revisions are compared, and a text is only a default: where the service runs, another one is likely set,
    /// and two properties with the same default differ. An empty default says that nothing is set.
    fn is_default_text(&self, declared: &Type, placeholder: &str) -> bool {
        self.is_compared()
            && *declared == Type::Str
            && self.cx.wiring.is_default(placeholder)
            && self.cx.wiring.property(placeholder).is_some_and(|text| !text.is_empty())
    }

    /// The value that the container injects into a field or parameter.
    pub fn injected(&mut self, declared: &Type, name: &str, annotations: &[Annotation]) -> Eval {
        if let Some(annotation) = annotations.iter().find(|annotation| annotation.simple() == "Value") {
            let text = match annotation.arg("value") {
                Some(crate::ir::facts::Value::Str(text)) if !self.is_default_text(declared, text) => {
                    self.cx.wiring.property(text)
                }
                _ => None,
            };
            return Ok(match text {
                Some(text) => self.converted_property(Some(&text), name, declared.clone()),
                None => {
                    let why = format!("the property of {name} is set when the service starts");
                    // The value is named by its property key, because two parameters of the same name may read
                    // different properties.
                    let key = match annotation.arg("value") {
                        Some(crate::ir::facts::Value::Str(text)) => format!("the property {text}"),
                        _ => format!("the property of {name}"),
                    };
                    self.given(&key, &why, declared.clone())
                }
            });
        }
        if let Some(annotation) = annotations.iter().find(|annotation| annotation.simple() == "ConfigProperty") {
            return Ok(self.config_property(annotation, name, declared));
        }
        if let Type::Class(ClassRef::Project(ty), _) = declared {
            if let Some(repository) = self.repository(*ty) {
                return Ok(repository);
            }
            if let Some(properties) = self.properties_bean(*ty)? {
                return Ok(properties);
            }
            if let Some(class) = self.cx.wiring.bean(*ty, name) {
                return Ok(Value::Ref(self.bean_later(class)));
            }
            let what = format!("{} is made at run time", self.simple_name(*ty));
            return Ok(self.given(self.project.fqn(*ty), &what, declared.clone()));
        }
        for given in [container::proxy, environment::injected, messages::injected] {
            if let Some(given) = declared.library().and_then(|fqn| given(self, fqn)) {
                return Ok(given);
            }
        }
        if let Some(fqn) = declared.library()
            && let Some(factory) = self.cx.wiring.factory(fqn)
            && let Some(made) = self.of_factory(fqn, factory)?
        {
            return Ok(made);
        }
        if let Some(manager) = self.entity_manager(declared, annotations) {
            return Ok(manager);
        }
        if let Some(template) = self.mongo_template(declared) {
            return Ok(template);
        }
        if let Some(template) = self.sql_template(declared) {
            return Ok(template);
        }
        // Texts and numbers are not found by their type alone.
        let is_text_or_number = declared.library().is_none_or(|fqn| fqn.starts_with("java.lang."));
        let name_of = match declared.library() {
            Some(fqn) if !is_text_or_number => fqn.to_owned(),
            _ => name.to_owned(),
        };
        Ok(self.given(&name_of, &format!("{name} is injected from a library"), declared.clone()))
    }
}

impl Machine<'_> {
    /// The singleton of a class that is filled from properties with a prefix, if all of its properties are simple.
    fn properties_bean(&mut self, ty: TypeId) -> Eval<Option<Value>> {
        let facts = self.project.ty(ty);
        let Some(annotation) = facts.annotations.iter().find(|a| a.simple() == "ConfigurationProperties") else {
            return Ok(None);
        };
        let key = (ty, Rc::from("properties"));
        if let Some(id) = self.singles.get(&key) {
            return Ok(Some(Value::Ref(*id)));
        }
        let prefix = match annotation.arg("prefix").or_else(|| annotation.arg("value")) {
            Some(crate::ir::facts::Value::Str(prefix)) => prefix.clone(),
            _ => return Ok(None),
        };
        let made = match facts.kind {
            TypeKind::Class => self.filled_properties(ty, &prefix)?,
            TypeKind::Record => self.record_of_properties(ty, &prefix)?,
            _ => None,
        };
        if let Some(Value::Ref(id)) = made {
            self.singles.insert(key, id);
        }
        Ok(made)
    }

    /// A record whose components are filled from properties with a prefix.
    fn record_of_properties(&mut self, ty: TypeId, prefix: &str) -> Eval<Option<Value>> {
        let components: Vec<MemberId> =
            self.project.members(ty).filter(|m| self.project.member(*m).kind == MemberKind::RecordComponent).collect();
        let mut args = Vec::new();
        for component in components {
            let of = self.project.member(component);
            let declared = self.field_type(component);
            args.push(self.bound_property(prefix, &of.name, declared));
        }
        let class = Type::Class(ClassRef::Project(ty), Vec::new());
        let made = self.quietly(|machine| machine.construct_type(&class, args))?;
        Ok(made.filter(|made| matches!(made, Value::Ref(_))))
    }
}

impl Machine<'_> {
    /// An object of a class that needs no constructor arguments, filled from properties with a prefix. Fields without a property
    /// keep their initial values (Spring Boot, "JavaBean Properties Binding").
    fn filled_properties(&mut self, ty: TypeId, prefix: &str) -> Eval<Option<Value>> {
        let facts = self.project.ty(ty);
        let is_made_by_more = |member: &MemberFacts| {
            member.kind == MemberKind::Constructor && !member.params.is_empty() || has(&member.annotations, INJECTED)
        };
        if facts.members.iter().any(is_made_by_more) || !facts.extends.is_empty() {
            return Ok(None);
        }
        let class = Type::Class(ClassRef::Project(ty), Vec::new());
        let Some(made @ Value::Ref(_)) = self.quietly(|machine| machine.construct_type(&class, Vec::new()))? else {
            return Ok(None);
        };
        let members: Vec<MemberId> = self.project.members(ty).collect();
        for member in members {
            let field = self.project.member(member);
            if field.kind != MemberKind::Field || field.modifiers.has(Modifiers::STATIC) {
                continue;
            }
            let declared = self.field_type(member);
            if !has_setter(self.project, ty, member) {
                // Collections and nested objects are filled in place (Spring Boot reference, "JavaBean Properties Binding").
                let is_filled = match declared.library() {
                    Some(fqn) => fqn.starts_with("java.util."),
                    None => declared.project().is_some_and(|of| self.project.ty(of).kind == TypeKind::Class),
                };
                if is_filled && has_getter(self.project, ty, member) {
                    // Another start is another value, since settings may leave it as it is.
                    let words = format!("the property {prefix}.{}", field.name);
                    if let Value::Ref(id) = made
                        && let Some(start) = self.object(id).fields.get(&member).cloned()
                    {
                        let name = format!("{words} that starts as {}", self.canon(&start).text());
                        let value = match self.listed_property(prefix, &field.name, &declared) {
                            Some(list) => list,
                            None if self.is_opaque() => self.given_as(&name, &words, declared),
                            None => self.given(&words, &words, declared),
                        };
                        self.object_mut(id).fields.insert(member, value);
                    }
                }
                continue;
            }
            let is_plain = matches!(declared, Type::Str | Type::Prim(_) | Type::Boxed(_));
            if is_plain && self.property_of(prefix, &field.name).is_none() {
                continue;
            }
            let value = self.bound_property(prefix, &field.name, declared);
            if self.quietly(|machine| machine.set_property(&made, ty, member, value))?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(made))
    }

    /// The value of a property after conversion.
    /// A setting of MicroProfile Config: that of the files, else the default of the annotation. What neither has may be
    /// set where the service is started, and so may an `Optional`.
    fn config_property(&mut self, annotation: &Annotation, name: &str, declared: &Type) -> Value {
        let said = |arg: &str| match annotation.arg(arg) {
            Some(crate::ir::facts::Value::Str(text)) => Some(text.as_str()),
            _ => None,
        };
        let Some(key) = said("name") else {
            let why = format!("the setting of {name} is named by its class");
            return self.given(&why, &why, declared.clone());
        };
        // An empty default is none.
        let default = said("defaultValue").filter(|text| !text.is_empty());
        let set = self.cx.wiring.property(&format!("${{{key}}}")).or_else(|| default.map(str::to_owned));
        let value = set.and_then(|text| property_as(self, &text, declared));
        let (named, why) =
            (format!("the property {key}"), format!("the property {key} is set when the service starts"));
        value.unwrap_or_else(|| self.given(&named, &why, declared.clone()))
    }

    fn bound_property(&mut self, prefix: &str, name: &str, declared: Type) -> Value {
        match self.listed_property(prefix, name, &declared) {
            Some(list) => list,
            None => self.converted_property(self.property_of(prefix, name).as_deref(), name, declared),
        }
    }

    fn converted_property(&mut self, text: Option<&str>, name: &str, declared: Type) -> Value {
        let value = text.and_then(|text| property_as(self, text, &declared));
        let why = format!("the property of {name}");
        value.unwrap_or_else(|| self.given(&why, &why, declared))
    }

    fn property_of(&self, prefix: &str, name: &str) -> Option<String> {
        self.cx.wiring.property(&format!("${{{prefix}.{name}}}"))
    }

    /// The collection of plain values that settings list under a name (Spring Boot reference, "Merging Complex Types":
    /// what settings say replaces the whole list). `None` if they list none, or more than are followed.
    fn listed_property(&mut self, prefix: &str, name: &str, declared: &Type) -> Option<Value> {
        let Type::Class(ClassRef::Library(fqn), args) = declared else { return None };
        let class = match &**fqn {
            "java.util.List" | "java.util.Collection" | "java.lang.Iterable" => "java.util.ArrayList",
            "java.util.Set" => "java.util.LinkedHashSet",
            _ => return None,
        };
        let element = args.first().filter(|ty| matches!(ty, Type::Str | Type::Boxed(_)))?.clone();
        let text = |at: usize| self.property_of(prefix, &format!("{name}[{at}]"));
        let texts: Vec<String> = (0..LISTED).map_while(text).collect();
        if texts.is_empty() || texts.len() == LISTED {
            return None;
        }
        let items = texts.iter().map(|text| property_as(self, text, &element)).collect::<Option<Vec<Value>>>()?;
        let list = Object::new(ClassRef::library(class), Kind::List { items, fixed: false });
        Some(Value::Ref(self.allocate(list)))
    }
}
