//! Which of several sentences comes first: what callers meet without a coincidence, under no condition that is tested later,
//! and nothing that happens when the service starts.

use serde_json::Value;

use crate::states::{between, first, report, states};

const JPA: &str = "org.springframework.data.jpa.repository.JpaRepository";

fn sentence(report: &Value) -> String {
    report["changes"][0]["what"].as_str().unwrap_or_default().to_owned()
}

fn is_same(report: &Value) -> bool {
    states(report).iter().all(|(_, state)| state == "same")
}

const ROW: &str = "package a; import jakarta.persistence.*; @Entity public class Row { @Id private String id; private String name; private boolean active;
  public String getId() { return id; } public String getName() { return name; } public boolean isActive() { return active; }
  public void setName(String name) { this.name = name; } }";

#[test]
fn a_value_that_head_alone_compares_hardly_happens_to_be_equal() {
    let rows = format!("package a; public interface Rows extends {JPA}<Row, String> {{ }}");
    let handlers = |field: &str| {
        format!(
            "private final Rows rows; public C(Rows rows) {{ this.rows = rows; }}
  @PutMapping(\"/rows/{{id}}\") public void put(@PathVariable(\"id\") String id, @RequestParam(\"name\") String name) {{
    Row row = rows.findById(id).orElseThrow();
    if (!row.{field}().equals(name)) {{ row.setName(name); rows.save(row); }} }}"
        )
    };
    let files = [("Row.java", ROW), ("Rows.java", rows.as_str())];
    let told = first(&handlers("getName"), &handlers("getId"), &files);
    assert!(told.starts_with("calls `rows.save(row)`, which it did not (row.name equals name"), "{told}");
}

