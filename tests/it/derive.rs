//! The rules engine on the bundled example: contexts, oracles, and the changes of the three commits of its branch.

use std::collections::BTreeSet;
use std::path::Path;

use mastor::derive::{self, Derived, Judgement};
use mastor::frameworks::persistence::initial::Files;
use mastor::runtime::{Shared, Subject};
use mastor::types::results::change::{Change, ChangeEffect};
use mastor::types::suite::assertion::{Assertion, Check};
use mastor::types::suite::oracle::{Certainty, Effect, Strategy};
use mastor::types::suite::sequence::Pattern;
use mastor::types::suite::source_context::ConstraintKind;
use mastor::types::{Method, OpId};

use crate::loaded::{Service, files};

impl Service {
    fn example(change: Option<&str>) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
        let mut all = files(&root.join("orders"));
        if let Some(change) = change {
            let over = files(&root.join("orders-changes").join(change));
            all.retain(|(path, _)| !over.iter().any(|(other, _)| other == path));
            all.extend(over);
        }
        Self::of(all)
    }

    /// Calls `run` with the subject for one operation.
    pub fn with<T>(&self, method: Method, path: &str, run: impl FnOnce(&Subject<'_>) -> T) -> T {
        let endpoint = self.endpoint(method, path);
        let op_id = OpId::new(method, path);
        let mut shared = Shared::of(&Files {
            project: &self.project,
            resources: &self.resources,
            properties: &self.properties,
            build: &self.build,
            near: &endpoint.file,
        });
        shared.users.clone_from(&self.users);
        shared.targets.clone_from(&self.targets);
        run(&Subject {
            op_id: &op_id,
            project: &self.project,
            endpoint,
            endpoints: &self.endpoints,
            exceptions: &self.rules,
            files: &self.tree,
            properties: &self.properties,
            build: &self.build,
            document: None,
            shared: &shared,
        })
    }

    /// The derivation of an operation, with certain candidates only.
    pub fn derive(&self, method: Method, path: &str) -> Derived {
        let mut derived = self.with(method, path, derive::derive);
        derived.candidates.retain(|one| one.oracle.certainty() == Certainty::Certain);
        derived
    }
}

/// The derived changes of all operations between two revisions of a service.
pub fn all_changes(base: &Service, head: &Service) -> Vec<Change> {
    let mut changes = Vec::new();
    for endpoint in &base.endpoints {
        base.with(endpoint.method, &endpoint.path, |old| {
            head.with(endpoint.method, &endpoint.path, |new| {
                changes.extend(derive::compared(old, new, &[], &derive::SharedUnits::of(1)).changes)
            });
        });
    }
    changes
}

fn errors(derived: &Derived) -> Vec<String> {
    derived
        .context
        .response_schema
        .error_cases
        .iter()
        .map(|case| format!("{} {}", case.status, case.condition))
        .collect()
}

#[test]
fn guards_bounds_and_missing_records_are_read_off_the_example() {
    let service = Service::example(None);
    let products = service.derive(Method::Get, "/products/{sku}");
    assert_eq!(
        errors(&products),
        ["400 length of sku outside 4..12", "404 `products.findById(sku) .map(ProductResponse::of) is empty`"]
    );
    let sku = &products.context.request_params[0];
    assert_eq!(sku.constraints[0].kind, ConstraintKind::Length { min: Some(4), max: Some(12) });
    let quotes = service.derive(Method::Get, "/quotes");
    assert!(errors(&quotes).contains(&"422 quantity > 10".to_owned()), "{:?}", errors(&quotes));
    assert!(errors(&quotes).contains(&"400 quantity is missing; or unitPriceCents is missing".to_owned()));
}

