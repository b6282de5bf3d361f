//! One document for every version, and the data that is read from it.

use serde_json::json;

use super::super::*;
use super::{codes, document};
use mastor_types::Method;

const V2: &str = r##"{
  "swagger": "2.0", "info": {"title": "Orders", "version": "1"}, "basePath": "/api/", "consumes": ["application/json"],
  "securityDefinitions": {"basic": {"type": "basic"}, "key": {"type": "apiKey", "name": "X-Key", "in": "header"}},
  "security": [{"basic": []}],
  "paths": {
    "/orders/{id}": {
      "parameters": [{"name": "id", "in": "path", "required": true, "type": "integer", "format": "int64", "minimum": 1},
                     {"name": "lang", "in": "query", "type": "string"}],
      "x-swagger-router-controller": "OrderController",
      "get": {
        "operationId": "getOrder", "tags": ["orders"], "produces": ["application/json"],
        "parameters": [{"name": "lang", "in": "query", "type": "string", "enum": ["en", "de"]}],
        "responses": {"200": {"description": "OK", "schema": {"$ref": "#/definitions/Order"}},
                      "401": {"description": "Unauthorized"}, "403": {"description": "Forbidden"}, "404": {"description": "Not Found"}}
      },
      "put": {
        "parameters": [{"name": "order", "in": "body", "required": true, "schema": {"$ref": "#/definitions/Order"}}],
        "security": [{"key": []}, {}],
        "responses": {"200": {"description": "OK"}, "409": {"description": "Conflict"}}
      },
      "post": {
        "parameters": [{"name": "note", "in": "formData", "type": "string", "required": true}, {"name": "scan", "in": "formData", "type": "file"}],
        "responses": {"204": {"description": "No Content"}}
      }
    }
  },
  "definitions": {
    "Order": {"type": "object", "required": ["id"], "properties": {
      "id": {"type": "integer"}, "note": {"type": "string", "x-nullable": true, "maxLength": 5}, "parent": {"$ref": "#/definitions/Order"}}}
  }
}"##;

#[test]
fn swagger_2_is_read() {
    let document = document(V2);
    assert_eq!(document.version, SpecVersion::V20);
    assert_eq!(document.title.as_deref(), Some("Orders"));
    assert_eq!(document.base_paths, ["/api"]);
    assert_eq!(document.warnings, [], "a recursive model is no defect");
    let ids: Vec<&str> = document.operations.iter().map(|operation| operation.op_id.as_str()).collect();
    assert_eq!(ids, ["GET /orders/{id}", "PUT /orders/{id}", "POST /orders/{id}"]);

    let get = document.operation("GET /orders/{id}").unwrap();
    assert_eq!((get.method, get.path.as_str()), (Method::Get, "/orders/{id}"));
    assert_eq!(get.operation_id.as_deref(), Some("getOrder"));
    assert_eq!(get.extension("x-swagger-router-controller"), Some("OrderController"));
    assert_eq!(get.at.to_string(), "api.yaml#/paths/~1orders~1{id}/get");
    assert!(get.is_default_block);
    assert_eq!(get.security.from, SecurityFrom::Document);
    assert!(!get.security.allows_anonymous());
    let lang = document.resolve(&get.parameter(In::Query, "lang").unwrap().schema);
    assert_eq!(lang.values, [json!("en"), json!("de")], "the operation's parameter overrides the path's");
    let id = document.resolve(&get.parameter(In::Path, "id").unwrap().schema);
    assert_eq!((id.types.as_slice(), id.format.as_deref()), (&[JsonType::Integer][..], Some("int64")));
    assert_eq!(id.minimum, Some(Bound { value: 1.into(), exclusive: false }));
    assert_eq!(get.responses[0].content[0].name, "application/json");

    let order = document.resolve(get.responses[0].schema().unwrap());
    assert_eq!(order.name.as_deref(), Some("Order"));
    assert!(order.requires("id"));
    assert_eq!(order.properties.keys().collect::<Vec<_>>(), ["id", "note", "parent"]);
    let note = document.resolve(&order.properties["note"]);
    assert!(note.nullable);
    assert_eq!(note.max_length, Some(5));
    assert_eq!(document.resolve(&order.properties["parent"]), order);
}

#[test]
fn bodies_forms_and_own_security_of_2_are_read() {
    let document = document(V2);
    let put = document.operation("PUT /orders/{id}").unwrap();
    let body = put.request_body.as_ref().unwrap();
    assert!(body.required);
    assert_eq!(body.content[0].name, "application/json");
    assert_eq!(document.resolve(body.content[0].schema.as_ref().unwrap()).name.as_deref(), Some("Order"));
    assert!(put.security.allows_anonymous());
    assert!(!put.is_default_block);

    let post = document.operation("POST /orders/{id}").unwrap();
    let form = post.request_body.as_ref().unwrap();
    assert_eq!(form.content[0].name, "multipart/form-data");
    assert_eq!(form.form.iter().map(|field| field.name.as_str()).collect::<Vec<_>>(), ["note", "scan"]);
    assert_eq!(document.resolve(&form.form[1].schema).types, [JsonType::File]);
    let key = SecuritySchemeKind::ApiKey { name: "X-Key".into(), location: In::Header };
    assert_eq!(
        document.security_schemes.iter().map(|scheme| &scheme.kind).collect::<Vec<_>>(),
        [&SecuritySchemeKind::Basic, &key]
    );
}

