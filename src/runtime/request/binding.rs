//! Binding: how parameters and bodies reach a handler, and which inputs the framework refuses.

use super::case::{Case, CaseBody};
use super::dispatched::REFUSED;
use super::injected;
use super::signature::{Slot, element};
use super::text_forms::Converted;
use crate::body::mixed::within;
use crate::body::provider;
use crate::server::serve::Server;
use mastor_frameworks::Location;
use mastor_frameworks::record::{self, Places, Refusals};
use mastor_java::interpret::engine::machine::{Eval, Machine, Stop};
use mastor_java::interpret::paths::condition::{Cond, Defect};
use mastor_java::interpret::values::scalar::{ClassRef, Scalar};
use mastor_java::interpret::values::term::{Input, InputPlace, Term};
use mastor_java::interpret::values::value::{Kind, Object, Type, Value};
use mastor_java::ir::ids::TypeId;
use mastor_types::suite::input::in_order;
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::rc::Rc;

impl Server<'_> {
    /// The argument of a handler that a request gives for this parameter, or how the framework refuses the request.
    pub fn bind(&self, machine: &mut Machine<'_>, slot: &Slot) -> Eval {
        if self.is_nameless(slot) {
            machine.exit = None;
            machine.models.insert("parameter-names");
            let message = machine.said_by_framework(&slot.input.to_string());
            return Err(machine.throw("java.lang.IllegalArgumentException", message));
        }
        match slot.location {
            Location::Path | Location::Query | Location::Header | Location::Cookie | Location::Form => {
                if slot.location == Location::Form {
                    self.form(machine);
                }
                match self.case {
                    Some(case) => self.bind_text(machine, slot, case),
                    None => self.bind_open(machine, slot),
                }
            }
            Location::Body => {
                let value = match self.case {
                    Some(case) => self.bind_body(machine, slot, case)?,
                    None => {
                        let is_text = self.bench.signature.text_body.is_some();
                        self.reads(machine, is_text);
                        if slot.required && self.framework().binding.requires_body {
                            let defect = if is_text { Defect::Missing } else { Defect::Unreadable };
                            self.fork_defect(machine, slot, defect)?;
                        }
                        if is_text {
                            Value::symbol(Term::Input(slot.input.clone()), Type::Str, !slot.required)
                        } else if slot.ty.project().is_some_and(|ty| self.bench.signature.fields(ty).is_some()) {
                            machine.input(slot.input.clone(), &slot.ty, false)
                        } else {
                            machine.given("the body", "how the body is read", slot.ty.clone())
                        }
                    }
                };
                if slot.validated {
                    self.validate_slot(machine, &value, slot)?;
                }
                Ok(value)
            }
            Location::Context if let Some(value) = self.given(machine, slot) => Ok(value),
            Location::Context => Ok(machine.given_by_framework(&slot.input.name, slot.ty.clone())),
            _ if let Some(made) = self.bind_model(machine, slot) => made,
            _ => {
                if !machine.is_opaque() {
                    machine.presume(&format!("how {} is bound is not modelled", slot.input.name));
                }
                Ok(match machine.is_opaque() {
                    true => {
                        let name = format!("`{}` as it is bound", slot.input.name);
                        machine.given_as(&name, &slot.input.name, slot.ty.clone())
                    }
                    false => {
                        machine.unknown(&format!("{} is bound by the framework", slot.input.name), slot.ty.clone())
                    }
                })
            }
        }
    }

    /// The value of a parameter whose conversion is not modelled.
    fn converted_openly(&self, machine: &mut Machine<'_>, slot: &Slot) -> Value {
        match machine.is_opaque() {
            true => machine.given_as(
                &format!("`{}` as it is converted", slot.input.name),
                &slot.input.name,
                slot.ty.clone(),
            ),
            false => machine.unknown(&format!("how {} is converted", slot.input.name), slot.ty.clone()),
        }
    }

    /// Whether Spring cannot know which input a parameter is bound to: no annotation names it, and the compiled class
    /// does not keep parameter names, the only place where Spring 6.1 and later look. The rule `parameter-names`.
    fn is_nameless(&self, slot: &Slot) -> bool {
        const NAMING: &[&str] = &["PathVariable", "RequestParam", "RequestHeader", "CookieValue"];
        let subject = self.bench.subject;
        let (endpoint, build) = (subject.endpoint, subject.build);
        let is_text = matches!(slot.location, Location::Path | Location::Query | Location::Header | Location::Cookie);
        if !is_text || !endpoint.framework.binding.names_from_classes {
            return false;
        }
        let params = &subject.project.member(endpoint.entry).params;
        let annotations = params.get(slot.index).map(|param| &param.annotations).into_iter().flatten();
        let mut naming = annotations.filter(|annotation| NAMING.contains(&annotation.simple()));
        naming.next().is_some_and(|one| one.arg("value").is_none() && one.arg("name").is_none())
            && slot.is_read()
            && subject.project.all_supers(endpoint.entry.ty).is_empty()
            && build.boot(&endpoint.file).is_some_and(|boot| boot >= (3, 2))
            && build.keeps_parameter_names(&endpoint.file) == Some(false)
    }

    /// Throws the framework's exception for a defect of an input.
    pub fn refuse(&self, machine: &mut Machine<'_>, slot: &Slot, defect: &Defect) -> Stop {
        machine.exit = None;
        let text = machine.said_by_framework(&format!("{} as {}: {defect:?}", slot.input, machine.type_name(&slot.ty)));
        let kinds = match self.framework().binding.refusals {
            Refusals::ByDocument => return machine.throw(REFUSED, text),
            Refusals::ByPlace(places) => return self.refuse_by_place(machine, (slot, defect, text), places),
            Refusals::ByKind(_) if self.is_reactive() => {
                return self.refuse_reactively(machine, defect, (slot.location, text));
            }
            Refusals::ByKind(kinds) => kinds,
            Refusals::Unknown => {
                machine.doubt("what is done about a value that cannot be read is not modelled");
                return machine.throw("java.lang.IllegalArgumentException", text);
            }
        };
        let fqn = match (defect, slot.location) {
            (Defect::Missing, Location::Header) => kinds.missing_header,
            (Defect::Missing, Location::Cookie) => kinds.missing_cookie,
            (Defect::Missing, Location::Body) | (Defect::Unreadable, _) => kinds.unreadable,
            (Defect::Missing, _) => kinds.missing_parameter,
            (Defect::NotA(_), _) => kinds.mismatch,
        };
        let stop = machine.throw(fqn, text.clone());
        if let (Defect::NotA(_), Stop::Throw(thrown)) = (defect, &stop)
            && let Some(id) = thrown.object
        {
            // The cause is an `IllegalArgumentException`, directly or further down; for numbers a
            // `NumberFormatException`.
            let cause = if slot.constants.is_some() || slot.form.is_some_and(|form| form.maker() != "<init>") {
                "java.lang.IllegalArgumentException"
            } else {
                "java.lang.NumberFormatException"
            };
            let cause = machine.modelled(cause, &[("message", text)]);
            machine.object_mut(id).parts.insert("cause", cause);
        }
        stop
    }

    /// Throws an exception that carries its status; the status depends on the location of the value.
    fn refuse_by_place(
        &self,
        machine: &mut Machine<'_>,
        (slot, defect, text): (&Slot, &Defect, Value),
        places: &Places,
    ) -> Stop {
        if *defect == Defect::Unreadable {
            return machine.throw(places.unreadable, text);
        }
        if slot.constants.is_some() && injected::converts_constants(self.bench.subject) {
            machine.doubt(&format!("how Dropwizard refuses a text for {} is not modelled", slot.input.name));
        }
        let (fqn, status) = match slot.location {
            Location::Path | Location::Query => (places.not_found, 404),
            _ => (places.bad_request, 400),
        };
        let stop = machine.throw(fqn, Value::unknown("message of a refused parameter", Type::Str));
        if let Stop::Throw(thrown) = &stop
            && let Some(id) = thrown.object
        {
            machine.object_mut(id).parts.insert("status", Value::int(status));
            machine.object_mut(id).parts.insert("body", Value::NULL);
        }
        stop
    }

    /// Records a doubt unless Jackson is the build's JSON provider and the mapping accepts JSON. A text body leaves no
    /// doubt, nor does a framework whose JSON library does not depend on the build.
    fn reads(&self, machine: &mut Machine<'_>, is_text: bool) {
        if self.framework().body.json != record::Json::OfBuild {
            return;
        }
        let consumes = &self.bench.subject.endpoint.consumes;
        let json = |kind: &String| kind.to_lowercase().contains("json");
        if !is_text && (!provider::is_jackson(self.bench) || !consumes.is_empty() && !consumes.iter().any(json)) {
            machine.doubt("how the body is read is not modelled");
        }
    }

    /// Records a doubt if reading the form is uncertain. A form without fields can be sent in more than one way.
    fn form(&self, machine: &mut Machine<'_>) {
        let endpoint = self.bench.subject.endpoint;
        let is_form = |kind: &String| kind.to_lowercase().contains("x-www-form-urlencoded") || kind.contains('*');
        if !endpoint.consumes.is_empty() && !endpoint.consumes.iter().any(is_form) {
            machine.doubt("a form of another kind is read");
        }
        let is_field = |input: &Input| input.place == InputPlace::Form;
        if self.case.is_some_and(|case| !case.params.keys().any(is_field)) {
            machine.doubt("how a form without fields is read is not modelled");
        }
    }

    fn fork_defect(&self, machine: &mut Machine<'_>, slot: &Slot, defect: Defect) -> Eval<()> {
        if machine.decide(Cond::Input(slot.input.clone(), defect.clone()), None)? {
            return Err(self.refuse(machine, slot, &defect));
        }
        Ok(())
    }

    /// Binds a parameter to a symbolic input.
    fn bind_open(&self, machine: &mut Machine<'_>, slot: &Slot) -> Eval {
        let optional = !slot.required && slot.default.is_none();
        let primitive = matches!(slot.ty, Type::Prim(_));
        let zero = self.framework().binding.zero_for_missing;
        if slot.required && slot.location != Location::Path && slot.default.is_none() {
            self.fork_defect(machine, slot, Defect::Missing)?;
        }
        if optional && primitive && !zero && slot.location != Location::Path {
            // Spring cannot convert a missing value to a primitive, except for `boolean`, which becomes false.
            if slot.ty != Type::Prim(mastor_java::interpret::values::scalar::Prim::Bool)
                && machine.decide(Cond::Input(slot.input.clone(), Defect::Missing), None)?
            {
                let message = machine.said_by_framework(&slot.input.to_string());
                return Err(machine.throw("java.lang.IllegalStateException", message));
            }
        }
        let is_followed = matches!(slot.ty, Type::Str | Type::Prim(_) | Type::Boxed(_))
            || slot.constants.is_some()
            || slot.form.is_some();
        if !is_followed {
            machine.may_throw(&format!("how {} is converted is not modelled", slot.input.name))?;
            return Ok(self.converted_openly(machine, slot));
        }
        if let Some(typed) = type_name(machine, slot) {
            self.fork_defect(machine, slot, Defect::NotA(typed))?;
        }
        Ok(Value::symbol(Term::Input(slot.input.clone()), slot.ty.clone(), optional && !primitive))
    }

    /// Binds a parameter to the text of a case.
    fn bind_text(&self, machine: &mut Machine<'_>, slot: &Slot, case: &Case) -> Eval {
        let Some(text) = case.params.get(&slot.input).or(slot.default.as_ref()) else {
            if slot.required {
                return Err(self.refuse(machine, slot, &Defect::Missing));
            }
            return match &slot.ty {
                Type::Prim(prim)
                    if self.framework().binding.zero_for_missing
                        || *prim == mastor_java::interpret::values::scalar::Prim::Bool =>
                {
                    Ok(Value::Scalar(prim.zero()))
                }
                Type::Prim(_) => {
                    let message = machine.said_by_framework(&slot.input.to_string());
                    Err(machine.throw("java.lang.IllegalStateException", message))
                }
                _ if self.is_dispatched() => Ok(Value::NULL),
                Type::Str | Type::Boxed(_) => Ok(Value::NULL),
                _ if slot.constants.is_some() || slot.form.is_some() => Ok(Value::NULL),
                _ => {
                    machine.may_throw(&format!("how {} is converted is not modelled", slot.input.name))?;
                    Ok(self.converted_openly(machine, slot))
                }
            };
        };
        self.allow(machine, slot, text)?;
        if self.is_dispatched() && element(&slot.ty) == Some(Type::Str) && !text.contains(',') {
            let only = machine.fresh_text(text);
            let kind = Kind::List { items: vec![only], fixed: false };
            return Ok(Value::Ref(machine.allocate(Object::new(ClassRef::library("java.util.ArrayList"), kind))));
        }
        match self.read_text(machine, slot, case, text)? {
            Some(value) => Ok(value),
            None => Err(self.refuse(machine, slot, &Defect::NotA(Rc::from("")))),
        }
    }

    /// The value that a text of a test case is converted to; `None` if the framework refuses the text.
    pub fn read_text(&self, machine: &mut Machine<'_>, slot: &Slot, case: &Case, text: &str) -> Eval<Option<Value>> {
        if let Some(key) = case.key(text, &slot.ty) {
            return Ok(Some(key));
        }
        Ok(match slot.convert(text) {
            Converted::Value(Scalar::Str(text)) => Some(machine.fresh_text(&text.text)),
            Converted::Value(value) => Some(Value::Scalar(value)),
            Converted::Refused => None,
            Converted::Made => self.make(machine, slot, text)?,
            Converted::Unknown => {
                machine.may_throw(&format!("how {} is converted is not modelled", slot.input.name))?;
                Some(self.converted_openly(machine, slot))
            }
        })
    }

    /// The value that the library class parses from a text; `None` if it throws.
    fn make(&self, machine: &mut Machine<'_>, slot: &Slot, text: &str) -> Eval<Option<Value>> {
        let (Some(form), Some(fqn)) = (slot.form, slot.ty.library()) else { return Ok(Some(Value::NULL)) };
        machine.models.insert("text-forms");
        let text = machine.fresh_text(text);
        match machine.call_library(fqn, form.maker(), None, vec![text]) {
            Err(Stop::Throw(_)) => Ok(None),
            made => made.map(Some),
        }
    }

    /// Binds the body of a case.
    fn bind_body(&self, machine: &mut Machine<'_>, slot: &Slot, case: &Case) -> Eval {
        let is_text = self.bench.signature.text_body.is_some();
        self.reads(machine, is_text);
        let by_provider = self.framework().body.json == record::Json::OfBuild;
        match &case.body {
            CaseBody::None | CaseBody::Malformed
                if by_provider && (is_text || !provider::answers_refused(self.bench)) =>
            {
                machine.doubt("how a missing or malformed body is read is not modelled");
                Ok(machine.unknown("how the body is read", slot.ty.clone()))
            }
            CaseBody::None if slot.required => Err(self.refuse(machine, slot, &Defect::Missing)),
            // A body that reads as null is missing too (`RequestResponseBodyMethodProcessor`).
            CaseBody::Json(Json::Null) if slot.required && !by_provider && !is_text => {
                Err(self.refuse(machine, slot, &Defect::Missing))
            }
            CaseBody::None => Ok(Value::NULL),
            // An empty body is missing.
            CaseBody::Json(Json::String(text)) if text.is_empty() && self.bench.signature.text_body.is_some() => {
                match (by_provider, slot.required) {
                    (false, true) => Err(self.refuse(machine, slot, &Defect::Missing)),
                    (false, false) => Ok(Value::NULL),
                    (true, _) => Ok(machine.fresh_text("")),
                }
            }
            CaseBody::Malformed => Err(self.refuse(machine, slot, &Defect::Unreadable)),
            CaseBody::Json(json) => {
                if !self.bench.surroundings.serialisation.is_empty() && self.bench.signature.text_body.is_none() {
                    machine.doubt("how JSON is read is configured");
                }
                if let Some(mixed) = &self.bench.surroundings.mixed
                    && !self.reads_the_same(machine, mixed, &slot.ty, json)
                {
                    machine.doubt("how JSON is read is configured");
                }
                // Keys in the order in which they are sent, since code that reads a map can see it.
                self.read_json(machine, &slot.ty, &in_order(json))
            }
        }
    }

    /// Whether a mapper of the project reads this body as the framework's mapper would. It may not: the project's
    /// mapper refuses unknown properties and supports fewer forms.
    fn reads_the_same(&self, machine: &Machine<'_>, mixed: &BTreeSet<TypeId>, ty: &Type, json: &Json) -> bool {
        let inside = within(machine, mixed, ty);
        let fields = |map: &serde_json::Map<String, Json>| {
            let known = ty.project().and_then(|id| self.bench.signature.fields(id)).unwrap_or_default();
            map.iter().all(|(name, value)| known.iter().any(|field| field.name == *name) && !value.is_object())
        };
        let is_flat = match json {
            Json::Object(map) => fields(map),
            Json::Array(items) => items.iter().all(|item| !item.is_object() && !item.is_array()),
            _ => true,
        };
        !inside.is_touched && !inside.is_odd && is_flat
    }
}

/// The name of a parameter's type that a text may fail to convert to; `None` for strings.
pub fn type_name(machine: &Machine<'_>, slot: &Slot) -> Option<Rc<str>> {
    match &slot.ty {
        Type::Prim(prim) | Type::Boxed(prim) => Some(Rc::from(prim.keyword())),
        Type::Class(ClassRef::Project(ty), _) => Some(Rc::from(machine.project.ty(*ty).name.as_str())),
        ty => ty.library().filter(|_| *ty != Type::Str).and_then(|fqn| fqn.rsplit('.').next()).map(Rc::from),
    }
}