#[test]
fn seeded_rows_are_exact_and_absent_ones_are_missed() {
    let service = Service::example(None);
    let find = service.derive(Method::Get, "/orders/{id}");
    let of = |id: &str| {
        let one = find.candidates.iter().find(|c| c.oracle.input.path["id"] == id).unwrap();
        (
            one.oracle.statuses(),
            expected(&one.oracle.assertions, "totalCents"),
            expected(&one.oracle.assertions, "lines"),
        )
    };
    let lines = serde_json::json!([
        {"sku": "TEE-001", "quantity": 1, "unitPriceCents": 2490},
        {"sku": "MUG-001", "quantity": 1, "unitPriceCents": 990}
    ]);
    assert_eq!(of("2"), (vec![200], Some(3480.into()), Some(lines)));
    assert_eq!(of("99999").0, [404]);
    let remove = service.derive(Method::Delete, "/customers/{id}");
    let refused = remove.candidates.iter().filter(|c| c.oracle.statuses() == [409]).collect::<Vec<_>>();
    // Other customers with orders take the same path, so one oracle is enough.
    let [refused] = refused.as_slice() else { panic!("{refused:#?}") };
    assert_eq!(expected(&refused.oracle.assertions, "message"), Some("customer 1 has orders".into()));
    // The security configuration answers anonymous clients before the handler runs.
    let archive = service.derive(Method::Post, "/admin/orders/{id}/archive");
    let statuses: Vec<u16> = archive.candidates.iter().flat_map(|c| c.oracle.statuses()).collect();
    assert_eq!(statuses, [401]);
}

fn expected(assertions: &[Assertion], wanted: &str) -> Option<serde_json::Value> {
    assertions.iter().find_map(|assertion| match &assertion.check {
        Check::Field { path, expected, .. } if path == wanted => expected.clone(),
        _ => None,
    })
}

#[test]
fn what_is_created_is_read_changed_removed_and_gone() {
    let service = Service::example(None);
    let place = service.derive(Method::Post, "/orders");
    let mut sequences = place.sequences.iter().map(|(sequence, _)| sequence);
    let life = sequences.find(|sequence| sequence.pattern == Pattern::ResourceLifecycle).unwrap();
    let names: Vec<&str> = life.steps.iter().map(|step| step.op_id.as_str()).collect();
    assert_eq!(
        names,
        [
            "POST /orders",
            "GET /orders/{id}",
            "PATCH /orders/{id}",
            "GET /orders/{id}",
            "DELETE /orders/{id}",
            "GET /orders/{id}"
        ]
    );
    assert_eq!(life.steps[0].captures["id"], "body:id");
    assert_eq!(life.steps[1].binds["path.id"], "$captures.id");
    assert_eq!(expected(&life.steps[1].assertions, "id"), Some("$captures.id".into()));
    let status = |step: usize| {
        life.steps[step].assertions.iter().find_map(|assertion| match &assertion.check {
            Check::Status { expected } => Some(expected.codes()),
            _ => None,
        })
    };
    assert_eq!((status(0), status(4), status(5)), (Some(vec![201]), Some(vec![204]), Some(vec![404])));
    let register = service.derive(Method::Post, "/customers");
    let patterns: BTreeSet<Pattern> = register.sequences.iter().map(|(sequence, _)| sequence.pattern).collect();
    assert!(patterns.contains(&Pattern::NestedResource), "{patterns:?}");
    assert!(place.sequences.iter().chain(&register.sequences).all(|(_, citations)| !citations.is_empty()));
}

#[test]
fn oracles_of_a_pure_operation_are_exact_and_use_all_strategies() {
    let service = Service::example(None);
    let quotes = service.derive(Method::Get, "/quotes");
    for strategy in Strategy::ALL {
        assert!(quotes.candidates.iter().any(|c| c.oracle.strategy == strategy), "{}", strategy.as_str());
    }
    let saved = quotes.candidates.iter().find(|c| c.oracle.test_id == "fv_coupon_save05").unwrap();
    insta::assert_json_snapshot!("quote_with_coupon", saved.oracle);
    for candidate in &quotes.candidates {
        assert!(!candidate.oracle.evidence.is_empty());
        for citation in &candidate.citations {
            let member = service.project.by_symbol(&citation.symbol).unwrap();
            assert_eq!(service.project.member(member).tokens, citation.tokens_sha256);
        }
    }
    let mut names: Vec<&str> = quotes.candidates.iter().map(|c| c.oracle.test_id.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), quotes.candidates.len());
}

#[test]
fn deriving_twice_gives_the_same() {
    let service = Service::example(None);
    for endpoint in &service.endpoints {
        let (one, two) =
            (service.derive(endpoint.method, &endpoint.path), service.derive(endpoint.method, &endpoint.path));
        assert_eq!(format!("{one:?}"), format!("{two:?}"));
    }
}