const V3: &str = r##"
openapi: 3.0.1
servers:
  - {url: "{scheme}://host/{stage}/api", variables: {scheme: {default: https}, stage: {enum: [beta, prod], default: beta}}}
  - {url: /v2}
  - {url: "https://other/v2/"}
paths:
  /a/{b}:
    get:
      parameters:
        - $ref: '#/components/parameters/B'
        - {name: filter, in: query, content: {application/json: {schema: {type: object}}}}
      requestBody: {$ref: '#/components/requestBodies/Body'}
      responses:
        200:
          description: fine
          headers: {X-Count: {required: true, schema: {type: integer}}}
          content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}
        4XX: {$ref: '#/components/responses/Bad'}
        default: {description: else}
  /servers:
    servers: [{url: /own}]
    delete: {responses: {'204': {description: gone}}}
components:
  parameters: {B: {name: b, in: path, required: true, schema: {type: string, pattern: '^x'}}}
  requestBodies: {Body: {required: true, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pet'}, minItems: 1}}}}}
  responses: {Bad: {description: bad, content: {application/problem+json: {schema: {type: object, additionalProperties: {type: integer}}}}}}
  schemas:
    Base: {type: object, required: [id], properties: {id: {type: integer, minimum: 0, exclusiveMinimum: true}, kind: {type: string}}}
    Pet:
      allOf:
        - $ref: '#/components/schemas/Base'
        - {type: object, required: [name, id], properties: {name: {type: string, nullable: true, minLength: 2}}}
      discriminator: {propertyName: kind}
      additionalProperties: false
"##;

#[test]
fn openapi_3_0_is_read_from_yaml() {
    let document = document(V3);
    assert_eq!(document.version, SpecVersion::V30);
    assert_eq!(document.base_paths, ["/beta/api", "/v2"]);
    assert_eq!(document.warnings, []);
    let get = &document.operations[0];
    assert_eq!(get.key(), "GET /a/{}");
    assert_eq!(get.parameter(In::Query, "filter").unwrap().media_type.as_deref(), Some("application/json"));
    let b = document.resolve(&get.parameter(In::Path, "b").unwrap().schema);
    assert_eq!(b.patterns, ["^x"]);
    let keys: Vec<(&str, Status)> = get.responses.iter().map(|one| (one.key.as_str(), one.status)).collect();
    assert_eq!(keys, [("200", Status::Code(200)), ("4XX", Status::Class(4)), ("default", Status::Default)]);
    assert!(Status::Class(4).covers(404) && !Status::Default.covers(404));
    assert!(get.responses[0].headers[0].required);
    let body = document.resolve(get.request_body.as_ref().unwrap().content[0].schema.as_ref().unwrap());
    assert_eq!(
        (body.min_items, document.resolve(body.items.as_ref().unwrap()).name.as_deref()),
        (Some(1), Some("Pet"))
    );
    assert!(matches!(document.resolve(get.responses[1].schema().unwrap()).additional, Additional::Schema(_)));
    assert_eq!(document.operations[1].base_paths.as_deref(), Some(&["/own".to_owned()][..]));

    let pet = document.resolve(&document.schema("Pet").unwrap());
    assert_eq!(pet.required, ["id", "name"]);
    assert_eq!(pet.properties.keys().collect::<Vec<_>>(), ["id", "kind", "name"]);
    assert_eq!((pet.additional, pet.discriminator.as_deref()), (Additional::Forbidden, Some("kind")));
    assert!(document.resolve(&pet.properties["id"]).minimum.unwrap().exclusive);
    assert!(document.resolve(&pet.properties["name"]).nullable);
}

#[test]
fn openapi_3_1_says_null_and_bounds_its_own_way() {
    let document = document(
        r##"
openapi: 3.1
paths: {/p: {get: {responses: {"200": {description: ok, content: {a/b: {schema: {$ref: "#/components/schemas/T", maxLength: 3}}}}}}}}
components:
  schemas:
    T: {type: [string, "null"], maxLength: 9, examples: [a]}
    N: {type: number, exclusiveMinimum: 2, maximum: 7, const: 5}
    U: {oneOf: [{type: integer}, {type: "null"}]}
"##,
    );
    assert_eq!((document.version, codes(&document)), (SpecVersion::V31, vec![]));
    let beside = document.resolve(document.operations[0].responses[0].schema().unwrap());
    assert_eq!((beside.name.as_deref(), beside.max_length, beside.nullable), (Some("T"), Some(3), true));
    let number = document.resolve(&document.schema("N").unwrap());
    assert_eq!(number.minimum, Some(Bound { value: 2.into(), exclusive: true }));
    assert_eq!(number.values, [json!(5)]);
    assert!(document.resolve(&document.schema("U").unwrap()).nullable);
}

#[test]
fn references_lead_across_files() {
    let files = MemoryFiles::default()
        .with("docs/openapi.yaml", "openapi: 3.0.0\npaths:\n  /a: {$ref: 'paths/a%20b.yaml'}\n  /c: {get: {responses: {200: {$ref: 'shared.json#/x~1y/ok'}}}}\n")
        .with("docs/paths/a b.yaml", "get: {responses: {200: {description: x, content: {t/t: {schema: {$ref: '../shared.json#/Pet'}}}}}}")
        .with("docs/shared.json", r##"{"x/y": {"ok": {"description": "fine"}}, "Pet": {"type": "string"}}"##);
    let document = read(&files, "docs/openapi.yaml").unwrap();
    assert_eq!(codes(&document), Vec::<&str>::new());
    assert_eq!(document.operations[0].at.to_string(), "docs/paths/a b.yaml#/get");
    assert_eq!(document.resolve(document.operations[0].responses[0].schema().unwrap()).types, [JsonType::String]);
    assert_eq!(document.operations[1].responses[0].description.as_deref(), Some("fine"));
    assert_eq!(document.files().count(), 3);
}

#[test]
fn the_part_of_an_operation_changes_with_what_it_rests_on_only() {
    let part = |text: &str| operation_part_hash(&document(text), &document(text).operations[0]);
    let before = part(V3);
    for (from, to, same) in [
        ("description: fine", "description: very fine", true),
        ("description: gone", "description: away", true),
        ("'204': {description: gone}", "'205': {description: gone}", true),
        ("minLength: 2", "minLength: 3", false),
        ("pattern: '^x'", "pattern: '^y'", false),
        ("minItems: 1", "minItems: 2", false),
        ("url: /v2", "url: /v3", false),
        ("{type: integer, minimum: 0,", "{minimum: 0, type: integer,", true),
    ] {
        assert!(V3.contains(from));
        assert_eq!(part(&V3.replace(from, to)) == before, same, "{from} → {to}");
    }
    assert_eq!(schemas_used(&document(V3), &document(V3).operations[0]), ["Base", "Pet"]);
}

#[test]
fn an_example_promises_nothing_where_it_is_no_property() {
    let text = |number| {
        format!(
            "openapi: 3.0.0\npaths: {{/a: {{get: {{responses: {{200: {{description: x, content: {{t/t: {{example: {number}, schema: {{properties: {{example: {{type: integer, example: 1}}}}}}}}}}}}}}}}}}}}\n"
        )
    };
    let promise = |text: &str| operation_promise_hash(&document(text), &document(text).operations[0]);
    assert_eq!(promise(&text(1)), promise(&text(2)));
    assert_ne!(promise(&text(1)), promise(&text(1).replace("type: integer", "type: string")));
}

#[test]
fn a_property_called_like_a_keyword_is_a_property() {
    let text = |length| {
        format!(
            "openapi: 3.0.0\npaths: {{/a: {{get: {{responses: {{200: {{description: x, content: {{t/t: {{schema: {{properties: {{description: {{maxLength: {length}}}, default: {{$ref: '#/components/schemas/D'}}}}}}}}}}}}}}}}}}}}\ncomponents: {{schemas: {{D: {{type: string}}}}}}\n"
        )
    };
    let (one, two) = (document(&text(1)), document(&text(2)));
    assert_ne!(operation_part(&one, &one.operations[0]), operation_part(&two, &two.operations[0]));
    assert_eq!(schemas_used(&one, &one.operations[0]), ["D"]);
}

#[test]
fn documents_are_found_in_conventional_places_best_first() {
    let text = "openapi: 3.0.0\npaths: {}\n";
    let files = MemoryFiles::default()
        .with("shop/docs/api.yaml", text)
        .with("shop/src/main/resources/static/swagger.json", r#"{"swagger":"2.0","paths":{}}"#)
        .with("shop/src/main/resources/messages.yml", "openapi: title\nx: 1\n")
        .with("shop/package.json", r#"{"dependencies": {"swagger": "2.0"}, "paths": []}"#)
        .with("shop/src/test/resources/openapi.yaml", text)
        .with("shop/target/openapi.yaml", text)
        .with("shop/src/main/resources/contract.yml", text)
        .with("shop/openapi.json", "{\"openapi\": \"3.0.0\", \"paths\": {")
        .with("docs/shop.yaml", text)
        .with("other/openapi.yaml", text)
        .with("shop/pom.xml", "<generatorName>spring</generatorName><inputSpec>${project.basedir}/src/main/resources/contract.yml</inputSpec>");
    let found = discover(&files, "shop");
    let paths: Vec<&str> = found.iter().map(|candidate| candidate.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "shop/src/main/resources/contract.yml",
            "shop/openapi.json",
            "shop/src/main/resources/static/swagger.json",
            "shop/docs/api.yaml",
            "docs/shop.yaml"
        ]
    );
    assert!(found[0].generates_code && found[0].reason.contains("shop/pom.xml"));
    assert!(found[1].reason.contains("cannot be read: shop/openapi.json:1:"), "{}", found[1].reason);
    assert_eq!(found[2].version, SpecVersion::V20);
}
