//! Postman export: a collection (v2.1) and its environment, with a folder for each operation and a request for each
//! oracle; sequences follow in order.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::binds::{Listed, Users, bound_body, captured};
use super::exported::{Export, Exported, LeftOut, symbols};
use super::postman_item::{Cannot, bytewise, headers as listed, item, text, verbatim};
use super::postman_script as script;
use super::postman_users::{Logins, RequestCredentials, logins};
use crate::json::to_text;
use crate::request::{base64_bytes, form_with, media_type, multipart, percent, target_with};
use mastor_template::{TemplateError, Templates};
use mastor_types::hash::Hash;
use mastor_types::op_id::OpId;
use mastor_types::suite::input::{Body, Input, canonical};
use mastor_types::suite::oracle::{Effect, Oracle};
use mastor_types::suite::sendable::cannot_be_sent;
use mastor_types::suite::sequence::{Sequence, Step};
use mastor_types::suite::varies::Varies;
use mastor_types::turn;

/// URL of the collection schema.
const SCHEMA: &str = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

const BYTES: &str = "Postman holds no body of bytes that are not UTF-8";

/// Exports the suite as a Postman collection and environment.
///
/// # Errors
/// Where a template is invalid.
pub fn postman(export: &Export<'_>) -> Result<Exported, TemplateError> {
    let to_run = export.to_run();
    let export = &Export { operations: &to_run.operations, sequences: &to_run.sequences, ..*export };
    let mut out = Exported { left_out: to_run.left_out.clone(), ..Exported::default() };
    let mut users = Users::new(export.accounts);
    let mut folders = Vec::new();
    // Without writing tests, no reset is needed.
    let is_reset = export.in_jvm.is_some_and(|known| known.reset.is_some())
        || export.all_sequences().next().is_some()
        || export.operations.values().flat_map(|operation| &operation.oracles).any(|one| one.effect == Effect::Writes);
    for (op_id, operation) in export.operations {
        let mut items = Vec::new();
        let mut oracles: Vec<&Oracle> = operation.oracles.iter().collect();
        oracles.sort_by_key(|oracle| (oracle.effect, turn::turn([oracle.asserted()])));
        let writes = oracles.iter().any(|oracle| oracle.effect == Effect::Writes);
        for oracle in oracles {
            match oracle_item(
                export.templates,
                (oracle, is_reset),
                &symbols(&operation.context.evidence, &oracle.evidence),
                &mut users,
            )? {
                Ok(item) => items.push(item),
                Err(reason) => out.left_out.push(LeftOut::new(&oracle.o_id, op_id, reason)),
            }
        }
        let place = writes.then(|| turn::turn([(op_id, [].as_slice())]));
        folders.push((place, json!({"name": op_id.as_str(), "item": items})));
    }
    // Read-only operations come first, then writing ones in mastor's own order.
    folders.sort_by_key(|(place, _)| *place);
    let mut folders: Vec<Value> = folders.into_iter().map(|(_, folder)| folder).collect();
    let mut sequences = Vec::new();
    let mut ordered: Vec<&Sequence> = export.all_sequences().collect();
    ordered.sort_by_key(|sequence| turn::turn(sequence.steps.iter().map(Step::asserted)));
    for sequence in ordered {
        match sequence_folder(export.templates, sequence, &export.symbols_of(sequence), &mut users)? {
            Ok(folder) => sequences.push(folder),
            Err((op_id, reason)) => out.left_out.push(LeftOut::new(&sequence.s_id, &op_id, reason)),
        }
    }
    if !sequences.is_empty() {
        folders.push(json!({"name": "Sequences", "item": sequences}));
    }
    let logins = logins(export.templates, &users)?;
    folders.splice(0..0, logins.as_ref().map(|logins| logins.folder.clone()));
    let collection = collection(export, &out.left_out, &folders, logins)?;
    out.files.insert("collection.json".to_owned(), to_text(&collection).into_bytes());
    out.files.insert("environment.json".to_owned(), to_text(&environment(export, &users)).into_bytes());
    Ok(out)
}