#[test]
fn the_meant_change_of_the_branch_has_a_witness() {
    let changes = all_changes(&Service::example(None), &Service::example(Some("1-meant")));
    // Placing an order checks the same limit.
    let [placed, change] = changes.as_slice() else { panic!("{changes:#?}") };
    assert_eq!(placed.op_id.as_str(), "POST /orders");
    assert!(placed.what.starts_with("answers 201 where it answered 422"), "{}", placed.what);
    assert_eq!(change.what, "answers 200 where it answered 422 (quantity > 10)");
    assert_eq!(change.effect, ChangeEffect::Additive);
    let witness = change.witness.as_ref().unwrap();
    assert!(witness.input.query.contains(&("quantity".to_owned(), "11".to_owned())));
    assert!(witness.before.starts_with("422") && witness.after.starts_with("200"));
    assert!(change.evidence_before.is_some() && change.evidence_after.is_some());
}

#[test]
fn the_unmeant_change_of_the_branch_breaks_clients() {
    let changes = all_changes(&Service::example(None), &Service::example(Some("2-unmeant")));
    let [change] = changes.as_slice() else { panic!("{changes:#?}") };
    assert_eq!(change.op_id.as_str(), "GET /shipping/zones/{country}");
    assert!(change.what.starts_with("answers 200 where it answered 404"));
    assert_eq!(change.effect, ChangeEffect::Breaking);
}

#[test]
fn the_refactoring_of_the_branch_says_nothing() {
    let changes = all_changes(&Service::example(None), &Service::example(Some("3-refactoring")));
    assert!(changes.is_empty(), "{changes:#?}");
}

#[test]
fn another_name_for_the_same_form_is_no_change() {
    let of = |dto: &str, list: &str, number: &str| {
        let controller = format!(
            "package a; import java.util.*; import org.springframework.web.bind.annotation.*; @RestController public class C {{ \
             @PostMapping(\"/notes/{{id}}\") public {dto} keep(@PathVariable {number} id, @RequestBody {dto} note) {{ return note; }} }}"
        );
        let body = format!(
            "package a; import java.util.*; public class {dto} {{ private String title; private {list}<String> tags; \
             public String getTitle() {{ return title; }} public void setTitle(String t) {{ title = t; }} \
             public {list}<String> getTags() {{ return tags; }} public void setTags({list}<String> t) {{ tags = t; }} }}"
        );
        Service::of([("src/main/java/a/C.java".to_owned(), controller), (format!("src/main/java/a/{dto}.java"), body)])
    };
    let base = of("NoteDto", "List", "Integer");
    let told = |head: &Service| all_changes(&base, head).into_iter().map(|change| change.what).collect::<Vec<_>>();
    assert_eq!(told(&of("Note", "List", "Integer")), Vec::<String>::new());
    assert_eq!(told(&of("NoteDto", "ArrayList", "int")), Vec::<String>::new());
    assert!(!told(&of("NoteDto", "List", "String")).is_empty());
}

#[test]
fn constraints_count_that_several_wildcards_could_bring() {
    let controller = "package a; import jakarta.validation.Valid; import org.springframework.web.bind.annotation.*; \
        @RestController public class C { @PostMapping(\"/notes\") public String keep(@Valid @RequestBody Note note) { return \"kept\"; } }";
    let note = "package a; import com.fasterxml.jackson.annotation.*; import jakarta.validation.constraints.*; import lombok.*; \
        @Getter @Setter public class Note { @NotNull @Size(max = 5) private String title; }";
    let service = Service::of([("src/main/java/a/C.java", controller), ("src/main/java/a/Note.java", note)]);
    let notes = service.derive(Method::Post, "/notes");
    let statuses: Vec<u16> = notes.candidates.iter().flat_map(|one| one.oracle.statuses()).collect();
    assert!(statuses.contains(&200) && statuses.contains(&400), "{statuses:?} {:?}", notes.notes);
    assert!(errors(&notes).iter().any(|error| error.contains("title")), "{:?}", errors(&notes));
}

#[test]
fn the_base_s_oracles_are_judged_on_the_head() {
    let (base, head) = (Service::example(None), Service::example(Some("1-meant")));
    let quotes = base.derive(Method::Get, "/quotes");
    let judged = |service: &Service| -> Vec<(String, Judgement)> {
        service.with(Method::Get, "/quotes", |subject| {
            quotes.candidates.iter().map(|c| (c.oracle.test_id.clone(), derive::judge(subject, &c.oracle))).collect()
        })
    };
    assert!(judged(&base).iter().all(|(_, judgement)| *judgement == Judgement::Holds), "{:?}", judged(&base));
    let broken: Vec<String> = judged(&head)
        .into_iter()
        .filter(|(_, judgement)| matches!(judgement, Judgement::Broken { .. }))
        .map(|(name, _)| name)
        .collect();
    assert!(broken.contains(&"fi_quantity_above_10".to_owned()), "{broken:?}");
    assert!(!broken.contains(&"fi_quantity_below_1".to_owned()));
}

