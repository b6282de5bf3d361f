//! Derived changes that show only with special requests, derived from how code uses texts, lists and rows.

use crate::changes::{between, service, told};
use crate::derive::all_changes;

/// A handler with a text parameter of the query.
fn reads(body: &str) -> String {
    format!("@GetMapping(\"/p\") public String one(@RequestParam(\"s\") String s) {{ {body} }}")
}

/// The first change between two bodies of such a handler.
fn first(before: &str, after: &str) -> String {
    told(&between(&reads(before), &reads(after))).first().cloned().unwrap_or_default()
}

/// Repositories with one more method.
fn items(method: &str) -> String {
    format!(
        "package a; import java.util.*; public interface Items extends org.springframework.data.jpa.repository.JpaRepository<Item, Long> {{ {method} }}"
    )
}

const ITEMS: &str = "src/main/java/a/Items.java";

#[test]
fn parts_of_a_text_that_is_split_are_asked_for() {
    let split = |by: &str, rest: &str| format!("String[] p = s.split({by}); {rest}");
    let found = first(
        &split("\",\"", "if (p.length < 2) { throw new Bad(); } return p[1];"),
        &split("\",\"", "if (p.length < 2) { throw new Bad(); } return p[0];"),
    );
    assert_eq!(found, "the text of the body changes [200 \"b\" → 200 \"sample\"]");
    let found = first(&split("\",\"", "return p[0];"), &split("\";\"", "return p[0];"));
    assert!(found.ends_with("[200 \"sample\" → 200 \"sample,b\"]"), "{found}");
    let found = first(&split("\",\"", "return p[p.length - 1];"), &split("\",\", 2", "return p[p.length - 1];"));
    assert!(found.ends_with("[200 \"c\" → 200 \"b,c\"]"), "{found}");
    let bound =
        |most: u8| format!("String[] p = s.split(\"-\"); if (p.length > {most}) {{ throw new Bad(); }} return \"ok\";");
    assert_eq!(first(&bound(3), &bound(4)), "answers 200 where it answered 400 [400 → 200 \"ok\"]");
    // In a regular expression, `.` matches every character.
    let path = |by: &str| {
        format!(
            "@GetMapping(\"/p/{{s}}\") public String one(@PathVariable(\"s\") String s) {{ return \"\" + s.split({by}).length; }}"
        )
    };
    let found = told(&between(&path("\".\""), &path("\"\\\\.\"")));
    assert!(found.iter().any(|one| one.contains("the text of the body changes")), "{found:#?}");
    // The same parts, found in another way.
    let same = "int at = s.indexOf(','); return at < 0 ? s : s.substring(0, at);";
    assert_eq!(first("return s.split(\",\", -1)[0];", same), "");
}

#[test]
fn texts_that_are_trimmed_or_folded_where_they_are_looked_up_are_asked_for() {
    let code = |key: &str| {
        format!(
            "@GetMapping(\"/p/{{name}}\") public ResponseEntity<Item> one(@PathVariable(\"name\") String name) {{
               return items.findByName({key}).map(ResponseEntity::ok).orElseGet(() -> ResponseEntity.notFound().build()); }}"
        )
    };
    let with = |key: &str| service(&code(key), &[(ITEMS, &items("Optional<Item> findByName(String name);"))]);
    let between = |before: &str, after: &str| told(&all_changes(&with(before), &with(after)));
    let gone = "answers 404 where it answered 200 [200 {\"id\":7,\"name\":\"bread\"} → 404]";
    assert_eq!(between("name.trim()", "name"), [gone]);
    assert_eq!(between("name.toLowerCase()", "name"), [gone]);
    let came = "answers 200 where it answered 404 [404 → 200 {\"id\":7,\"name\":\"bread\"}]";
    assert_eq!(between("name", "name.toLowerCase()"), [came]);
    assert_eq!(between("name.trim()", "name.strip()"), [""; 0]);
    // Keys of a map, and fields that are compared one by one.
    let known =
        "static final Map<String, Integer> K = new HashMap<>(); static { K.put(\"red\", 1); K.put(\"blue\", 2); }";
    let code = |key: &str| {
        format!(
            "{known} {}",
            reads(&format!("Integer n = K.get({key}); if (n == null) {{ throw new Bad(); }} return \"\" + n;"))
        )
    };
    let found = told(&crate::changes::between(&code("s.trim()"), &code("s")));
    assert!(found[0].starts_with("answers 400 where it answered 200"), "{found:#?}");
    let each = |test: &str| {
        reads(&format!(
            "for (Item i : items.findAll()) {{ if (i.getName().{test}(s)) {{ return \"\" + i.getId(); }} }} throw new Bad();"
        ))
    };
    let found = told(&crate::changes::between(&each("equalsIgnoreCase"), &each("equals")));
    assert!(found[0].starts_with("answers 400 where it answered 200"), "{found:#?}");
}

