//! The operators beyond the paper's, on a thousand generated cases each: runner, exported tests and exported collection give the same verdicts.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use mastor::probe::answers::judge::{Captures, judge};
use mastor::publish::exports::{junit, postman};
use mastor::types::results::outcome::Answer;
use mastor::types::suite::assertion::Assertion;
use serde_json::{Value, json};

use super::suite::Cases;
use super::{export, newman, run, without, write};

/// Number of cases for each operator.
const CASES: usize = 1000;

/// Generates a body, a path, an operator and an operand.
type Make = fn(&mut Random) -> (Value, &'static str, &'static str, Value);

const OPERATORS: [(&str, Make); 8] = [
    ("lt", |random| (json!({"a": random.scalar()}), "a", "lt", random.bound())),
    ("gt", |random| (json!({"a": random.scalar()}), "a", "gt", random.bound())),
    ("near", |random| {
        let within = [json!(0), json!(0.5), json!(1)];
        let operand = json!({"value": random.number(), "within": random.of(&within)});
        (json!({"a": random.scalar()}), "a", "near", operand)
    }),
    ("contains_not", |random| {
        let subject = if random.below(2) == 0 { random.list() } else { random.scalar() };
        (json!({"a": subject}), "a", "contains_not", random.scalar())
    }),
    ("sorted", |random| {
        let order = [json!("ascending"), json!("descending")];
        (json!({"a": random.list()}), "a", "sorted", random.of(&order))
    }),
    ("some", |random| {
        let op = random.of(&["equals", "gte", "not_null", "absent"]);
        (json!({"a": random.rows()}), random.of(&["a[?].b", "a[?].c[?]", "a[*].c[?]"]), op, random.bound())
    }),
    ("list", |random| {
        let op = random.of(&["equals", "same_items", "contains", "length"]);
        let operand = match op {
            "length" => json!(random.below(4)),
            "contains" => random.scalar(),
            _ => random.list(),
        };
        (json!({"a": random.rows()}), random.of(&["a[].b", "a[].c[]", "a[0].c[]", "a[*].c[]"]), op, operand)
    }),
    ("relation", |random| {
        let op = random.of(&["equals", "lt", "lte", "gt", "gte", "contains"]);
        let operand = random.of(&["$body.b", "$body.c", "$body.d[0]", "id {$body.b}"]);
        let body = json!({"a": random.scalar(), "b": random.scalar(), "d": random.list()});
        (body, random.of(&["a", "d[?]"]), op, json!(operand))
    }),
];

/// Deterministic pseudo-random numbers (Marsaglia, *Xorshift RNGs*, 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).unwrap()
    }

    fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    fn number(&mut self) -> Value {
        self.of(&[json!(0), json!(1), json!(-1), json!(2), json!(1.5), json!(10), json!(9_007_199_254_740_993_u64)])
    }

    fn bound(&mut self) -> Value {
        if self.below(3) > 0 { self.number() } else { self.of(&["", "a", "b", "B", "é", "😀", "2026-01-02"]).into() }
    }

    fn scalar(&mut self) -> Value {
        match self.below(8) {
            0 => Value::Null,
            1 => json!(true),
            _ => self.bound(),
        }
    }

    fn list(&mut self) -> Value {
        (0..self.below(4)).map(|_| if self.below(6) == 0 { self.scalar() } else { self.number() }).collect()
    }

    fn rows(&mut self) -> Value {
        let row = |random: &mut Self| match random.below(6) {
            0 => json!({"c": []}),
            1 => json!({"b": random.scalar(), "c": random.scalar()}),
            _ => json!({"b": random.scalar(), "c": random.list()}),
        };
        (0..self.below(4)).map(|_| row(self)).collect()
    }
}

/// A case: the operator under test, the answer's body, the assertion, and mastor's own verdict.
struct Case {
    about: &'static str,
    body: Value,
    path: &'static str,
    op: &'static str,
    operand: Value,
    holds: bool,
}

fn cases() -> Vec<Case> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut all = Vec::new();
    for (about, make) in OPERATORS {
        for _ in 0..CASES {
            let (body, path, op, operand) = make(&mut random);
            let assertion = json!({"type": "field", "path": path, "op": op, "expected": operand});
            let assertion: Assertion = serde_json::from_value(assertion).unwrap();
            let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
            let answer = Answer { status: 200, headers, body: body.to_string().into_bytes(), cut: false, millis: 1.0 };
            let holds = judge(&[assertion], &answer, &Captures::new()).is_empty();
            all.push(Case { about, body, path, op, operand, holds });
        }
    }
    all
}

/// Cases with another verdict than mastor's; `verdicts` has `1` for each case that holds, `0` for each other.
fn differing(all: &[Case], verdicts: &str) -> Vec<String> {
    assert_eq!(
        verdicts.len(),
        all.len(),
        "a verdict for each case: {}",
        verdicts.chars().take(300).collect::<String>()
    );
    let wrong = all.iter().zip(verdicts.chars()).filter(|(case, verdict)| case.holds != (*verdict == '1'));
    wrong.map(|(case, _)| format!("{}: {} {} {} {}", case.about, case.body, case.path, case.op, case.operand)).collect()
}