/// The whole bodies that the candidates of `GET path` expect, sorted.
fn bodies(service: &Service, path: &str) -> Vec<String> {
    let derived = service.derive(Method::Get, path);
    let checks = derived.candidates.iter().flat_map(|one| one.oracle.assertions.iter().map(|a| &a.check));
    let mut out: Vec<String> = checks
        .filter_map(|check| match check {
            Check::Field { path, expected: Some(expected), .. } if path.is_empty() => Some(expected.to_string()),
            Check::Body { op, .. } => Some(format!("{op:?}")),
            _ => None,
        })
        .collect();
    out.sort();
    out.dedup();
    out
}

#[test]
fn a_text_is_read_as_its_media_type_has_it_read() {
    let service = Service::of([(
        "src/main/java/a/C.java".to_owned(),
        "package a; import org.springframework.web.bind.annotation.*; @RestController public class C { \
         @GetMapping(\"/plain\") public String plain() { return \"2\"; } \
         @GetMapping(value = \"/json\", produces = \"application/json\") public String json() { return \"2\"; } \
         @GetMapping(value = \"/csv\", produces = \"text/csv\") public String csv() { return \"true\"; } \
         @GetMapping(value = \"/either\", produces = {\"application/json\", \"text/plain\"}) public String either() { return \"2\"; } \
         @GetMapping(\"/object\") public String object() { return \"{\\\"a\\\":2}\"; } \
         @GetMapping(\"/thrown\") public String thrown() { throw new IllegalStateException(); } \
         @ExceptionHandler(IllegalStateException.class) public String handler() { return \"7\"; } }"
            .to_owned(),
    )]);
    assert_eq!(bodies(&service, "/plain"), [r#""2""#]);
    assert_eq!(bodies(&service, "/json"), ["2"]);
    assert_eq!(bodies(&service, "/csv"), [r#""true""#]);
    assert_eq!(bodies(&service, "/either"), ["NotEmpty"]);
    assert_eq!(bodies(&service, "/object"), [r#"{"a":2}"#]);
    assert_eq!(bodies(&service, "/thrown"), ["NotEmpty"]);
}

#[test]
fn a_literal_segment_may_bear_the_name_of_a_parameter() {
    let service = Service::of([(
        "src/main/java/a/C.java".to_owned(),
        "package a; import org.springframework.web.bind.annotation.*; @RestController public class C { \
         @GetMapping(\"/title/{sex}/{title}\") public String f(@PathVariable(\"sex\") String sex, @PathVariable(\"title\") String title) { \
         return sex.equals(\"m\") ? \"mr\" : \"ms\"; } }"
            .to_owned(),
    )]);
    assert_eq!(bodies(&service, "/title/{sex}/{title}"), [r#""mr""#, r#""ms""#]);
}

#[test]
fn a_collection_of_the_request_s_own_makes_no_writer_of_a_get() {
    let service = Service::of([(
        "src/main/java/a/C.java".to_owned(),
        "package a; import java.util.*; import org.springframework.web.bind.annotation.*; @RestController public class C { Lib lib; \
         @GetMapping(\"/own\") public List<String> own() { List<String> all = new ArrayList<>(); all.addAll(lib.findAll()); return all; } \
         @GetMapping(\"/kept\") public List<String> kept() { lib.save(\"x\"); return lib.findAll(); } }"
            .to_owned(),
    )]);
    let effects = |path: &str| -> Vec<Effect> {
        service.derive(Method::Get, path).probes.iter().map(|probe| probe.oracle.effect).collect()
    };
    assert_eq!(effects("/own"), [Effect::Reads]);
    assert_eq!(effects("/kept"), [Effect::Writes]);
}

#[test]
fn a_prefix_and_a_length_are_met_at_once_and_a_fraction_stands_in_the_last_segment() {
    let service = Service::of([(
        "src/main/java/a/C.java".to_owned(),
        "package a; import org.springframework.web.bind.annotation.*; @RestController public class C { \
         @GetMapping(\"/val/{val}\") public String val(@PathVariable(\"val\") String val) { \
         if (val.length() > 6) { if (\"user\".equals(val.substring(0, 4))) { return \"one\"; } } return \"none\"; } \
         @GetMapping(\"/op/{op}/{x}\") public String op(@PathVariable(\"op\") String op, @PathVariable(\"x\") double x) { \
         if (\"plus\".equals(op)) { return \"\" + (x + 1); } return \"no\"; } }"
            .to_owned(),
    )]);
    assert_eq!(bodies(&service, "/val/{val}"), [r#""none""#, r#""one""#]);
    assert_eq!(bodies(&service, "/op/{op}/{x}"), [r#""2.5""#, r#""no""#]);
}

/// The changes between two bodies of a handler with the parameters `n` and `s` and a request body.
fn changed(before: &str, after: &str) -> Vec<Change> {
    let service = |code: &str| {
        Service::of([(
            "src/main/java/a/C.java".to_owned(),
            format!(
                "package a; import org.springframework.http.*; import org.springframework.web.bind.annotation.*; \
                 @RestController public class C {{ Lib lib; enum Kind {{ A, B, C }} \
                 public static class Order {{ public int count; public String code; public Order next; }} \
                 static class Bad extends RuntimeException {{ Bad() {{ super(\"bad\"); }} }} \
                 @ExceptionHandler(Bad.class) public ResponseEntity<String> bad() {{ return ResponseEntity.status(400).body(\"bad\"); }} \
                 {code} }}"
            ),
        )])
    };
    all_changes(&service(before), &service(after))
}

fn handler(body: &str) -> String {
    format!(
        "@GetMapping(\"/f/{{n}}\") public String f(@PathVariable(\"n\") int n, @RequestParam(\"s\") String s) {{ {body} }}"
    )
}

#[test]
fn a_bound_is_the_same_however_it_is_written() {
    let writings = [
        "if (!(n > 2 && n <= 1000)) { throw new Bad(); } return lib.find(n);",
        "if (n <= 2 || n > 1000) { throw new Bad(); } return lib.find(n);",
        "if (n > 1000 || n <= 2) throw new Bad(); return lib.find(n);",
        "if (n < 3) { throw new Bad(); } if (n >= 1001) { throw new Bad(); } return lib.find(n);",
        "if (2 < n && 1001 > n) { return lib.find(n); } throw new Bad();",
        "if (n > 2) { if (n <= 1000) { return lib.find(n); } else { throw new Bad(); } } else { throw new Bad(); }",
        "boolean ok = n > 2 && n <= 1000; if (ok) return lib.find(n); throw new Bad();",
        "boolean ok = n > 2 & !(n > 1000); if (!ok) throw new Bad(); return lib.find(n);",
        "int m = n > 2 && n <= 1000 ? 1 : 0; switch (m) { case 1: return lib.find(n); default: throw new Bad(); }",
        "if (n - 2 <= 0 || n > 1000) { throw new Bad(); } return lib.find(n);",
        "check(n); return lib.find(n); } static void check(int k) { if (k > 2 && k < 1001) { return; } throw new Bad();",
        "Integer k = n; if (k.compareTo(2) <= 0 || k.intValue() > 1000) { throw new Bad(); } return lib.find(n);",
    ];
    let same = |all: &[&str], whole: &dyn Fn(&str) -> String| {
        for (at, one) in all.iter().enumerate() {
            for other in [all[0], all[(at + 1) % all.len()]] {
                let found = changed(&whole(one), &whole(other));
                assert!(found.is_empty(), "{one}\n{other}\n{found:#?}");
            }
        }
    };
    same(&writings, &handler);
    let lengths = [
        "if (s.length() < 2 || s.length() > 5) throw new Bad(); return lib.find(s);",
        "if (!(s.length() >= 2 && s.length() <= 5)) throw new Bad(); return lib.find(s);",
        "int l = s.length(); if (1 < l) { if (l < 6) return lib.find(s); } throw new Bad();",
        "switch (s.length()) { case 2: case 3: case 4: case 5: return lib.find(s); default: throw new Bad(); }",
        "if (s.length() == 2 || s.length() == 3 || s.length() == 4 || s.length() == 5) return lib.find(s); throw new Bad();",
    ];
    same(&lengths, &handler);
    let members = [
        "if (o.count < 1 || o.count > 9) throw new Bad(); return lib.find(o.count);",
        "if (!(o.count >= 1) || o.count >= 10) { throw new Bad(); } return lib.find(o.count);",
        "int c = o.count; if (0 < c && c <= 9) return lib.find(c); else throw new Bad();",
    ];
    same(&members, &|body| format!("@PostMapping(\"/f\") public String f(@RequestBody Order o) {{ {body} }}"));
}

#[test]
fn a_bound_that_moved_is_told_with_a_witness() {
    let guarded = |guard: &str| handler(&format!("if ({guard}) {{ throw new Bad(); }} return lib.find(n);"));
    let found = changed(&guarded("!(n > 2 && n <= 1000)"), &guarded("n <= 2 || n > 500"));
    let [change] = found.as_slice() else { panic!("{found:#?}") };
    assert_eq!(change.what, "n: 3..1000 → 3..500");
    let witness = change.witness.as_ref().unwrap();
    assert_eq!(witness.input.path.get("n").map(String::as_str), Some("501"));
    assert_eq!((witness.before.as_str(), witness.after.as_str()), ("200", "400"));
    let found = changed(&guarded("n <= 2"), &guarded("n < 2"));
    let [change] = found.as_slice() else { panic!("{found:#?}") };
    assert_eq!(change.what, "n: at least 3 → at least 2");
}

#[test]
fn inputs_that_show_a_change_are_found() {
    let sides = |a: &str, b: &str| {
        let sides = |code: &str| {
            format!(
                "@GetMapping(\"/t/{{a}}/{{b}}/{{c}}\") public String t(@PathVariable(\"a\") int a, @PathVariable(\"b\") int b, @PathVariable(\"c\") int c) {{ {code} }}"
            )
        };
        changed(&sides(a), &sides(b))
    };
    let first = "if (a + b <= c) return \"no\"; if (a == b && b == c) return \"equal\"; return \"other\";";
    for second in [
        "if (a + b < c) return \"no\"; if (a == b && b == c) return \"equal\"; return \"other\";",
        "if (a + b <= c) return \"no\"; if (a == b || b == c) return \"equal\"; return \"other\";",
        "if (a + b <= c) return \"no\"; return \"other\";",
        "if (a + b <= c + 1) return \"no\"; if (a == b && b == c) return \"equal\"; return \"other\";",
    ] {
        assert!(sides(first, second).iter().any(|change| change.witness.is_some()), "{second}");
    }
    let texts = |a: &str, b: &str| changed(&handler(&format!("return {a};")), &handler(&format!("return {b};")));
    for (a, b) in [
        ("s.equals(\"abc\") ? \"x\" : \"y\"", "s.equalsIgnoreCase(\"abc\") ? \"x\" : \"y\""),
        ("s.equals(\"abc\") ? \"x\" : \"y\"", "s.toLowerCase().equals(\"abc\") ? \"x\" : \"y\""),
        ("s.matches(\"[a-z]{3}[0-9]\") ? \"x\" : \"y\"", "s.matches(\"[a-z]{3}[0-9]+\") ? \"x\" : \"y\""),
        (
            "java.util.regex.Pattern.compile(\"(mon|tue)-1\").matcher(s).matches() ? \"x\" : \"y\"",
            "java.util.regex.Pattern.matches(\"(mon|wed)-1\", s) ? \"x\" : \"y\"",
        ),
        ("n == 17 ? \"x\" : \"y\"", "\"y\""),
        ("\"\" + (n % 5)", "\"\" + (n & 3)"),
    ] {
        assert!(texts(a, b).iter().any(|change| change.witness.is_some()), "{a} → {b}");
    }
}

/// One field at a time violates its constraints; the answer names it.
#[test]
fn what_violates_a_constraint_is_refused_with_its_field() {
    let service = Service::example(None);
    let register = service.derive(Method::Post, "/customers");
    let invalid: Vec<(Option<serde_json::Value>, Option<serde_json::Value>)> = register
        .candidates
        .iter()
        .filter(|one| one.oracle.rationale.contains("MethodArgumentNotValidException"))
        .map(|one| (expected(&one.oracle.assertions, "code"), expected(&one.oracle.assertions, "fields[0].field")))
        .collect();
    let of = |field: &str| (Some("invalid".into()), Some(field.into()));
    for field in ["name", "email", "country"] {
        assert!(invalid.contains(&of(field)), "{field}: {invalid:?}");
    }
}