#[test]
fn whether_a_database_tells_the_case_of_letters_apart_is_known_of_some() {
    let code = |query: &str| {
        format!(
            "@GetMapping(\"/p\") public List<Item> one(@RequestParam(\"s\") String s) {{ return items.{query}(s); }}"
        )
    };
    let both = "List<Item> findByName(String name); List<Item> findByNameIgnoreCase(String name);";
    let of = |query: &str, url: &str| {
        let settings = format!("spring.datasource.url={url}\n");
        let files = [(ITEMS, items(both)), ("src/main/resources/application.properties", settings)];
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        service(&code(query), &files)
    };
    let between = |url: &str| told(&all_changes(&of("findByNameIgnoreCase", url), &of("findByName", url)));
    let found = between("jdbc:h2:mem:a");
    assert_eq!(
        found,
        ["the body has another value on 200 (s is given) [200 [{\"id\":7,\"name\":\"bread\"}] → 200 []]"]
    );
    assert_eq!(between("jdbc:h2:mem:a;IGNORECASE=TRUE"), [""; 0]);
    assert_eq!(between("jdbc:hsqldb:mem:a"), [""; 0]);
}

#[test]
fn another_order_is_told_where_both_are_certain() {
    let code = |all: &str| format!("@GetMapping(\"/items\") public List<Item> all() {{ return {all}; }}");
    let more =
        items("List<Item> findAllByOrderByIdAsc(); List<Item> findAllBy(org.springframework.data.domain.Sort sort);");
    let with = |all: &str| service(&code(all), &[(ITEMS, &more)]);
    let between = |before: &str, after: &str| told(&all_changes(&with(before), &with(after)));
    let sort = "org.springframework.data.domain.Sort";
    let asked = "items.findAllByOrderByIdAsc()";
    let (up, down) = (
        format!("items.findAll({sort}.by(\"id\"))"),
        format!("items.findAll({sort}.by({sort}.Direction.DESC, \"name\"))"),
    );
    let other = |found: Vec<String>| found.len() == 1 && found[0].starts_with("the body comes in another order on 200");
    assert!(other(between(&up, &down)));
    assert!(other(between(asked, &down)));
    assert!(other(between(&format!("items.findAllBy({sort}.by({sort}.Order.desc(\"id\")))"), &up)));
    assert_eq!(between(asked, &up), [""; 0]);
    assert_eq!(between(&format!("items.findAll({sort}.by(\"name\").descending())"), &down), [""; 0]);
    // The order that the database chose is not known.
    assert_eq!(between("items.findAll()", &down), [""; 0]);
}

#[test]
fn lists_that_are_sent_hold_several_elements() {
    let line = "public static class Line { public String sku; public int n; }";
    let code = |sorted: &str| {
        format!("{line} @PostMapping(\"/p\") public List<Line> all(@RequestBody List<Line> l) {{ {sorted} return l; }}")
    };
    let by = |field: &str| format!("l.sort(Comparator.comparing(x -> x.{field}));");
    for (before, after) in [("", by("n")), (by("sku").as_str(), by("n"))] {
        let found = told(&between(&code(before), &code(&after)));
        assert!(found.len() == 1 && found[0].starts_with("the body comes in another order on 200"), "{found:#?}");
    }
    let again = "Collections.sort(l, (x, y) -> Integer.compare(x.n, y.n));";
    assert!(between(&code(&by("n")), &code(again)).is_empty());
}

