//! Cyclic and growing values: each such operation is derived or ended by a counted bound, and none blocks the others.

use crate::support::Repo;

const RING: &str = "package a; @lombok.Data public class Ring { public Ring next; public String name; }";

/// A service with these handler bodies, at the paths `/0`, `/1` and so on.
fn service(bodies: &[&str]) -> Repo {
    let handlers: Vec<String> = bodies
        .iter()
        .enumerate()
        .map(|(n, body)| format!("@GetMapping(\"/{n}\") public Object h{n}() {{ {body} }}"))
        .collect();
    let code = format!(
        "package a; import java.util.*; import org.springframework.web.bind.annotation.*; import jakarta.validation.Valid; import jakarta.validation.constraints.*;
         @RestController public class C {{ {}
           static class Node {{ @NotNull public String name; @Valid public Node next; @Valid public List<Node> children; }}
           static class Chain {{ @Valid @NotNull public Chain next; }}
           @PostMapping(\"/chains\") public int hang(@Valid @RequestBody Chain chain) {{ return 1; }}
           @PostMapping(\"/nodes\") public String take(@Valid @RequestBody Node node) {{ return node.name; }} }}",
        handlers.join("\n")
    );
    let pom = "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version>\
        <parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId><version>3.2.0</version></parent>\
        <dependencies><dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web</artifactId></dependency>\
        <dependency><groupId>org.projectlombok</groupId><artifactId>lombok</artifactId></dependency></dependencies></project>";
    let dir = "src/main/java/a";
    Repo::new()
        .file("pom.xml", pom)
        .file(&format!("{dir}/Ring.java"), RING)
        .file(&format!("{dir}/C.java"), code)
        .commit("Values")
}

/// The statuses that the suite expects of each handler; empty if nothing is certain.
fn statuses(bodies: &[&str]) -> Vec<Vec<u64>> {
    let repo = service(bodies);
    repo.run(["generate", "--all"]).ends(0);
    let of = |n: usize| -> Vec<u64> {
        let listed = repo.git(["ls-files", "-co", ".mastor/suite"]);
        let path = listed.lines().find(|path| path.contains(&format!("/get-{n}-")));
        let Some(path) = path else { return Vec::new() };
        let suite: serde_json::Value = serde_json::from_str(&repo.read(path)).unwrap();
        let oracles = suite["oracles"].as_array().unwrap().clone();
        oracles.iter().filter_map(|oracle| oracle["assertions"][0]["expected"].as_u64()).collect()
    };
    (0..bodies.len()).map(of).collect()
}

#[test]
fn where_javas_stack_overflows_that_operation_fails_and_the_others_are_told() {
    let found = statuses(&[
        "List<Object> l = new ArrayList<>(); l.add(l); return \"\" + l.hashCode();",
        "List<Object> l = new ArrayList<>(), m = new ArrayList<>(); l.add(m); m.add(l); return l.toString();",
        "List<Object> l = new ArrayList<>(), m = new ArrayList<>(); l.add(m); m.add(l); return l.equals(m);",
        "Ring r = new Ring(); r.next = r; return r.toString();",
        "Ring r = new Ring(), s = new Ring(); r.next = r; s.next = s; return r.equals(s);",
        "Ring r = new Ring(); r.next = new Ring(); return r.toString();",
    ]);
    assert_eq!(found, [vec![500], vec![500], vec![500], vec![500], vec![500], vec![200]]);
}

#[test]
fn what_grows_without_end_is_cut_by_a_counted_bound() {
    let found = statuses(&[
        "List<Integer> l = new ArrayList<>(); l.add(1); for (int i = 0; i < 60; i++) l.addAll(l); return l.size();",
        "String s = \"ab\"; for (int i = 0; i < 60; i++) s += s; return s.length();",
        "return String.format(\"%1000000000d\", 1);",
        "List<Integer> l = new ArrayList<>(); l.add(1); for (int i = 0; i < 6; i++) l.addAll(l); return l.size();",
    ]);
    assert_eq!(found, [vec![], vec![], vec![], vec![200]]);
}

#[test]
fn a_body_of_bodies_of_bodies_is_told_up_to_a_counted_bound() {
    let class = |level: usize, of: &str| {
        let fields: String = (0..12).map(|n| format!("public {of} f{n};")).collect();
        format!("package a; public class W{level} {{ {fields} }}")
    };
    let mut repo = service(&["return 1;"]);
    for level in 0..4 {
        let of = if level == 3 { "int".to_owned() } else { format!("W{}", level + 1) };
        repo = repo.file(&format!("src/main/java/a/W{level}.java"), class(level, &of));
    }
    let code = "package a; import org.springframework.web.bind.annotation.*;
        @RestController public class Wide { @PostMapping(\"/wide\") public W0 wide(@RequestBody W0 body) { return body; } }";
    let repo = repo.file("src/main/java/a/Wide.java", code).commit("Wide");
    repo.run(["generate", "POST /wide"]).ends(0);
    let listed = repo.git(["ls-files", "-co", ".mastor/suite"]);
    let path = listed.lines().find(|path| path.contains("/post-wide-")).unwrap();
    let suite: serde_json::Value = serde_json::from_str(&repo.read(path)).unwrap();
    let count = |within: &serde_json::Value| within.as_array().unwrap().len();
    let context = &suite["context"];
    assert_eq!((count(&context["request_params"]), count(&context["response_schema"]["fields"])), (1000, 1000));
}
