//! In-memory tables in which requests look up rows: the rows that oracles request, and their answers. The expected answers are those of RESTEasy 4.6
//! with Jackson.

use std::collections::BTreeMap;

use mastor::derive::Derived;
use mastor::types::Method;
use mastor::types::suite::assertion::{Check, FieldOp};
use mastor::types::suite::oracle::Oracle;
use serde_json::{Value, json};

use crate::loaded::Service;

const ROW: &str = "package a; public class Row { private final String code; private final String name; \
    public Row(String code, String name) { this.code = code; this.name = name; } \
    public String getCode() { return code; } public String getName() { return name; } }";

const RESOURCE: &str = "package a; import javax.ws.rs.*; import javax.ws.rs.core.*; import java.util.*; import java.text.Normalizer; \
    @Path(\"rows\") @Produces(MediaType.APPLICATION_JSON + \";charset=utf-8\") public class R { \
    private static final List<Row> ROWS = Arrays.asList(new Row(\"AA\", \"Äland\"), new Row(\"BB\", \"Chișinău\"), \
    new Row(\"CC\", \"Қazak\"), new Row(\"DD\", \"Αθήναι\"), new Row(\"EE\", \"Ελλάδα\"), new Row(\"FF\", \"Ýland\")); \
    @GET @Path(\"{code}\") public Object one(@PathParam(\"code\") String code) { \
    for (Row row : ROWS) { if (row.getCode().toLowerCase().equals(code.toLowerCase())) return row; } \
    return Response.status(404).entity(\"{}\").build(); } \
    @GET public Object several(@QueryParam(\"codes\") String codes) { \
    if (codes == null) return null; \
    List<Row> found = new ArrayList<>(); \
    for (String code : codes.split(\";\")) { for (Row row : ROWS) { if (row.getCode().equals(code)) found.add(row); } } \
    return found; } \
    @GET @Path(\"named/{name}\") public Object named(@PathParam(\"name\") String name) { \
    List<Row> found = new ArrayList<>(); \
    for (Row row : ROWS) { if (plain(row.getName().toLowerCase()).contains(plain(name.toLowerCase()))) found.add(row); } \
    return found.isEmpty() ? Response.status(404).build() : found; } \
    private static String plain(String text) { \
    return Normalizer.normalize(text, Normalizer.Form.NFD).replaceAll(\"\\\\p{InCombiningDiacriticalMarks}+\", \"\"); } }";

const APPLICATION: &str =
    "package a; @javax.ws.rs.ApplicationPath(\"/\") public class App extends javax.ws.rs.core.Application {}";

const BUILD: &str = "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>a</artifactId><version>1</version>\
    <dependencies><dependency><groupId>org.jboss.resteasy</groupId><artifactId>resteasy-jackson2-provider</artifactId>\
    <version>4.6.0.Final</version></dependency></dependencies></project>";

fn service() -> Service {
    Service::of([
        ("pom.xml", BUILD.to_owned()),
        ("src/main/java/a/Row.java", ROW.to_owned()),
        ("src/main/java/a/R.java", RESOURCE.to_owned()),
        ("src/main/java/a/App.java", APPLICATION.to_owned()),
    ])
}

/// For each value of a parameter: the expected statuses, and the expected fields by path.
fn answers(derived: &Derived, name: &str) -> BTreeMap<String, (Vec<u16>, BTreeMap<String, Value>)> {
    let one = |oracle: &Oracle| {
        let path = oracle.input.path.get(name).cloned();
        let query = oracle.input.query.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
        let fields = oracle.assertions.iter().filter_map(|assertion| match &assertion.check {
            Check::Field { path, op: FieldOp::Equals, expected: Some(value), .. } => {
                Some((path.to_string(), value.clone()))
            }
            _ => None,
        });
        (path.or(query).unwrap_or_default(), (oracle.statuses().into_iter().collect(), fields.collect()))
    };
    derived.candidates.iter().map(|candidate| one(&candidate.oracle)).collect()
}

#[test]
fn a_row_is_asked_for_by_what_it_is_held_against() {
    let derived = service().derive(Method::Get, "/rows/{code}");
    let answers = answers(&derived, "code");
    assert_eq!(answers["aa"].1["name"], json!("Äland"), "{answers:?}");
    assert!(answers.values().any(|(statuses, _)| *statuses == [404]), "{answers:?}");
    // Further rows cover no new code, so few are requested.
    let found: Vec<&String> =
        answers.iter().filter(|(_, (statuses, _))| *statuses == [200]).map(|(code, _)| code).collect();
    assert!((2..=4).contains(&found.len()), "{found:?}");
}

#[test]
fn several_rows_are_asked_for_where_a_text_is_divided() {
    let derived = service().derive(Method::Get, "/rows");
    let answers = answers(&derived, "codes");
    assert!(answers.values().any(|(statuses, _)| *statuses == [204]), "{answers:?}");
    let has_both = |body: &Value| ["Äland", "Chișinău"].iter().all(|name| body.to_string().contains(name));
    assert!(answers.values().any(|(_, fields)| fields.values().any(has_both)), "{answers:?}");
}

#[test]
fn letters_of_many_languages_are_folded_and_parts_of_names_found() {
    let derived = service().derive(Method::Get, "/rows/named/{name}");
    let answers = answers(&derived, "name");
    let whole: Vec<&String> =
        answers.iter().filter(|(_, (statuses, _))| *statuses == [200]).map(|(name, _)| name).collect();
    assert!(whole.iter().any(|name| ["aland", "chisinau", "αθηναι", "ελλαδα"].contains(&name.as_str())), "{answers:?}");
    assert!(answers.values().any(|(statuses, _)| *statuses == [404]), "{answers:?}");
}
