//! An operation is not reported as removed if its handler still exists but its supertype cannot be read.

use crate::support::Repo;

const PATH: &str = "src/main/java/a/C.java";

fn controller(heads: &str, mapping: &str, name: &str) -> String {
    format!(
        "package a; import org.springframework.web.bind.annotation.*; {heads} {{ @GetMapping(\"/b\") public String b() {{ return \"b\"; }}\n\
         {mapping} public String {name}() {{ return \"a\"; }} }}"
    )
}

fn changed(head: String) -> (Repo, Vec<(String, String)>) {
    let repo = Repo::new()
        .file(PATH, controller("@RestController public class C", "@GetMapping(\"/a\")", "a"))
        .commit("first");
    let repo = repo.file(PATH, head).commit("second");
    let plan = repo.json(["plan", "--since", "HEAD~1", "--format", "json"]);
    let operations = plan["operations"].as_array().unwrap().iter();
    let of = |one: &serde_json::Value, key: &str| one[key].as_str().unwrap().to_owned();
    let states = operations.map(|one| (of(one, "op_id"), of(one, "state"))).collect();
    (repo, states)
}

#[test]
fn a_handler_behind_a_generated_interface_is_undecided_and_one_that_is_gone_is_removed() {
    let behind = "import com.acme.generated.ThingsApi; @RestController public class C implements ThingsApi";
    let (repo, states) = changed(controller(behind, "@Override", "a"));
    assert_eq!(states[0], ("GET /a".to_owned(), "affected".to_owned()), "{states:?}");
    let ran = repo.run(["ci", "--since", "HEAD~1", "--format", "json"]);
    assert!(!ran.out.contains("removed"), "{}", ran.out);
    assert!(ran.out.contains("what serves it now is not known"), "{} {}", ran.out, ran.err);
    // The interface names its methods, so the operation may also be served by a method with another name.
    let (_, states) = changed(controller(behind, "@Override", "things"));
    assert_eq!(states[0], ("GET /a".to_owned(), "affected".to_owned()), "{states:?}");
    for (heads, mapping, name) in [
        (behind, "@GetMapping(\"/c\")", "c"),
        ("@RestController public class C implements java.io.Serializable", "", "a"),
    ] {
        let (repo, states) = changed(controller(heads, mapping, name));
        assert_eq!(states[0], ("GET /a".to_owned(), "retired".to_owned()), "{heads}");
        let ran = repo.run(["ci", "--since", "HEAD~1", "--format", "json"]);
        assert!(ran.out.contains("removed"), "{} {}", ran.out, ran.err);
    }
}
