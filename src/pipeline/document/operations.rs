//! Adds an operation that the document lacks, in the document's own style.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::pipeline::document::plan::{Done, Plan, Step, keys, near};
use mastor_frameworks::paths::{key, template};
use mastor_openapi::edit::{Act, After, Edit};
use mastor_openapi::{DocumentLocation, SecuritySchemeKind};
use mastor_types::OpId;
use mastor_types::described::DescribedOperation;

impl Plan<'_> {
    /// Plans to add the whole operation, under its path as the document spells it.
    pub fn operation(&mut self, described: &DescribedOperation) -> Done {
        let mut value = self.value(described).ok_or("another operation of the code has the same path and method")?;
        let path = self.spelled(described);
        let paths = DocumentLocation::new(&self.document.path, "/paths");
        let given = self.document.value(&paths).and_then(Value::as_object).ok_or("the document has no paths")?;
        let known = given.keys().find(|known| key(known) == key(&path)).cloned();
        let path = known.clone().unwrap_or(path);
        self.adapt_to_document(described, &mut value, &path);
        let method = described.method.as_str().to_lowercase();
        let what = format!("{}: is served", described.op_id);
        let item = known.as_ref().map(|known| paths.at(known));
        if item.iter().any(|item| self.document.value(item).is_some_and(|item| item.get("$ref").is_some())) {
            return Err("its path stands in another file");
        }
        self.planned.names.insert(described.op_id.clone(), OpId::new(described.method, &path));
        self.refers.push(value.clone());
        if let Some(item) = item {
            self.set(&item, &method, value, After::All, what);
            return Ok(());
        }
        let is_new = |step: &&mut Step| {
            step.edit.at == keys(&paths) && matches!(&step.edit.act, Act::Set { key, .. } if *key == path)
        };
        if let Some(Step { edit: Edit { act: Act::Set { value: Value::Object(item), .. }, .. }, what: told, .. }) =
            self.planned.steps.iter_mut().find(is_new)
        {
            item.insert(method, value);
            *told += &format!(", {}", described.method);
            return Ok(());
        }
        let added = self.added(&paths);
        let after = near(&path, given.keys().chain(&added));
        let item = Value::Object(Map::from_iter([(method, value)]));
        self.set(&paths, &path, item, after, what);
        Ok(())
    }

    /// The path of an operation as the document would spell it: the other operations tell which prefix the document
    /// omits or adds.
    fn spelled(&self, described: &DescribedOperation) -> String {
        let mut votes: BTreeMap<(String, String), usize> = BTreeMap::new();
        for other in &self.described.operations {
            let Some(operation) = self.document.operation(other.op_id.as_str()) else { continue };
            let (own, given) = (key(&other.path), key(&operation.path));
            if let Some(prefix) = own.strip_suffix(given.as_str()) {
                *votes.entry((prefix.to_owned(), String::new())).or_default() += 1;
            } else if let Some(prefix) = given.strip_suffix(own.as_str()) {
                *votes.entry((String::new(), prefix.to_owned())).or_default() += 1;
            }
        }
        let most = votes.into_iter().max_by(|a, b| (a.1, &b.0).cmp(&(b.1, &a.0)));
        let (without, with) = most.map(|(prefixes, _)| prefixes).unwrap_or_default();
        let rest = described.path.strip_prefix(&without).filter(|rest| rest.starts_with('/'));
        format!("{with}{}", rest.unwrap_or(&described.path))
    }

    /// Adapts a new operation to its surroundings: names of path variables, tags of the same class, and a unique
    /// operation id.
    fn adapt_to_document(&self, described: &DescribedOperation, value: &mut Value, path: &str) {
        let exported = self.described.assembled.names.get(&described.op_id).map_or(path, |name| name.path());
        let (own, given) = (template(exported).1, template(path).1);
        for (own, given) in own.iter().rev().zip(given.iter().rev()) {
            for parameter in value["parameters"].as_array_mut().into_iter().flatten() {
                if parameter["in"] == "path" && parameter["name"] == *own.name {
                    parameter["name"] = Value::from(given.name.clone());
                }
            }
        }
        let of_class = |other: &&DescribedOperation| other.full_class == described.full_class;
        let mut neighbours = self.described.operations.iter().filter(of_class);
        let tags =
            neighbours.find_map(|other| self.document.operation(other.op_id.as_str()).map(|one| one.tags.clone()));
        match tags.filter(|tags| !tags.is_empty()) {
            Some(tags) => value["tags"] = Value::from(tags),
            None => drop(value.as_object_mut().and_then(|map| map.shift_remove("tags"))),
        }
        self.name_security(value);
        let ids: BTreeSet<&str> =
            self.document.operations.iter().filter_map(|one| one.operation_id.as_deref()).collect();
        if let Some(id) = value["operationId"].as_str().map(str::to_owned)
            && ids.contains(id.as_str())
        {
            let own = (2..).map(|number| format!("{id}{number}")).find(|own| !ids.contains(own.as_str()));
            value["operationId"] = Value::from(own.unwrap_or(id));
        }
    }

    /// Gives the security schemes of a new operation their names in the document; if one of their kinds is missing
    /// there, `security` is removed.
    fn name_security(&self, value: &mut Value) {
        let named = |own: &str| {
            let kind = match own {
                "basicAuth" => SecuritySchemeKind::Basic,
                _ => SecuritySchemeKind::Bearer,
            };
            self.document.security_schemes.iter().find(|scheme| scheme.kind == kind).map(|scheme| scheme.name.clone())
        };
        let Some(asked) = value["security"].as_array() else { return };
        let renamed: Option<Vec<Value>> = asked
            .iter()
            .map(|one| {
                let one = one.as_object()?;
                let pairs = one.iter().map(|(own, scopes)| Some((named(own)?, scopes.clone())));
                pairs.collect::<Option<Map<String, Value>>>().map(Value::Object)
            })
            .collect();
        match renamed {
            Some(renamed) => value["security"] = Value::Array(renamed),
            None => drop(value.as_object_mut().and_then(|map| map.shift_remove("security"))),
        }
    }
}