#[test]
fn what_a_query_by_name_asks_for_its_rows_hold() {
    let rows = format!(
        "package a; public interface Rows extends {JPA}<Row, String> {{ java.util.Optional<Row> findByNameAndActive(String name, boolean active); }}"
    );
    let handlers = |active: &str, text: &str| {
        format!(
            "private final Rows rows; public C(Rows rows) {{ this.rows = rows; }}
  @GetMapping(\"/rows\") public String get(@RequestParam(\"name\") String name) {{
    Row row = rows.findByNameAndActive(name, {active}).orElseThrow();
    if (!row.isActive()) {{ return \"{text}\"; }} return row.getId(); }}"
        )
    };
    let files = [("Row.java", ROW), ("Rows.java", rows.as_str())];
    let found = report(&between(&handlers("true", "off"), &handlers("true", "no"), &files));
    assert!(states(&found).iter().all(|(_, state)| state != "changed"), "{}", found["compared"]);
    let told = first(&handlers("false", "off"), &handlers("false", "no"), &files);
    assert!(told.starts_with("gives `\"no\"` where it gave `\"off\"`"), "{told}");
}

#[test]
fn two_tests_of_one_map_are_no_swapped_arguments() {
    let handlers = |join: &str| {
        format!(
            "private final org.vendor.Link link; public C(org.vendor.Link link) {{ this.link = link; }}
  @GetMapping(\"/open\") public String open() {{
    String user = System.getenv().get(\"USER_NAME\"); String word = System.getenv().get(\"PASS_WORD\"); String host = System.getenv().get(\"HOST\");
    if (user == null {join} word == null || host == null) {{ return \"closed\"; }} return link.open(user, word, host); }}"
        )
    };
    let told = first(&handlers("||"), &handlers("&&"), &[]);
    assert!(told.starts_with("calls `link.open(") && told.contains("PASS_WORD") && told.contains("is null"), "{told}");
}

#[test]
fn what_a_path_tests_after_a_call_does_not_decide_about_it() {
    let handlers = |first: &str| {
        format!(
            "private final java.sql.Connection connection; public C(java.sql.Connection connection) {{ this.connection = connection; }}
  @GetMapping(\"/rows\") public java.util.List<String> rows(@RequestParam(\"size\") int size) throws java.sql.SQLException {{
    java.sql.PreparedStatement statement = connection.prepareStatement(\"select * from rows limit ?\"); statement.setInt({first});
    java.sql.ResultSet found = statement.executeQuery(); java.util.List<String> all = new java.util.ArrayList<>();
    while (found.next()) {{ all.add(found.getString(\"name\")); }} return all; }}"
        )
    };
    let told = first(&handlers("1, size"), &handlers("size, 1"), &[]);
    assert!(told.contains("setInt(") && !told.contains("next()"), "{told}");
}

#[test]
fn each_way_to_the_same_object_shows_the_call_that_changed() {
    let base = "package a; import java.sql.*; public class Base { private static Connection conn;
  public static Connection open() throws SQLException { if (conn != null && !conn.isClosed()) { return conn; }
    conn = DriverManager.getConnection(System.getenv().get(\"URL\")); return conn; } }";
    let handlers = |name: &str| {
        format!(
            "@PostMapping(\"/rows\") public void add(@RequestParam(\"name\") String name, @RequestParam(\"town\") String town) throws java.sql.SQLException {{
    java.sql.PreparedStatement statement = Base.open().prepareStatement(\"insert into rows values (?)\"); statement.setString(1, {name}); statement.executeUpdate(); }}"
        )
    };
    let told = first(&handlers("name"), &handlers("town"), &[("Base.java", base)]);
    assert!(told.ends_with("with `town` where it was `name`"), "{told}");
}

#[test]
fn a_constructor_that_only_computes_is_no_effect() {
    let texts = |test: &str| {
        format!(
            "package a; public class Numbers {{ public static boolean fits(String text) {{ return text {test} null || isNumber(text); }}
  static boolean isNumber(String text) {{ try {{ new java.math.BigDecimal(text); return true; }} catch (NumberFormatException e) {{ return false; }} }} }}"
        )
    };
    let handlers = "@GetMapping(\"/fits\") public boolean fits(@RequestParam(\"text\") String text) { return Numbers.fits(text); }";
    let (was, is) = (texts("=="), texts("!="));
    let repo = between(handlers, handlers, &[("Numbers.java", &was)]);
    let found = report(&repo.file("src/main/java/a/Numbers.java", &is).commit("Turned"));
    let told = sentence(&found);
    assert_eq!(told, "the body has another value on 200 (text is given)");
}

#[test]
fn the_container_makes_a_bean_whether_a_request_needs_it_or_not() {
    let beans = "package a; import org.springframework.context.annotation.*; import org.vendor.*;
@Configuration public class Beans { @Bean Encoder encoder() { Encoder encoder = new Encoder(); encoder.setStrength(12); return encoder; } }";
    let handlers = |test: &str| {
        format!(
            "private final org.vendor.Encoder encoder; public C(org.vendor.Encoder encoder) {{ this.encoder = encoder; }}
  @PostMapping(\"/words\") public String add(@RequestBody java.util.List<String> words) {{
    if (words {test} null) {{ return \"none\"; }} return encoder.encode(words); }}"
        )
    };
    let told = first(&handlers("=="), &handlers("!="), &[("Beans.java", beans)]);
    assert!(told.starts_with("gives `\"none\"` where it gave `encoder.encode("), "{told}");
}

#[test]
fn a_status_is_told_before_the_body_that_says_it_too() {
    let advice = "package a; import org.springframework.http.*; import org.springframework.web.bind.annotation.*; import reactor.core.publisher.Mono;
@RestControllerAdvice public class Advice { @ExceptionHandler(IllegalStateException.class)
  public Mono<ResponseEntity<Error>> failed(IllegalStateException e) { return Mono.just(of(HttpStatus.NOT_FOUND, e.getMessage())); }
  private ResponseEntity<Error> of(HttpStatus status, String text) { return ResponseEntity.status(status).body(new Error(status.getReasonPhrase(), text)); }
  public record Error(String error, String text) { } }";
    let handlers = "private final org.vendor.Texts texts; public C(org.vendor.Texts texts) { this.texts = texts; }
  @GetMapping(\"/texts\") public reactor.core.publisher.Mono<String> get() { return texts.next().map(one -> { if (one.isEmpty()) { throw new IllegalStateException(\"none\"); } return one; }); }";
    let repo = between(handlers, handlers, &[("Advice.java", advice)]);
    let repo = repo.file("src/main/java/a/Advice.java", advice.replace("NOT_FOUND", "CONFLICT")).commit("Conflict");
    let found = report(&repo);
    assert!(sentence(&found).starts_with("answers 409 where it answered 404"), "{found:#}");
}

#[test]
fn a_library_copies_into_an_object_from_a_value_of_any_type() {
    let person = "package a; public class Person { private String town; public String getTown() { return town; } public void setTown(String town) { this.town = town; } }";
    let handlers = |test: &str| {
        format!(
            "private final org.vendor.People people; private final java.util.Map<String, String> towns;
  public C(org.vendor.People people, java.util.Map<String, String> towns) {{ this.people = people; this.towns = towns; }}
  @GetMapping(\"/people/{{id}}\") public String get(@PathVariable(\"id\") String id) {{
    Person person = new Person(); org.springframework.beans.BeanUtils.copyProperties(people.find(id), person);
    if (person.getTown() {test} null) {{ return towns.get(person.getTown()); }} return \"nowhere\"; }}"
        )
    };
    let found = report(&between(&handlers("!="), &handlers("=="), &[("Person.java", person)]));
    let told = sentence(&found);
    assert!(told.contains("map.get(person.town)"), "{told} {:?}", states(&found));
}

#[test]
fn a_lazily_made_single_object_that_is_no_longer_made_is_told() {
    let helper = |test: &str| {
        format!(
            "package a; public class Helper {{ private static Helper helper = null; private Helper() {{ }}
  public static Helper getInstance() {{ if (helper {test} null) helper = new Helper(); return helper; }}
  public String sign(String text) {{ return org.vendor.Signer.sign(text); }} }}"
        )
    };
    let handlers = "@PostMapping(\"/tokens\") public String add(@RequestParam(\"name\") String name) { return Helper.getInstance().sign(name); }";
    let repo = between(handlers, handlers, &[("Helper.java", &helper("=="))]);
    let found = report(&repo.file("src/main/java/a/Helper.java", helper("!=")).commit("Turned"));
    assert!(sentence(&found).starts_with("answers 500 where it answered 200"), "{found:#}");
}

#[test]
fn a_collection_that_settings_fill_is_not_what_it_starts_with() {
    let quantities = "package a; import java.util.*; import org.springframework.boot.context.properties.ConfigurationProperties;
@org.springframework.context.annotation.Configuration @ConfigurationProperties(prefix = \"ticket\") public class Quantities {
  private final Map<String, Integer> quantities = new LinkedHashMap<>(); public Map<String, Integer> getQuantities() { return quantities; } }";
    let handlers = |name: &str| {
        format!(
            "private final Quantities all; public C(Quantities all) {{ this.all = all; }}
  @GetMapping(\"/kinds/{{kind}}\") public String kind(@PathVariable(\"kind\") String kind) {{
    if (!all.getQuantities().containsKey(kind)) {{ return \"none\"; }} return \"{name}\"; }}"
        )
    };
    let told = first(&handlers("some"), &handlers("few"), &[("Quantities.java", quantities)]);
    assert!(told.starts_with("gives `\"few\"` where it gave `\"some\"` (the property ticket.quantities"), "{told}");
}

#[test]
fn a_constant_list_that_is_only_asked_holds_what_it_names() {
    let files = |limit: &str, more: &str| {
        format!(
            "package a; import java.util.*; public class Files {{ private static final List<String> KINDS = Arrays.asList(\"image/png\", \"image/gif\");
  public static boolean fits(org.springframework.web.multipart.MultipartFile file) {{ return KINDS.contains(file.getContentType()) && file.getSize() {limit} 5; }} {more} }}"
        )
    };
    let handlers = "@PostMapping(\"/files\") public boolean fits(@RequestParam(\"file\") org.springframework.web.multipart.MultipartFile file) {
    List<String> all = new ArrayList<>(); all.add(\"a\"); return Files.fits(file); }";
    let told = |more: &str| {
        let repo = between(handlers, handlers, &[("Files.java", &files("<=", more))]);
        sentence(&report(&repo.file("src/main/java/a/Files.java", files("<", more)).commit("Less")))
    };
    let asked = told("");
    assert!(asked.contains("\"image/") && !asked.contains("KINDS"), "{asked}");
    // Somebody may set its elements.
    let handed = told("public static List<String> kinds() { return KINDS; }");
    assert!(handed.contains("KINDS"), "{handed}");
}

#[test]
fn a_capacity_that_a_request_gives_changes_nothing_but_a_negative_one() {
    let handlers = |test: &str| {
        format!(
            "private final org.vendor.Texts texts; public C(org.vendor.Texts texts) {{ this.texts = texts; }}
  @GetMapping(\"/lines\") public String lines(@RequestParam(\"n\") int n) {{
    StringBuilder all = new StringBuilder(n); for (int i = 0; i {test} n; i++) {{ all.append(texts.line(i)); }} return all.toString(); }}"
        )
    };
    let told = first(&handlers("<"), &handlers("<="), &[]);
    assert_eq!(told, "calls `texts.line(1)`, which it did not (n == 1)");
}

#[test]
fn a_status_of_an_annotation_is_idle_beside_that_of_an_entity() {
    let handlers = |status: &str, given: &str| {
        format!(
            "{status} @PostMapping(\"/texts\") public ResponseEntity<String> add(@RequestParam(\"text\") String text) {{ {given} return new ResponseEntity<>(text, HttpStatus.CREATED); }}"
        )
    };
    let status = "@ResponseStatus(HttpStatus.CREATED)";
    let given = "if (text.isEmpty()) { return null; }";
    assert!(is_same(&report(&between(&handlers(status, ""), &handlers("", ""), &[]))));
    let told = first(&handlers(status, given), &handlers("", given), &[]);
    assert_eq!(told, "answers 200 where it answered 201 (text is empty)");
}

#[test]
fn the_order_of_allowed_methods_is_free() {
    let cors = |methods: &str| {
        format!(
            "package a; import org.springframework.web.servlet.config.annotation.*; @org.springframework.context.annotation.Configuration
public class Cors implements WebMvcConfigurer {{ @Override public void addCorsMappings(CorsRegistry all) {{ all.addMapping(\"/**\").allowedMethods({methods}); }} }}"
        )
    };
    let handlers = "@GetMapping(\"/texts\") public String get() { return \"a\"; }";
    let told = |methods: &str| {
        let repo = between(handlers, handlers, &[("Cors.java", &cors("\"GET\", \"POST\""))]);
        report(&repo.file("src/main/java/a/Cors.java", cors(methods)).commit("Methods"))
    };
    assert!(is_same(&told("\"POST\", \"GET\"")));
    assert!(sentence(&told("\"POST\", \"PUT\"")).contains("allowedMethods(\"POST\", \"PUT\")"));
}

#[test]
fn what_a_look_up_by_another_argument_finds_does_not_go_without_saying() {
    let rows =
        format!("package a; public interface Rows extends {JPA}<Row, String> {{ Row findByName(String name); }}");
    let handlers = |name: &str| {
        format!(
            "private final Rows rows; private final org.vendor.Encoder encoder; public C(Rows rows, org.vendor.Encoder encoder) {{ this.rows = rows; this.encoder = encoder; }}
  @PutMapping(\"/words\") public void put(@RequestParam(\"name\") String name, @RequestParam(\"old\") String old) {{
    Row row = rows.findByName({name}); if (row == null) {{ throw new IllegalArgumentException(\"none\"); }}
    if (encoder.matches(old, row.getName())) {{ row.setName(old); rows.save(row); }} }}"
        )
    };
    let found = report(&between(&handlers("name"), &handlers("old"), &[("Row.java", ROW), ("Rows.java", &rows)]));
    let all: Vec<&str> = found["changes"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap()).collect();
    let saved = all.iter().find(|what| what.contains("rows.save")).unwrap();
    assert!(saved.contains("rows.findByName(old)"), "{all:#?}");
}

#[test]
fn a_save_in_a_transaction_of_its_own_writes_what_code_changed_before() {
    let row = ROW.replace("@Id private", "@Id public");
    let rows =
        format!("package a; public interface Rows extends {JPA}<Row, String> {{ Row findByName(String name); }}");
    let shelf = "package a; import org.springframework.transaction.annotation.Transactional;
@org.springframework.stereotype.Service @Transactional public class Shelf { private final Rows rows; public Shelf(Rows rows) { this.rows = rows; }
  public Row find(String name) { return rows.findByName(name); } public Row keep(Row row) { return rows.save(row); }
  public void rename(String name, String next) { Row row = rows.findByName(name); row.setName(next); SAVED } }";
    let handlers = |kept: &str| {
        format!(
            "private final Shelf shelf; public C(Shelf shelf) {{ this.shelf = shelf; }}
  @PutMapping(\"/rows/{{name}}\") public void put(@PathVariable(\"name\") String name, @RequestParam(\"next\") String next) {{
    Row row = shelf.find(name); row.setName(next); {kept} }}
  @PutMapping(\"/names/{{name}}\") public void rename(@PathVariable(\"name\") String name, @RequestParam(\"next\") String next) {{ shelf.rename(name, next); }}"
        )
    };
    let saving = shelf.replace("SAVED", "rows.save(row);");
    let files = [("Row.java", row.as_str()), ("Rows.java", rows.as_str()), ("Shelf.java", saving.as_str())];
    let kept = handlers("shelf.keep(row);");
    let found = report(&between(&kept, &handlers(""), &files));
    let told: Vec<_> = states(&found).into_iter().filter(|(_, state)| state == "changed").collect();
    assert_eq!(told, [("PUT /rows/{name}".to_owned(), "changed".to_owned())], "{}", found["compared"]);
    // Within the transaction that has found it, the row is written whether it is saved or not.
    let repo = between(&kept, &kept, &files);
    let found = report(&repo.file("src/main/java/a/Shelf.java", shelf.replace("SAVED", "")).commit("Lost"));
    assert!(states(&found).iter().all(|(_, state)| state == "same"), "{}", found["compared"]);
}

#[test]
fn a_discarded_check_by_the_jdk_is_told() {
    let handlers = |check: &str| {
        format!(
            "private final org.vendor.Rows rows; public C(org.vendor.Rows rows) {{ this.rows = rows; }}
  @GetMapping(\"/rows\") public String rows(@RequestParam(\"id\") String id) {{ {check} return rows.find(id); }}"
        )
    };
    let told = first(&handlers("UUID.fromString(id);"), &handlers(""), &[]);
    assert_eq!(told, "no longer calls `UUID.fromString(id)`");
}

#[test]
fn what_a_row_that_code_was_handed_holds_is_open_again() {
    let rows = format!(
        "package a; public interface Rows extends {JPA}<Row, String> {{ Row findByNameAndActive(String name, boolean active); }}"
    );
    let handlers = |text: &str| {
        format!(
            "private final Rows rows; private final org.vendor.Mapper mapper; public C(Rows rows, org.vendor.Mapper mapper) {{ this.rows = rows; this.mapper = mapper; }}
  @PutMapping(\"/rows/{{name}}\") public String put(@PathVariable(\"name\") String name, @RequestBody java.util.List<String> body) {{
    Row row = rows.findByNameAndActive(name, true); mapper.update(body, row); if (!row.isActive()) {{ return \"{text}\"; }} return row.getId(); }}"
        )
    };
    let told = first(&handlers("off"), &handlers("no"), &[("Row.java", ROW), ("Rows.java", &rows)]);
    assert!(told.starts_with("gives `\"no\"` where it gave `\"off\"`"), "{told}");
}

#[test]
fn a_default_that_settings_may_leave_is_told() {
    let kinds = |more: &str| {
        format!(
            "package a; import java.util.*; @org.springframework.stereotype.Component @org.springframework.boot.context.properties.ConfigurationProperties(\"app\")
public class Kinds {{ private final List<String> all = new ArrayList<>(List.of(\"a\"{more})); public List<String> getAll() {{ return all; }} }}"
        )
    };
    let handlers = "private final Kinds kinds; public C(Kinds kinds) { this.kinds = kinds; }
  @GetMapping(\"/kinds/{kind}\") public boolean kind(@PathVariable(\"kind\") String kind) { return kinds.getAll().contains(kind); }";
    let repo = between(handlers, handlers, &[("Kinds.java", &kinds(""))]);
    let found = report(&repo.file("src/main/java/a/Kinds.java", kinds(", \"b\"")).commit("More"));
    assert!(!is_same(&found), "{found:#}");
}

#[test]
fn a_list_that_is_a_view_of_another_one_holds_what_that_one_holds() {
    let shelf = |text: &str| {
        format!(
            "package a; import java.util.*; @org.springframework.stereotype.Component public class Shelf {{
  private static final List<String> OPEN = new ArrayList<>(); private static final List<String> VIEW = Collections.unmodifiableList(OPEN);
  public void open(String name) {{ OPEN.add(name); }} public String state(String name) {{ if (VIEW.contains(name)) {{ return \"{text}\"; }} return \"closed\"; }} }}"
        )
    };
    let handlers = "private final Shelf shelf; public C(Shelf shelf) { this.shelf = shelf; }
  @PutMapping(\"/rows/{name}\") public void open(@PathVariable(\"name\") String name) { shelf.open(name); }
  @GetMapping(\"/rows/{name}\") public String state(@PathVariable(\"name\") String name) { return shelf.state(name); }";
    let repo = between(handlers, handlers, &[("Shelf.java", &shelf("open"))]);
    let found = report(&repo.file("src/main/java/a/Shelf.java", shelf("opened")).commit("Opened"));
    assert!(!is_same(&found), "{found:#}");
}