#[test]
fn each_operator_both_holds_and_breaks_on_many_of_the_cases() {
    let all = cases();
    for (about, _) in OPERATORS {
        let held = all.iter().filter(|case| case.about == about && case.holds).count();
        assert!((CASES / 20..CASES - CASES / 20).contains(&held), "{about}: {held} hold");
    }
}

const GENERATED: &str = r#"package mastor;

import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.restassured.builder.ResponseBuilder;
import io.restassured.response.Response;
import org.junit.jupiter.api.Test;

class GeneratedTest {
    @Test
    void judges() throws Exception {
        Constructor<Mastor.Answer> made = Mastor.Answer.class.getDeclaredConstructor(Response.class);
        made.setAccessible(true);
        StringBuilder verdicts = new StringBuilder();
        for (JsonNode one : new ObjectMapper().readTree(Files.readAllBytes(Paths.get("cases.json")))) {
            Response response = new ResponseBuilder().setStatusCode(200).setContentType("application/json")
                    .setBody(one.get("body").textValue().getBytes(StandardCharsets.UTF_8)).build();
            try {
                made.newInstance(response).field(one.get("path").textValue(), one.get("op").textValue(), one.get("operand").textValue());
                verdicts.append('1');
            } catch (AssertionError e) {
                verdicts.append('0');
            }
        }
        Files.write(Paths.get("verdicts.txt"), verdicts.toString().getBytes(StandardCharsets.UTF_8));
    }
}
"#;

/// The cases as JSON for another language, with every value as text.
fn told(all: &[Case]) -> Value {
    let one = |case: &Case| json!({"body": case.body.to_string(), "path": case.path, "op": case.op, "operand": case.operand.to_string()});
    all.iter().map(one).collect()
}

#[test]
fn the_exported_tests_judge_generated_cases_as_the_runner_does() {
    if without("maven") {
        return;
    }
    let all = cases();
    let exported = junit::junit(&export(&Cases::all())).unwrap();
    let dir = tempfile::Builder::new().prefix("mastor-junit-").tempdir().unwrap();
    write(&exported, dir.path());
    // Only the library is tested here, without the suite's own tests.
    for path in exported.files.keys().filter(|path| path.ends_with("Test.java")) {
        std::fs::remove_file(dir.path().join(path)).unwrap();
    }
    let library = exported.files.keys().find(|path| path.ends_with("/Mastor.java")).unwrap();
    let folder = dir.path().join(Path::new(library).parent().unwrap());
    std::fs::write(folder.join("GeneratedTest.java"), GENERATED).unwrap();
    std::fs::write(dir.path().join("cases.json"), told(&all).to_string()).unwrap();
    let output = run("maven", crate::support::maven().args(["-B", "-q", "-o", "test"]).current_dir(dir.path()));
    let verdicts = std::fs::read_to_string(dir.path().join("verdicts.txt"))
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stdout)));
    assert_eq!(differing(&all, &verdicts), Vec::<String>::new());
}

#[test]
fn the_exported_collection_judges_generated_cases_as_the_runner_does() {
    if without("newman") {
        return;
    }
    let all = cases();
    let exported = postman::postman(&export(&Cases::all())).unwrap();
    let mut collection: Value = serde_json::from_slice(&exported.files["collection.json"]).unwrap();
    let mut script = String::new();
    writeln!(script, "const cases = JSON.parse({});", Value::from(told(&all).to_string())).unwrap();
    // Loads the library as requests do, with a fake answer.
    script.push_str(
        "const source = pm.collectionVariables.get('mastorLibrary');
const judged = cases.map((one) => {
  const answer = { text: () => one.body, headers: { get: () => 'application/json' } };
  let held = '1';
  const fake = {
    response: answer,
    collectionVariables: { get: () => undefined },
    test: (name, check) => { try { check(); } catch (e) { held = '0'; } },
  };
  ((pm) => eval(source)('x'))(fake).field('it', one.path, one.op, one.operand);
  return held;
});
pm.collectionVariables.set('judged', judged.join(''));
pm.test('judged ' + judged.join(''), () => {});
",
    );
    let event =
        json!({"listen": "test", "script": {"type": "text/javascript", "exec": script.lines().collect::<Vec<_>>()}});
    collection["item"] = json!([{"name": "generated", "event": [event], "request": {"method": "GET", "url": format!("{}/json", super::stub::start())}}]);
    let dir = tempfile::Builder::new().prefix("mastor-postman-").tempdir().unwrap();
    std::fs::write(dir.path().join("collection.json"), collection.to_string()).unwrap();
    let arguments = ["run", "collection.json", "--reporters", "json", "--reporter-json-export", "out.json"];
    let output = run("newman", Command::new(newman()).args(arguments).current_dir(dir.path()));
    let out = std::fs::read(dir.path().join("out.json"))
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stdout)));
    let report: Value = serde_json::from_slice(&out).unwrap();
    let named = report["run"]["executions"][0]["assertions"][0]["assertion"].as_str();
    let verdicts = named.unwrap_or_else(|| panic!("{report:#}")).trim_start_matches("judged ");
    assert_eq!(differing(&all, verdicts), Vec::<String>::new());
}
