//! Edits change one place of a text and leave the rest as it is: comments, order, quotes, line ends.

use serde_json::{Value, json};

use super::super::edit::{Act, After, Edit, EditError, TextLayout, apply};

const YAML: &str = "\
# What the shop does
openapi: '3.0.3'
info: {title: Shop, version: '1'} # short
paths:
  # All about orders
  /orders/{id}:
    get:
      summary: >
        One order
        of a shop
      parameters:
      - name: id   # its number
        in: path
        required: true
        schema: {type: integer}
      - $ref: '#/components/parameters/Trace'
      responses:
        '200':
          description: |
            fine

        # not there
        '404': {description: gone}
  /empty:
    get:
      responses:
";

fn at(path: &[&str]) -> Vec<String> {
    path.iter().map(|part| (*part).to_owned()).collect()
}

fn set(path: &[&str], key: &str, value: Value, after: After) -> Edit {
    Edit { at: at(path), act: Act::Set { key: key.to_owned(), value, after } }
}

fn read(text: &str) -> Value {
    yaml_serde::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Applies an edit, and checks that it reports how many lines the text gained.
fn edited(text: &str, edit: &Edit) -> String {
    let done = apply(text, edit, TextLayout::of(text)).unwrap_or_else(|error| panic!("{error}"));
    let more = isize::try_from(done.text.lines().count()).unwrap() - isize::try_from(text.lines().count()).unwrap();
    assert!((more - done.more).abs() <= 1, "{} {more}", done.more);
    done.text
}

const GET: [&str; 3] = ["paths", "/orders/{id}", "get"];

#[test]
fn a_new_status_stands_between_its_neighbours_in_the_manner_of_the_document() {
    let responses = [&GET[..], &["responses"]].concat();
    let edit = set(&responses, "400", json!({"description": "id is no long"}), After::These(at(&["200"])));
    let text = edited(YAML, &edit);
    let expected = YAML.replace(
        "            fine\n\n        # not",
        "            fine\n        '400':\n          description: id is no long\n\n        # not",
    );
    assert_eq!(text, expected);
    let last = set(&responses, "500", json!({"description": "a: b"}), After::All);
    let text = edited(YAML, &last);
    assert_eq!(
        text,
        YAML.replace("{description: gone}\n", "{description: gone}\n        '500':\n          description: 'a: b'\n")
    );
    let first = set(&responses, "100", json!({"description": "x"}), After::These(Vec::new()));
    assert!(
        edited(YAML, &first).contains("      responses:\n        '100':\n          description: x\n        '200':\n")
    );
}

#[test]
fn a_new_parameter_stands_behind_the_others_with_dashes_where_theirs_are() {
    let parameters = [&GET[..], &["parameters"]].concat();
    let edit = Edit {
        at: at(&parameters),
        act: Act::Append(json!({"name": "lang", "in": "query", "schema": {"type": "string"}})),
    };
    let text = edited(YAML, &edit);
    let added = "      - name: lang\n        in: query\n        schema:\n          type: string\n";
    assert_eq!(
        text,
        YAML.replace(
            "      - $ref: '#/components/parameters/Trace'\n",
            &format!("      - $ref: '#/components/parameters/Trace'\n{added}")
        )
    );
}

#[test]
fn a_value_is_changed_where_it_stands() {
    let first = [&GET[..], &["parameters", "0"]].concat();
    let edit = set(&first, "required", json!(false), After::All);
    assert_eq!(edited(YAML, &edit), YAML.replace("required: true", "required: false"));
    let edit = set(&[&first[..], &["schema"]].concat(), "type", json!("string"), After::All);
    assert_eq!(edited(YAML, &edit), YAML.replace("{type: integer}", "{type: \"string\"}"));
    let edit = set(&[&first[..], &["schema"]].concat(), "minimum", json!(1), After::All);
    assert_eq!(edited(YAML, &edit), YAML.replace("{type: integer}", "{type: integer, \"minimum\": 1}"));
    let edit = set(&["paths", "/empty", "get"], "responses", json!({"200": {"description": "OK"}}), After::All);
    assert_eq!(read(&edited(YAML, &edit))["paths"]["/empty"]["get"]["responses"]["200"]["description"], "OK");
}

#[test]
fn what_goes_takes_its_lines_and_an_empty_list_with_it() {
    let remove = |path: &[&str]| Edit { at: at(path), act: Act::Remove };
    let parameters = [&GET[..], &["parameters"]].concat();
    let text = edited(YAML, &remove(&[&parameters[..], &["0"]].concat()));
    let gone =
        "      - name: id   # its number\n        in: path\n        required: true\n        schema: {type: integer}\n";
    assert_eq!(text, YAML.replace(gone, ""));
    let text = edited(&text, &remove(&[&parameters[..], &["0"]].concat()));
    assert!(!text.contains("parameters:\n"), "{text}");
    assert_eq!(read(&text)["paths"]["/orders/{id}"]["get"]["summary"], "One order of a shop\n");
}

#[test]
fn the_end_of_a_text_without_a_line_end_and_lines_of_windows_stay() {
    let short = "openapi: 3.0.3\npaths:\n  /a:\n    get:\n      responses: {}";
    let edit = set(&["paths"], "/b", json!({"get": {"responses": {"200": {"description": "OK"}}}}), After::All);
    let text = edited(short, &edit);
    assert!(text.starts_with(short) && text.ends_with("description: OK"), "{text}");
    let windows = short.replace('\n', "\r\n");
    let text = edited(&windows, &edit);
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{text:?}");
    assert_eq!(read(&text), read(&edited(short, &edit)));
}

#[test]
fn json_keeps_its_layout() {
    let text = "{\n    \"openapi\": \"3.0.3\",\n    \"paths\": {\n        \"/a\": {\"get\": {\"parameters\": [], \"responses\": {}}}\n    }\n}\n";
    let edit = set(&["paths"], "/b", json!({"get": {"tags": ["x"]}}), After::All);
    let expected = text.replace(
        "{}}}\n    }\n}",
        "{}}},\n        \"/b\": {\n            \"get\": {\n                \"tags\": [\n                    \"x\"\n                ]\n            }\n        }\n    }\n}",
    );
    assert_eq!(edited(text, &edit), expected);
    let edit = set(&["paths", "/a", "get"], "summary", json!("A"), After::These(Vec::new()));
    assert_eq!(edited(text, &edit), text.replace("{\"parameters\"", "{\"summary\": \"A\", \"parameters\""));
    let tabs = "{\n\t\"paths\": {\n\t\t\"/a\": {\n\t\t\t\"get\": {}\n\t\t}\n\t}\n}";
    let edit = set(&["paths"], "/b", json!({"get": {"tags": []}}), After::All);
    assert_eq!(
        edited(tabs, &edit),
        "{\n\t\"paths\": {\n\t\t\"/a\": {\n\t\t\t\"get\": {}\n\t\t},\n\t\t\"/b\": {\n\t\t\t\"get\": {\n\t\t\t\t\"tags\": []\n\t\t\t}\n\t\t}\n\t}\n}"
    );
    let bare = "{\"paths\": {}}";
    let edit = set(&["paths"], "/b", json!({"get": {}}), After::All);
    assert_eq!(edited(bare, &edit), "{\"paths\": {\"/b\": {\"get\": {}}}}");
}

#[test]
fn what_stands_behind_an_alias_is_not_changed() {
    let text = "a: &shared\n  x: 1\nb: *shared\nc:\n  <<: *shared\n";
    for path in [["b"], ["c"]] {
        let edit = Edit { at: at(&[path[0], "x"]), act: Act::Remove };
        assert!(matches!(apply(text, &edit, TextLayout::of(text)), Err(EditError::Elsewhere(_))));
    }
    let text = edited(text, &set(&["a"], "z", json!(2), After::All));
    assert_eq!(text, "a: &shared\n  x: 1\n  z: 2\nb: *shared\nc:\n  <<: *shared\n");
}

/// Every object of a value, by its path.
fn objects(value: &Value, path: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    match value {
        Value::Object(map) => {
            found.push(path.clone());
            for (key, inner) in map {
                path.push(key.clone());
                objects(inner, path, found);
                path.pop();
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                path.push(index.to_string());
                objects(inner, path, found);
                path.pop();
            }
        }
        _ => {}
    }
}

fn inner<'v>(value: &'v mut Value, path: &[String]) -> &'v mut Value {
    path.iter().fold(value, |value, key| match value {
        Value::Array(items) => &mut items[key.parse::<usize>().unwrap()],
        other => &mut other[key.as_str()],
    })
}

#[test]
fn a_member_can_be_added_to_every_object_of_a_document() {
    let json = serde_json::to_string_pretty(&read(YAML)).unwrap();
    for text in [YAML, &json] {
        let before = read(text);
        let mut paths = Vec::new();
        objects(&before, &mut Vec::new(), &mut paths);
        assert!(paths.len() > 10);
        for path in paths {
            for after in [After::All, After::These(Vec::new())] {
                let value = json!({"deep": [{"a": "b"}, "c: d"]});
                let act = Act::Set { key: "x-new".to_owned(), value: value.clone(), after };
                let text = edited(text, &Edit { at: path.clone(), act });
                let mut expected = before.clone();
                inner(&mut expected, &path)["x-new"] = value;
                assert_eq!(read(&text), expected, "{path:?}\n{text}");
            }
        }
    }
}