fn collection(
    export: &Export<'_>,
    left_out: &[LeftOut],
    folders: &[Value],
    users: Option<Logins>,
) -> Result<Value, TemplateError> {
    let mut description =
        "Made by mastor from the suite in .mastor/suite: change the suite and export again.".to_owned();
    for item in left_out {
        description.push_str(&format!("\nLeft out: {} ({}): {}", item.id, item.op_id, item.reason));
    }
    let library = export.templates.render("postman/library.js", BTreeMap::<&str, &str>::new())?;
    let mut variables = vec![
        json!({"key": "baseUrl", "value": export.default_base_url()}),
        json!({"key": "mastorLibrary", "value": library}),
    ];
    if let Some(users) = users {
        variables.push(json!({"key": "mastorUsers", "value": users.script}));
        if !users.made.is_empty() {
            variables.push(json!({"key": "mastorMade", "value": json!(users.made).to_string()}));
        }
    }
    Ok(json!({
        "info": {
            "_postman_id": uuid(export.service, "collection"),
            "name": export.service,
            "description": text(&description),
            "schema": SCHEMA,
        },
        "item": folders,
        "variable": variables,
    }))
}

fn environment(export: &Export<'_>, users: &Users<'_>) -> Value {
    let mut values =
        vec![json!({"key": "baseUrl", "value": export.default_base_url(), "type": "default", "enabled": true})];
    let reset = export.in_jvm.and_then(|known| known.reset.clone()).unwrap_or_default();
    values.push(json!({"key": "MASTOR_RESET", "value": reset, "type": "default", "enabled": true}));
    for setting in users.listed().iter().flat_map(Listed::settings) {
        values.push(json!({"key": setting, "value": "", "type": "secret", "enabled": true}));
    }
    json!({
        "id": uuid(export.service, "environment"),
        "name": export.service,
        "values": values,
        "_postman_variable_scope": "environment",
    })
}