#[test]
fn both_sides_of_a_condition_are_tried_against_rows_that_are_there() {
    let code = |test: &str| {
        format!(
            "@GetMapping(\"/p\") public List<Item> one(@RequestParam(\"a\") String a, @RequestParam(\"n\") long n) {{
               return items.findAll().stream().filter(i -> {test}).toList(); }}"
        )
    };
    let (name, number) = ("i.getName().equals(a)", "i.getId() > n");
    for after in [name.to_owned(), number.to_owned(), format!("{name} || {number}")] {
        let found = told(&between(&code(&format!("{name} && {number}")), &code(&after)));
        assert!(found.iter().any(|one| one.starts_with("the body has another value")), "{after}: {found:#?}");
    }
    assert!(between(&code(&format!("{name} && {number}")), &code(&format!("{number} && {name}"))).is_empty());
    let known = "static final Map<String, String> K = new HashMap<>(); static { K.put(\"ann\", \"one\"); }";
    let code = |test: &str| {
        format!(
            "{known} @PostMapping(\"/in\") public String in(@RequestParam(\"u\") String u, @RequestParam(\"p\") String p) {{ if ({test}) {{ return \"in\"; }} throw new Bad(); }}"
        )
    };
    let found = told(&between(&code("K.containsKey(u) && K.get(u).equals(p)"), &code("K.containsKey(u)")));
    assert_eq!(found, ["answers 200 where it answered 400 [400 → 200 \"in\"]"]);
}

#[test]
fn what_only_a_later_read_shows_is_told_of_the_write() {
    let read = "@GetMapping(\"/items\") public List<Item> all() { return items.findAll(); }";
    let make = |made: &str| {
        format!(
            "{read} @PostMapping(\"/items\") @ResponseStatus(HttpStatus.CREATED) public void make(@RequestBody Item in) {{ Item i = new Item(); {made} items.save(i); }}"
        )
    };
    let found = told(&between(&make("i.setName(\"x\");"), &make("i.setName(\"y\");")));
    assert_eq!(found, ["GET /items after POST /items: the body has another value on 200"]);
    assert!(between(&make("i.setName(\"x\");"), &make("String n = \"x\"; i.setName(n);")).is_empty());
    // The value that a field has where the request leaves it out.
    let keep = format!(
        "{read} @PostMapping(\"/items\") @ResponseStatus(HttpStatus.CREATED) public void make(@RequestBody Item in) {{ in.setId(null); items.save(in); }}"
    );
    let item = "package a; import jakarta.persistence.*;
        @Entity public class Item { @Id @GeneratedValue(strategy = GenerationType.IDENTITY) private Long id; private String name = \"none\";
          public Long getId() { return id; } public String getName() { return name; }
          public void setId(Long id) { this.id = id; } public void setName(String name) { this.name = name; } }";
    let found = told(&all_changes(&service(&keep, &[]), &service(&keep, &[("src/main/java/a/Item.java", item)])));
    assert_eq!(found, ["GET /items after POST /items: the body has another value on 200"]);
}

#[test]
fn answers_that_the_server_sends_without_their_body_do_not_differ_in_it() {
    let put = |name: &str, status: &str| {
        format!(
            "@PutMapping(\"/items/{{id}}\") public ResponseEntity<Item> put(@PathVariable(\"id\") Long id, @RequestBody Map<String, String> in) {{
               Item i = items.findById(id).orElse(null); if (i == null) {{ return new ResponseEntity<>(HttpStatus.NOT_FOUND); }}
               i = new Item(); i.setName({name}); return new ResponseEntity<>(i, HttpStatus.{status}); }}"
        )
    };
    for status in ["NO_CONTENT", "NOT_MODIFIED"] {
        assert!(between(&put("\"a\"", status), &put("\"b\"", status)).is_empty());
    }
    let found = told(&between(&put("\"a\"", "OK"), &put("\"b\"", "OK")));
    assert!(found.iter().any(|one| one.starts_with("name has another value on 200")), "{found:#?}");
    let none = put("\"a\"", "NO_CONTENT")
        .replace("new ResponseEntity<>(i, HttpStatus.NO_CONTENT)", "ResponseEntity.noContent().build()");
    assert!(between(&put("\"a\"", "NO_CONTENT"), &none).is_empty());
}
