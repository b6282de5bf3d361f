//! Type arguments that cannot be inferred: their upper bound keeps a call from reaching every method of that name.

use crate::support::Repo;

const BUILDERS: &str = "package a; public class Builders {
  public abstract static class Base<T extends Base<T>> { protected String name;
    protected abstract T self(); public T name(String name) { this.name = name; return self(); } public String build() { return \"b\" + name; } }
  public static class Plain extends Base<Plain> { protected Plain self() { return this; } }
  public static Base<?> any() { return new Plain(); }
  @SuppressWarnings(\"rawtypes\") public static Base raw() { return new Plain(); }
}";

const OTHER: &str = "package a; public class Other { public String build() { return \"other\"; } }";

fn repo(made: &str) -> Repo {
    let controller = format!(
        "package a; import org.springframework.web.bind.annotation.*; @RestController public class C {{
           @GetMapping(\"/one\") public Object one() {{ return {made}; }}
           @GetMapping(\"/two\") public Object two() {{ return new Other().build(); }} }}"
    );
    let dir = "src/main/java/a";
    Repo::new()
        .file(&format!("{dir}/Builders.java"), BUILDERS)
        .file(&format!("{dir}/Other.java"), OTHER)
        .file(&format!("{dir}/C.java"), controller)
        .commit("Builders")
        .branch("feature")
        .edit(&format!("{dir}/Other.java"), "\"other\"", "\"another\"")
        .commit("Change the other")
}

fn affected(repo: &Repo) -> Vec<String> {
    let plan = repo.json(["plan", "--since", "main", "--format", "json"]);
    let operations = plan["operations"].as_array().unwrap().clone();
    let affected = operations.into_iter().filter(|one| one["state"] == "affected");
    affected.map(|one| one["op_id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_builder_of_its_own_type_reaches_its_own_build_alone() {
    for made in [
        "new Builders.Plain().name(\"x\").build()",
        "Builders.any().name(\"x\").build()",
        "Builders.raw().toString() + ((Builders.Base) Builders.raw()).name(\"x\")",
        "Builders.any().name(\"x\").name(\"y\").build()",
    ] {
        assert_eq!(affected(&repo(made)), ["GET /two"], "{made}");
    }
}
