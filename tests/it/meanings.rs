//! The meaning of library names: another import is a change, although no token of the code differs.

use crate::support::Repo;

const PATH: &str = "src/main/java/a/C.java";

const CODE: &str = "package a;
import java.util.*;
import org.apache.commons.lang3.StringUtils;
import b.Own;
import org.springframework.web.bind.annotation.*;
@RestController class C {
  @GetMapping(\"/text\") String text(String in) { return StringUtils.capitalize(in); }
  @GetMapping(\"/list\") Object list() { List<Object> all = new ArrayList<>(); all.add(new Date(1L)); return all; }
  @GetMapping(\"/own\") String own() { return Own.text(); }
}
";

fn affected(change: impl Fn(Repo) -> Repo) -> Vec<String> {
    let own = "package b; public class Own { public static String text() { return \"1\"; } }\n";
    let repo = Repo::new().file(PATH, CODE).file("src/main/java/b/Own.java", own).commit("first");
    let plan = change(repo).json(["plan", "--since", "main", "--format", "json"]);
    let operations = plan["operations"].as_array().unwrap().iter().filter(|o| o["state"] == "affected");
    operations.map(|o| o["op_id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn another_import_of_the_same_simple_name_is_a_change_of_what_says_it() {
    let spring =
        |repo: Repo| repo.edit(PATH, "org.apache.commons.lang3.StringUtils", "org.springframework.util.StringUtils");
    assert_eq!(affected(spring), ["GET /text"]);
    let sql = |repo: Repo| repo.edit(PATH, "import java.util.*;", "import java.util.*;\nimport java.sql.Date;");
    assert_eq!(affected(sql), ["GET /list"]);
}

#[test]
fn imports_that_change_no_meaning_are_no_change() {
    let explicit = "import java.util.ArrayList;\nimport java.util.Date;\nimport java.util.List;\nimport java.util.Map;";
    assert_eq!(affected(|repo| repo.edit(PATH, "import java.util.*;", explicit)), [""; 0]);
    let moved = "package c; public class Own { public static String text() { return \"1\"; } }\n";
    let move_it = |repo: Repo| {
        repo.remove("src/main/java/b/Own.java").file("src/main/java/c/Own.java", moved).edit(
            PATH,
            "import b.Own;",
            "import c.Own;",
        )
    };
    assert_eq!(affected(move_it), [""; 0]);
    // If the moved class also changes, its operation is affected.
    let change = |repo: Repo| move_it(repo).edit("src/main/java/c/Own.java", "\"1\"", "\"2\"");
    assert_eq!(affected(change), ["GET /own"]);
}