/// A deterministic id in UUID form, as Postman expects.
fn uuid(service: &str, kind: &str) -> String {
    let hex = Hash::of_parts([service.as_bytes(), kind.as_bytes()]).short(32);
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

fn oracle_item(
    templates: &Templates,
    (oracle, is_reset): (&Oracle, bool),
    symbols: &[String],
    users: &mut Users<'_>,
) -> Result<Result<Value, Cannot>, TemplateError> {
    let sent = RequestCredentials::of(&oracle.as_user, users)
        .and_then(|user| Ok((request(&oracle.op_id, &user, &oracle.input, &BTreeMap::new(), "")?, user)));
    let (request, user) = match sent {
        Ok(sent) => sent,
        Err(reason) => return Ok(Err(reason)),
    };
    let writes = writes(oracle.effect, &[&oracle.op_id], &oracle.op_id);
    let judged = Varies::of(&oracle.confirmation, 1).judged(0, &oracle.assertions);
    let has_effect = oracle.effect == Effect::Writes;
    let before =
        script::before(templates, (&oracle.o_id, is_reset, has_effect, oracle.confirmation.fresh_state), &user)?;
    let test = script::of_oracle(templates, (&oracle.o_id, writes), &user, (&oracle.assertions, &judged))?;
    let description = format!(
        "{}\n\nop_id: {}\no_id: {}\nevidence: {}\n{}",
        oracle.description,
        oracle.op_id,
        oracle.o_id,
        symbols.join(", "),
        oracle.rationale
    );
    Ok(Ok(item(&format!("{} [{}]", oracle.test_id, oracle.o_id), &description, request, before.as_deref(), &test)))
}

fn sequence_folder(
    templates: &Templates,
    sequence: &Sequence,
    symbols: &[String],
    users: &mut Users<'_>,
) -> Result<Result<Value, (OpId, Cannot)>, TemplateError> {
    let mut items = Vec::new();
    let op_ids: Vec<&OpId> = sequence.steps.iter().map(|step| &step.op_id).collect();
    let varies = Varies::of(&sequence.confirmation, op_ids.len());
    for (n, step) in sequence.steps.iter().enumerate() {
        let writes = writes(sequence.effect, &op_ids, &step.op_id);
        let sent = RequestCredentials::of(&step.as_user, users)
            .and_then(|user| Ok((request(&step.op_id, &user, &step.input, &step.binds, &sequence.s_id)?, user)));
        let (request, user) = match sent {
            Ok(sent) => sent,
            Err(reason) => return Ok(Err((step.op_id.clone(), reason))),
        };
        let before = match n {
            0 => Some(script::before_sequence(templates, sequence, &user)?),
            _ => script::before(templates, (&sequence.s_id, false, writes, false), &user)?,
        };
        let judged = varies.judged(n, &step.assertions);
        let test = script::of_step(templates, (&sequence.s_id, writes), &user, (step, &judged))?;
        let name = format!("{} {} [{}]", n + 1, step.op_id, sequence.s_id);
        items.push(item(&name, &format!("op_id: {}", step.op_id), request, before.as_deref(), &test));
    }
    let description = format!("{}\n\ns_id: {}\nevidence: {}", sequence.description, sequence.s_id, symbols.join(", "));
    Ok(Ok(
        json!({"name": format!("{} [{}]", sequence.test_id, sequence.s_id), "description": text(&description), "item": items}),
    ))
}

/// Whether this request may change state: by its method, or, if all methods of the test are read-only, by the test's
/// effect.
fn writes(effect: Effect, op_ids: &[&OpId], op_id: &OpId) -> bool {
    !turn::is_safe([op_id]) || turn::writes_by_code(effect, op_ids)
}

fn request(
    op_id: &OpId,
    user: &RequestCredentials,
    input: &Input,
    binds: &BTreeMap<String, String>,
    s_id: &str,
) -> Result<Value, Cannot> {
    if let Some(why) = cannot_be_sent(op_id, input, binds) {
        return Err(format!("it cannot be sent: {why}"));
    }
    let bound = |place: &str| binds.get(place).and_then(|bind| captured(bind)).map(|name| script::variable(s_id, name));
    let encoded = |place: &str, value: &str| match bound(place) {
        Some(variable) => format!("{{{{{variable}_encoded}}}}"),
        None => percent(value),
    };
    let plain = |place: String, value: &str| match bound(&place) {
        Some(variable) => Ok::<String, Cannot>(format!("{{{{{variable}}}}}")),
        None => Ok(bytewise(&verbatim(value)?)),
    };
    let mut headers: Vec<(String, String)> = Vec::new();
    for (name, value) in &input.headers {
        headers.push((verbatim(name)?, plain(format!("header.{name}"), value)?));
    }
    let cookies: Vec<String> = input
        .cookies
        .iter()
        .map(|(name, value)| Ok(format!("{}={}", bytewise(&verbatim(name)?), plain(format!("cookie.{name}"), value)?)))
        .collect::<Result<_, Cannot>>()?;
    if !cookies.is_empty() {
        headers.push(("Cookie".to_owned(), cookies.join("; ")));
    }
    user.add_to(&mut headers);
    let raw = match &input.body {
        None => None,
        Some(body) => Some(raw_body(body, binds, encoded, s_id)?),
    };
    if let Some(body) = &input.body
        && !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type"))
    {
        headers.push(("Content-Type".to_owned(), bytewise(&verbatim(&media_type(body))?)));
    }
    // Postman would take a path segment that starts with a colon for a variable.
    let mut url = format!("{{{{baseUrl}}}}{}", target_with(op_id, input, encoded).replace("/:", "/%3A"));
    if let Some(pair) = &user.query {
        url.push_str(&format!("{}{pair}", if url.contains('?') { '&' } else { '?' }));
    }
    let mut request = json!({"method": op_id.method().as_str(), "header": listed(headers), "url": url});
    if let Some(raw) = raw {
        request["body"] = json!({"mode": "raw", "raw": raw});
    }
    Ok(request)
}

fn raw_body(
    body: &Body,
    binds: &BTreeMap<String, String>,
    encoded: impl Fn(&str, &str) -> String,
    s_id: &str,
) -> Result<String, Cannot> {
    match body {
        Body::Json { json } => {
            let bound = bound_body(json, binds);
            // Postman would take `{{` for a variable. In JSON it occurs inside texts only, where it can be escaped.
            let mut text = canonical(bound.as_ref().unwrap_or(json)).replace("{{", "{\\u007b");
            for bind in bound.iter().flat_map(|_| binds.values()) {
                if let Some(name) = captured(bind) {
                    let variable = format!("{{{{{}_json}}}}", script::variable(s_id, name));
                    text = text.replace(&Value::from(bind.as_str()).to_string(), &variable);
                }
            }
            Ok(text)
        }
        Body::Text { text, .. } => verbatim(text),
        Body::Base64 { base64, .. } => verbatim(&decoded(base64).ok_or_else(|| BYTES.to_owned())?),
        Body::Form { form } => Ok(form_with(form, encoded)),
        Body::Multipart { multipart: parts } => verbatim(&multipart(parts)),
    }
}

/// Decodes base64 to text; `None` if it is not UTF-8.
fn decoded(base64: &str) -> Option<String> {
    String::from_utf8(base64_bytes(base64)?).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::sample;

    #[test]
    fn an_operation_becomes_a_folder_and_an_oracle_a_request() {
        let suite = sample::suite();
        let exported = postman(&Export::of("orders", "/api", &suite)).unwrap();
        let mut collection: Value = serde_json::from_slice(&exported.files["collection.json"]).unwrap();
        collection["variable"][1]["value"] = "(the library)".into();
        let environment: Value = serde_json::from_slice(&exported.files["environment.json"]).unwrap();
        insta::assert_snapshot!([to_text(&collection), to_text(&environment)].join("\n"));
    }

    proptest! {
        #[test]
        fn no_value_is_taken_for_a_variable(path in ".*\\{\\{.*\\}\\}.*|.*", value in ".*\\{\\{.*\\}\\}.*|.*") {
            let input = Input {
                path: [("id".to_owned(), path.clone())].into(),
                query: vec![(value.clone(), path.clone())],
                body: Some(Body::Json { json: json!({&path: [&value, {"{": &value}]}) }),
                ..Input::default()
            };
            prop_assume!(cannot_be_sent(&OpId::new(mastor_types::Method::Get, "/a/{id}"), &input, &BTreeMap::new()).is_none());
            let request = request(&OpId::new(mastor_types::Method::Get, "/a/{id}"), &RequestCredentials::default(), &input, &BTreeMap::new(), "").unwrap();
            let text = request.to_string().replacen("{{baseUrl}}", "", 1);
            prop_assert!(!text.contains("{{"), "{text}");
            let raw: Value = serde_json::from_str(request["body"]["raw"].as_str().unwrap()).unwrap();
            prop_assert_eq!(raw, json!({&path: [&value, {"{": &value}]}));
            for name in ["X-A", value.as_str()] {
                let input = Input { headers: vec![(name.to_owned(), path.clone())], ..Input::default() };
                let op_id = OpId::new(mastor_types::Method::Get, "/a");
                let cannot = super::request(&op_id, &RequestCredentials::default(), &input, &BTreeMap::new(), "").is_err();
                let unsendable = cannot_be_sent(&op_id, &input, &BTreeMap::new()).is_some();
                prop_assert_eq!(cannot, unsendable || path.contains("{{") || name.contains("{{"));
            }
        }
    }
}
