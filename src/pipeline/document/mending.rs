//! Turns each disagreement between the document and the code into edits of the text, or into the reason why there is
//! none.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::pipeline::document::described::Described;
use crate::pipeline::document::plan::{Done, Plan, Planned, Step, keys};
use crate::pipeline::document::values::{components, for_version};
use mastor_derive::oracles::drift::{Disagreement, Mend};
use mastor_frameworks::paths::template;
use mastor_openapi::edit::{Act, After, Edit};
use mastor_openapi::{Document, DocumentLocation, Operation};
use mastor_types::described::DescribedOperation;
use mastor_types::suite::source_context::Location;

/// Plans the edits that mend the given document.
pub fn plan(described: &Described, document: &Document) -> Planned {
    let all = described.disagreements(Some(document), |one| Some(one.op_id.clone()));
    let mut plan =
        Plan { described, document, all: &all, planned: Planned::default(), removals: Vec::new(), refers: Vec::new() };
    for one in &all {
        let done = plan.step(one);
        if let Err(why) = done {
            plan.planned.left.push(format!("{}: {}: {why}", one.drift.op_id, one.drift.what));
        }
    }
    for drift in described.unserved() {
        plan.planned.left.push(format!("{}: {}: whether it goes, only a person can tell", drift.op_id, drift.what));
    }
    plan.add_components();
    // Removals go from the last to the first, so that the places of earlier ones stay valid.
    plan.removals.sort_by(|a, b| (&b.file, b.edit.at.len(), &b.edit.at).cmp(&(&a.file, a.edit.at.len(), &a.edit.at)));
    plan.removals.dedup_by(|a, b| a.edit == b.edit);
    let Plan { mut planned, removals, .. } = plan;
    planned.steps.extend(removals);
    planned
}

const SHARED: &str = "other operations share it, and may not differ";

