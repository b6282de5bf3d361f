//! A change that many operations reach is reported once, as a change of the member.

use std::fmt::Write;

use crate::states::{between, states};

const DESK: &str = "package a; import org.springframework.stereotype.Service;
@Service public class Desk { private final org.vendor.Rows rows; public Desk(org.vendor.Rows rows) { this.rows = rows; }
  public String named(long id) { if (id < 1) { throw new IllegalArgumentException(\"id\"); } return rows.name(id); } }";

/// A controller with this many operations, each of which calls the desk.
fn handlers(operations: usize) -> String {
    let mut code = "private final Desk desk; public C(Desk desk) { this.desk = desk; }\n".to_owned();
    for n in 0..operations {
        let _ = writeln!(
            code,
            "@GetMapping(\"/n{n}/{{id}}\") public String n{n}(@PathVariable(\"id\") long id) {{ return \"n{n} \" + desk.named(id); }}"
        );
    }
    code
}

/// The report for this new code of the desk and this many operations.
fn report(operations: usize, desk: &str) -> serde_json::Value {
    let handlers = handlers(operations);
    let repo = between(&handlers, &handlers, &[("Desk.java", DESK)]);
    let repo = repo.file("src/main/java/a/Desk.java", desk).commit("Another desk");
    repo.run(["ci", "--since", "main", "--format", "json"]).ends(0).json()
}

#[test]
fn what_many_operations_reach_is_told_once_by_the_member_that_changed() {
    let report = report(70, &DESK.replace("id < 1", "id < 2"));
    let found = states(&report);
    assert!(found.len() == 70 && found.iter().all(|(_, state)| state == "changed"), "{found:?}");
    let told: Vec<&str> =
        report["changes"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap()).collect();
    assert_eq!(told, ["throws `IllegalArgumentException` where it gave `rows.name(id)`, in `Desk#named` (id == 1)"]);
}

#[test]
fn a_refactoring_that_many_operations_reach_is_the_same_in_all_of_them() {
    let report = report(70, &DESK.replace("if (id < 1)", "if (1 > id)"));
    let found = states(&report);
    assert!(found.iter().all(|(_, state)| state == "same"), "{found:?}");
    assert_eq!(report["changes"], serde_json::json!([]));
}
