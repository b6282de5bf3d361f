//! What the condition of a change leaves out and what it must say; which change is told first; and that constraints
//! which nothing checks are no behaviour.

use serde_json::Value;

use crate::states::{between, report};
use crate::support::Repo;

/// The changes of a report, each with its condition.
fn changes(repo: &Repo) -> Vec<String> {
    let said = |change: &Value| change["what"].as_str().unwrap().to_owned();
    report(repo)["changes"].as_array().unwrap().iter().map(said).collect()
}

const SHOP: &str = "package a; import java.util.*; import org.springframework.stereotype.Service;
@Service public class Shop { private final org.vendor.Rows rows; private final org.vendor.Store store;
  public Shop(org.vendor.Rows rows, org.vendor.Store store) { this.rows = rows; this.store = store; }
  public Object page(int size, int from) {
    if (size < 1) { throw new IllegalArgumentException(\"size\"); }
    return rows.page(size); }
  public double cut(double sum) {
    double cut = 0.0;
    if (sum >= 3000 && sum <= 5000) { cut = sum * 0.03; }
    return cut; }
  public String keep(String image, String sale) {
    if (sale.equals(\"none\")) { rows.mark(sale); }
    if (image != null) { store.put(image); }
    return \"kept\"; }
  public void drop(String name) { rows.remove(rows.named(name).get()); }
  public Object query(String kind, String name) {
    Map<String, Object> params = new HashMap<>();
    params.put(\"name\", name);
    params.put(\"kind\", kind);
    return rows.query(params); } }";

const HANDLERS: &str = "private final Shop shop;
  public C(Shop shop) { this.shop = shop; }
  @GetMapping(\"/page\") public Object page(@RequestParam(\"size\") int size, @RequestParam(\"from\") int from) { return shop.page(size, from); }
  @GetMapping(\"/cut\") public double cut(@RequestParam(\"sum\") double sum) { return shop.cut(sum); }
  @PostMapping(\"/images\") public String keep(@RequestParam(name = \"image\", required = false) String image, @RequestParam(\"sale\") String sale) {
    return shop.keep(image, sale); }
  @DeleteMapping(\"/names/{name}\") public void drop(@PathVariable(\"name\") String name) { shop.drop(name); }
  @GetMapping(\"/query\") public Object query(@RequestParam(\"kind\") String kind, @RequestParam(\"name\") String name) { return shop.query(kind, name); }";

/// What is told after `was` is replaced by `is` in the service.
fn told(was: &str, is: &str) -> Vec<String> {
    assert!(SHOP.contains(was), "{was}");
    let repo = between(HANDLERS, HANDLERS, &[("Shop.java", SHOP)]);
    changes(&repo.file("src/main/java/a/Shop.java", SHOP.replacen(was, is, 1)).commit("Changed"))
}

#[test]
fn a_condition_tells_a_difference_apart_from_the_others_of_the_same_edit() {
    let found = told("if (size < 1)", "if (from < 1)");
    assert!(found[0].starts_with("throws `IllegalArgumentException`"), "{found:#?}");
    assert!(found[0].ends_with(" (size >= 1 and from < 1)"), "{found:#?}");
    assert!(found.iter().any(|one| one.contains("(size < 1 and from >= 1)")), "{found:#?}");
}

#[test]
fn two_bounds_of_a_decimal_number_that_meet_are_one_value() {
    let found = told("sum >= 3000", "sum > 3000");
    assert!(found[0].ends_with("(sum == 3000)") || found[0].ends_with("(sum == 3000.0)"), "{found:#?}");
}

#[test]
fn that_a_value_is_there_is_said_where_the_edit_is_about_it() {
    let found = told("image != null", "image == null");
    assert!(found.iter().any(|one| one.starts_with("no longer calls `store.put(image)`")), "{found:#?}");
    assert!(!found.iter().any(|one| one.contains("sale")), "{found:#?}");
}

#[test]
fn what_an_ordinary_request_does_no_longer_comes_before_a_failure_that_is_gone() {
    let found = told("rows.remove(rows.named(name).get());", "");
    assert!(found[0].starts_with("no longer calls `rows."), "{found:#?}");
}

#[test]
fn a_key_that_a_call_is_no_longer_handed_is_named() {
    let found = told("params.put(\"kind\", kind);", "");
    assert_eq!(found, ["calls `Rows.query` without `kind`, which was `kind`"]);
}

const ROLES: &str = "@GetMapping(\"/open\") public String open(@RequestParam(\"role\") String role, @RequestParam(\"n\") int n,
    @RequestParam(\"m\") int m, @RequestParam(\"open\") boolean open) {
    if (!(role.equals(\"admin\") || n > 7) && open && m < 3) { return \"open\"; }
    return \"shut\"; }
  @PutMapping(\"/items/{id}\") public Item put(@PathVariable(\"id\") long id, @RequestParam(name = \"name\", required = false) String name, @RequestParam(\"count\") int count) {
    Item item = items.findById(id).orElseThrow(() -> new IllegalStateException(\"gone\"));
    if (name != null && !name.isBlank()) { item.setName(name); }
    if (item.getCount() < count) { item.setCount(count); }
    return items.save(item); }
  private final Items items;
  private final org.vendor.Rows rows;
  public C(Items items, org.vendor.Rows rows) { this.items = items; this.rows = rows; }
  @GetMapping(\"/kept\") public String keep(@RequestParam(\"kind\") String kind, @RequestParam(\"n\") int n) {
    if (kind.equals(\"a\")) { rows.first(n); return \"a\"; }
    else { if (n > 3) { rows.second(n); } return \"b\"; } }
  @GetMapping(\"/found\") public java.util.List<Item> found(@RequestParam(name = \"sale\", required = false) Boolean sale, @RequestParam(\"least\") int least) {
    java.util.List<Item> found = items.findByCountGreaterThan(least);
    if (sale != null && sale) { found = found.stream().filter(one -> one.getCount() > 10).collect(java.util.stream.Collectors.toList()); }
    found.sort(java.util.Comparator.comparing(Item::getName));
    return found; }
  @PutMapping(\"/copies/{id}\") public Item copy(@PathVariable(\"id\") long id) {
    return items.save(items.findById(id).orElseThrow(() -> new IllegalStateException(\"no original\"))); }
  private static java.util.List<Integer> made() { java.util.List<Integer> all = new java.util.ArrayList<>(); for (int i = 0; i < 5; i++) { all.addAll(java.util.Collections.nCopies(2, i)); } return all; }
  private static java.util.List<Integer> mixed(java.util.List<Integer> of) { java.util.List<Integer> all = new java.util.ArrayList<>(of); for (int i = 0; i < 4; i++) { java.util.Collections.shuffle(all); } return all; }
  @GetMapping(\"/cards\") public java.util.List<Integer> cards() { java.util.List<Integer> all = mixed(made()); if (all.size() != 10) { throw new IllegalStateException(); } return all; }
  @DeleteMapping(\"/words\") public int words(@RequestParam(\"word\") String word) {
    java.util.Set<String> words = items.words();
    for (String one : words) { if (one.startsWith(word)) { words.remove(one); } }
    return words.size(); }
  @GetMapping(\"/parts\") public String parts(@RequestParam(\"text\") String text) { String[] parts = rows.split(text); return parts[0] + parts[2]; }
  @GetMapping(\"/rights\") public java.util.Map<String, Boolean> rights() {
    java.util.Map<String, Boolean> all = new java.util.HashMap<>();
    for (org.vendor.Right right : rows.rights()) { all.put(right.name(), Boolean.TRUE); }
    return all; }
  @PostMapping(\"/lines\") public void lines(@RequestBody java.util.List<Item> lines) {
    for (Item line : lines) { Item known = items.findByName(line.getName()); known.setCount(line.getCount()); items.save(known); } }";

const ITEMS: &str = "package a; public interface Items extends org.springframework.data.repository.CrudRepository<Item, Long> { Item save(Item item); Item findByName(String name); java.util.List<Item> findByCountGreaterThan(int least); @org.springframework.data.jpa.repository.Query(\"select i.name from Item i\") java.util.Set<String> words(); }";
const ITEM: &str = "package a; public class Item { private Long id; private String name; private int count;
  public Long getId() { return id; } public void setId(Long id) { this.id = id; }
  public String getName() { return name; } public void setName(String name) { this.name = name; }
  public int getCount() { return count; } public void setCount(int count) { this.count = count; } }";

/// What is told after `was` is replaced by `is` in the handlers.
fn told_of_roles(was: &str, is: &str) -> Vec<String> {
    assert!(ROLES.contains(was), "{was}");
    let changed = ROLES.replacen(was, is, 1);
    changes(&between(ROLES, &changed, &[("Items.java", ITEMS), ("Item.java", ITEM)]))
}

#[test]
fn every_condition_that_decides_is_said() {
    let found = told_of_roles("n > 7", "n >= 7");
    assert_eq!(found, ["the text of the body changes (role is not \"admin\" and n == 7 and open and m < 3)"]);
    let found = told_of_roles("m < 3", "m <= 3");
    assert_eq!(found, ["the text of the body changes (role is not \"admin\" and n <= 7 and open and m == 3)"]);
    // A guard before the part that changed.
    let found = told_of_roles("n > 3", "n >= 3");
    assert_eq!(found, ["calls `rows.second(n)`, which it did not (kind is not \"a\" and n == 3)"]);
}

#[test]
fn the_condition_around_what_changed_is_said_and_a_call_of_a_collection_later() {
    let found = told_of_roles("one.getCount() > 10", "one.getCount() >= 10");
    assert!(found[0].contains("sale and ") || found[0].ends_with("sale)"), "{found:#?}");
    assert!(!found[0].contains(".sort("), "{found:#?}");
}

#[test]
fn what_shows_in_a_larger_collection_alone_is_not_the_same() {
    let changed = ROLES.replacen("java.util.Collections.shuffle(all);", ";", 1);
    let report = report(&between(ROLES, &changed, &[("Items.java", ITEMS), ("Item.java", ITEM)]));
    assert_eq!(report["compared"][0]["state"], "undecided", "{report:#}");
    let causes = report["compared"][0]["stopped"].to_string();
    assert!(causes.contains("no collection of 10 elements was tried"), "{causes}");
}

#[test]
fn a_call_on_one_object_is_one_call_whether_or_not_its_type_is_named() {
    let (each, by) = (
        "for (org.vendor.Right right : rows.rights()) { all.put(right.name(), Boolean.TRUE); }",
        "rows.rights().forEach(right -> { all.put(right.name(), Boolean.TRUE); });",
    );
    assert_eq!(told_of_roles(each, by), [] as [&str; 0]);
    let found = told_of_roles("all.put(right.name(), Boolean.TRUE)", "all.put(right.name(), Boolean.FALSE)");
    assert_eq!(found.len(), 1, "{found:#?}");
}

#[test]
fn an_element_that_code_accesses_is_there_on_one_of_the_paths() {
    let found = told_of_roles("parts[0] + parts[2]", "parts[0] + parts[3]");
    assert_eq!(found[0], "answers 500 where it answered 200 (number of rows.split(text) == 3)");
}

#[test]
fn the_last_element_of_a_set_is_removed_in_a_loop() {
    let found = told_of_roles("words.remove(one);", "");
    assert_eq!(found[0], "gives `1` where it gave `0` (items.words() holds one and items.words()[0] starts with word)");
}

#[test]
fn a_condition_that_follows_from_another_is_not_said() {
    let found = told_of_roles("!name.isBlank()", "name.isBlank()");
    assert!(found.iter().all(|one| !one.contains("name is not null")), "{found:#?}");
    let found = told_of_roles("item.getCount() < count", "item.getCount() > count");
    assert!(found[0].contains("count < ") ^ found[0].contains("count <= "), "{found:#?}");
}

#[test]
fn a_repository_refuses_null() {
    let found = told_of_roles(".orElseThrow(() -> new IllegalStateException(\"no original\"))", ".orElse(null)");
    assert_eq!(
        found,
        [
            "throws `InvalidDataAccessApiUsageException` where it threw `IllegalStateException` (items.findById(id) finds no item)"
        ]
    );
}

#[test]
fn a_lost_call_in_a_loop_is_not_told_as_another_argument() {
    let found = told_of_roles("items.save(known);", "");
    assert_eq!(found, ["no longer calls `items.save(item)` (the body is not empty)"]);
}

/// A service whose build has these artifacts, with a body that has constraints.
fn with_artifacts(artifacts: &str, constraint: &str) -> Repo {
    let pom = format!(
        "<project><modelVersion>4.0.0</modelVersion><parent><groupId>org.springframework.boot</groupId>\
         <artifactId>spring-boot-starter-parent</artifactId><version>3.3.0</version></parent><groupId>a</groupId>\
         <artifactId>a</artifactId><dependencies><dependency><groupId>org.springframework.boot</groupId>\
         <artifactId>spring-boot-starter-web</artifactId></dependency>{artifacts}</dependencies></project>"
    );
    let body = |constraint: &str| {
        format!(
            "package a; import jakarta.validation.constraints.*; public record Body({constraint} String name) {{ }}"
        )
    };
    let handler = "@PostMapping(\"/names\") public String post(@Valid @RequestBody Body body) { return body.name(); }";
    let repo = between(handler, handler, &[("Body.java", &body("@NotBlank"))]).file("pom.xml", pom).commit("Built so");
    repo.git(["branch", "-f", "main"]);
    repo.file("src/main/java/a/Body.java", body(constraint)).commit("Changed")
}

#[test]
fn constraints_that_nothing_checks_are_no_behaviour() {
    let artifact = |group: &str, name: &str| {
        format!("<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId></dependency>")
    };
    let api = artifact("jakarta.validation", "jakarta.validation-api");
    let starter = artifact("org.springframework.boot", "spring-boot-starter-validation");
    let found = changes(&with_artifacts(&(api.clone() + &starter), ""));
    assert_eq!(found, ["answers 200 where it answered 400 (name is null)"]);
    let report = report(&with_artifacts(&api, ""));
    assert_eq!(report["changes"].as_array().map_or(0, Vec::len), 0, "{report:#}");
    assert!(report["compared"].as_array().unwrap().iter().all(|one| one["state"] == "same"), "{report:#}");
}

#[test]
fn constraints_on_parameters_count_where_the_class_is_validated() {
    let lost = |of_class: &str| {
        let pom = "<project><modelVersion>4.0.0</modelVersion><parent><groupId>org.springframework.boot</groupId>\
             <artifactId>spring-boot-starter-parent</artifactId><version>3.3.0</version></parent><groupId>a</groupId>\
             <artifactId>a</artifactId><dependencies><dependency><groupId>org.springframework.boot</groupId>\
             <artifactId>spring-boot-starter-web</artifactId></dependency><dependency><groupId>org.springframework.boot</groupId>\
             <artifactId>spring-boot-starter-validation</artifactId></dependency></dependencies></project>";
        let names = |on_parameter: &str| {
            format!(
                "package a; import jakarta.validation.constraints.*; import org.springframework.stereotype.Service;
import org.springframework.validation.annotation.Validated;
{of_class} @Service public class Names {{ public String keep({on_parameter} String name) {{ return name; }} }}"
            )
        };
        let handler = "private final Names names; public C(Names names) { this.names = names; }
  @PostMapping(\"/names\") public String post(@RequestBody String name) { return names.keep(name); }";
        let repo =
            between(handler, handler, &[("Names.java", &names("@NotBlank"))]).file("pom.xml", pom).commit("Built so");
        repo.git(["branch", "-f", "main"]);
        repo.file("src/main/java/a/Names.java", names("")).commit("Changed")
    };
    assert_eq!(changes(&lost("@Validated")), ["`@NotBlank` is gone on `name` of `Names#keep`"]);
    let report = report(&lost(""));
    assert_eq!(report["changes"].as_array().map_or(0, Vec::len), 0, "{report:#}");
    assert!(report["compared"].as_array().unwrap().iter().all(|one| one["state"] == "same"), "{report:#}");
}

const ORDERS: &str = "private final org.vendor.Rows rows; private final Checking checking;
  public C(org.vendor.Rows rows, Checking checking) { this.rows = rows; this.checking = checking; }
  @PostMapping(\"/orders\") public Object post(@Valid @RequestBody Order order) { return rows.put(order); }
  @PutMapping(\"/orders\") public Object put(@RequestBody Order order) { return rows.put(order); }
  @GetMapping(\"/orders\") public List<Line> lines(@RequestParam(\"name\") String name) { return rows.lines(name); }
  @PostMapping(\"/lines\") public Object line(@RequestBody Line line) { return checking.keep(line); }
  @PutMapping(\"/lines\") public Object loose(@Valid @RequestBody Loose loose) { return rows.put(loose); }";

#[test]
fn a_constraint_of_a_field_is_told_of_operations_that_check_it() {
    let line = |constraint: &str| {
        format!(
            "package a; public class Line {{ {constraint} private String text; public String getText() {{ return text; }} public void setText(String text) {{ this.text = text; }} }}"
        )
    };
    let holder = |name: &str, checked: &str| {
        format!(
            "package a; public class {name} {{ {checked} private Line line; public Line getLine() {{ return line; }} public void setLine(Line line) {{ this.line = line; }} }}"
        )
    };
    let files = [
        ("Line.java", line("@jakarta.validation.constraints.NotBlank")),
        ("Order.java", holder("Order", "@jakarta.validation.Valid")),
        ("Loose.java", holder("Loose", "")),
        (
            "Checking.java",
            "package a; import jakarta.validation.*; @org.springframework.stereotype.Service public class Checking { private final Validator validator;
  public Checking(Validator validator) { this.validator = validator; }
  public Object keep(Line line) { return validator.validate(line).isEmpty(); } }"
                .to_owned(),
        ),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let repo = between(ORDERS, ORDERS, &files).file("src/main/java/a/Line.java", line("")).commit("Changed");
    let of: std::collections::BTreeMap<String, String> = crate::states::states(&report(&repo)).into_iter().collect();
    let of = |id: &str| of.get(id).map_or("unaffected", String::as_str);
    assert_eq!(of("POST /orders"), "changed");
    assert_ne!(of("POST /lines"), "same");
    for alike in ["PUT /orders", "GET /orders", "PUT /lines"] {
        assert!(["same", "unaffected"].contains(&of(alike)), "{alike}: {}", of(alike));
    }
}