impl Plan<'_> {
    fn step(&mut self, one: &Disagreement) -> Done {
        let described = self.described.operations.iter().find(|of| of.op_id == one.drift.op_id);
        let described = described.ok_or("the operation is not described")?;
        let op_id = described.op_id.as_str();
        match (&one.mend, self.document.operation(op_id)) {
            (Mend::ByHand(why), _) => Err(why),
            (Mend::Operation, _) => self.operation(described),
            (_, None) => Err("the document does not have the operation"),
            (Mend::Response(status), Some(operation)) => self.response(described, operation, *status),
            (Mend::Parameter(location, name), Some(operation)) => {
                self.parameter(described, operation, (*location, name))
            }
            (Mend::Required(at, required), Some(operation)) => {
                self.own(one, operation, at)?;
                let what = format!("{op_id}: {} is {}", self.name(at), if *required { "required" } else { "optional" });
                let after = After::These(["name", "in", "description"].map(str::to_owned).into());
                self.set(at, "required", Value::Bool(*required), after, what);
                Ok(())
            }
            (Mend::Schema(at, location, name), Some(operation)) => {
                self.own(one, operation, at)?;
                self.schema(described, at, (*location, name))
            }
            (Mend::NoParameter(at), Some(operation)) => self.no_parameter(operation, at),
        }
    }

    /// Checks that a part may be changed: it belongs to the operation alone, or all operations that share it disagree
    /// in the same way.
    fn own(&self, one: &Disagreement, operation: &Operation, at: &DocumentLocation) -> Done {
        let is_inside = at.file == operation.at.file && at.pointer.starts_with(&format!("{}/", operation.at.pointer));
        let users = self.document.operations.iter().flat_map(|other| &other.parameters);
        let users = users.filter(|parameter| parameter.at == *at).count();
        let alike = self.all.iter().filter(|other| other.mend == one.mend).count();
        if is_inside || users == alike { Ok(()) } else { Err(SHARED) }
    }

    fn name(&self, at: &DocumentLocation) -> String {
        let value = self.document.value(at).and_then(|value| value.get("name"));
        value.and_then(Value::as_str).unwrap_or("the parameter").to_owned()
    }

    fn response(&mut self, described: &DescribedOperation, operation: &Operation, status: u16) -> Done {
        let value = self.value(described).ok_or("the operation is not described")?;
        let response = value.pointer(&format!("/responses/{status}")).ok_or("the status is not described")?.clone();
        self.in_root(operation, &response)?;
        let what = format!("{}: answers {status}", described.op_id);
        let responses = operation.at.at("responses");
        match self.document.value(&responses) {
            Some(Value::Object(map)) => {
                // Responses that earlier edits add count too.
                let before = |key: &String| key.parse::<u16>().is_ok_and(|code| code < status);
                let all = map.keys().cloned().chain(self.added(&responses));
                let after = After::These(all.filter(before).collect());
                self.set(&responses, &status.to_string(), response.clone(), after, what);
            }
            _ => {
                let all = Value::Object(Map::from_iter([(status.to_string(), response.clone())]));
                self.set(&operation.at, "responses", all, After::All, what);
            }
        }
        self.refers.push(response);
        Ok(())
    }

    fn parameter(
        &mut self,
        described: &DescribedOperation,
        operation: &Operation,
        (location, name): (Location, &str),
    ) -> Done {
        let mut value = self.parameter_of(described, location, name).ok_or("the parameter is not described")?;
        let (own, given) = (template(&described.path).1, template(&operation.path).1);
        if location == Location::Path {
            let from_end = own.iter().rev().position(|variable| variable.name == name);
            let given = from_end.and_then(|at| given.iter().rev().nth(at)).ok_or("the path has no place for it")?;
            value["name"] = Value::from(given.name.clone());
        }
        self.in_root(operation, &value)?;
        let what = format!("{}: takes the {} parameter {name}", described.op_id, word(location));
        let parameters = operation.at.at("parameters");
        match self.document.value(&parameters) {
            Some(Value::Array(_)) => self.push(&parameters, Act::Append(value.clone()), what),
            _ => {
                // The first added parameter creates the list, and later ones join it.
                let is_new = |step: &&mut Step| {
                    step.file == operation.at.file
                        && step.edit.at == keys(&operation.at)
                        && matches!(&step.edit.act, Act::Set { key, .. } if key == "parameters")
                };
                let known = self.planned.steps.iter_mut().find(is_new);
                if let Some(Step {
                    edit: Edit { act: Act::Set { value: Value::Array(all), .. }, .. },
                    what: told,
                    ..
                }) = known
                {
                    all.push(value.clone());
                    *told += &format!(", {name}");
                } else {
                    let before = ["tags", "summary", "description", "externalDocs", "operationId"];
                    let after = After::These(before.map(str::to_owned).into());
                    self.set(&operation.at, "parameters", Value::Array(vec![value.clone()]), after, what);
                }
            }
        }
        self.refers.push(value);
        Ok(())
    }

    fn parameter_of(&self, described: &DescribedOperation, location: Location, name: &str) -> Option<Value> {
        let value = self.value(described)?;
        let renamed = self.described.assembled.names.get(&described.op_id).and_then(|exported| {
            let own = template(&described.path).1.iter().position(|variable| variable.name == name)?;
            template(exported.path()).1.get(own).map(|variable| variable.name.clone())
        });
        let name =
            if location == Location::Path { renamed.unwrap_or_else(|| name.to_owned()) } else { name.to_owned() };
        let is_it = |one: &&Value| one["in"] == word(location) && one["name"] == *name;
        value.get("parameters")?.as_array()?.iter().find(is_it).cloned()
    }

    fn schema(
        &mut self,
        described: &DescribedOperation,
        at: &DocumentLocation,
        (location, name): (Location, &str),
    ) -> Done {
        let wanted = self.parameter_of(described, location, name).ok_or("the parameter is not described")?;
        let place = at.at("schema");
        let (Some(Value::Object(wanted)), Some(Value::Object(given))) =
            (wanted.get("schema"), self.document.value(&place))
        else {
            return Err("its schema is not written as one of OpenAPI 3");
        };
        let given = given.clone();
        if given.contains_key("$ref") || wanted.contains_key("$ref") {
            return Err("its schema is shared");
        }
        let is_typed = given.get("type") == wanted.get("type");
        let types: &[&str] = if is_typed { &[] } else { &["type", "format"] };
        let bounds = [
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "minLength",
            "maxLength",
            "minItems",
            "maxItems",
        ];
        let bounds = bounds.iter().filter(|bound| given.contains_key(**bound));
        let mut is_any = false;
        for keyword in types.iter().chain(bounds) {
            let what = |value: &str| format!("{}: {name} has {keyword} {value}", described.op_id);
            match (wanted.get(*keyword), given.get(*keyword)) {
                (Some(value), known) if known != Some(value) => {
                    let what = what(&value.to_string());
                    self.set(&place, keyword, value.clone(), After::These(vec!["type".to_owned()]), what);
                    is_any = true;
                }
                (None, Some(_)) => {
                    let what = what("no more");
                    let edit = Edit { at: keys(&place.at(keyword)), act: Act::Remove };
                    self.removals.push(Step { file: place.file.clone(), edit, what });
                    is_any = true;
                }
                _ => {}
            }
        }
        if is_any { Ok(()) } else { Err("how its schema differs cannot be written") }
    }

    fn no_parameter(&mut self, operation: &Operation, at: &DocumentLocation) -> Done {
        let list = operation.at.at("parameters");
        let Some(Value::Array(items)) = self.document.value(&list) else {
            return Err("it stands at the path, for all operations of it");
        };
        let is_it = |index: &usize| {
            let item = list.at(&index.to_string());
            item == *at || self.document.follow(&item).is_some_and(|(place, _)| place == *at)
        };
        let index = (0..items.len()).find(is_it).ok_or("it stands at the path, for all operations of it")?;
        let what = format!("{}: {} is not read", operation.op_id, self.name(at));
        let edit = Edit { at: keys(&list.at(&index.to_string())), act: Act::Remove };
        self.removals.push(Step { file: list.file, edit, what });
        Ok(())
    }

    /// Checks that a value may be inserted at an operation: in another file, its references would not resolve.
    fn in_root(&self, operation: &Operation, value: &Value) -> Done {
        let is_free = operation.at.file == self.document.path || !value.to_string().contains("\"$ref\"");
        if is_free { Ok(()) } else { Err("the operation stands in another file than the schemas") }
    }

    /// Adds the schemas that inserted values reference and that the document lacks.
    fn add_components(&mut self) {
        let at = DocumentLocation::new(&self.document.path, "/components/schemas");
        let given = self.document.value(&at).and_then(Value::as_object);
        let given: BTreeSet<String> = given.into_iter().flat_map(|map| map.keys().cloned()).collect();
        let wanted = components(&self.described.assembled.value, &self.refers, &given);
        let root = DocumentLocation::new(&self.document.path, "");
        let (has_schemas, has_components) =
            (self.document.value(&at).is_some(), self.document.value(&root.at("components")).is_some());
        if !has_schemas && !wanted.is_empty() {
            let all: Map<String, Value> = wanted
                .iter()
                .map(|(name, value)| (name.clone(), for_version(value.clone(), self.document.version)))
                .collect();
            let names: Vec<&str> = wanted.keys().map(String::as_str).collect();
            let what = format!("schemas: {}", names.join(", "));
            let all = Value::Object(all);
            match has_components {
                true => self.set(&root.at("components"), "schemas", all, After::All, what),
                false => {
                    let components = Value::Object(Map::from_iter([("schemas".to_owned(), all)]));
                    self.set(&root, "components", components, After::All, what);
                }
            }
            return;
        }
        for (name, value) in wanted {
            let value = for_version(value, self.document.version);
            self.set(&at, &name, value, After::All, format!("schema {name}"));
        }
    }
}

fn word(location: Location) -> &'static str {
    match location {
        Location::Path => "path",
        Location::Header => "header",
        Location::Cookie => "cookie",
        _ => "query",
    }
}
