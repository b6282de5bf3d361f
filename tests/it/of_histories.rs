//! Typical commits of real services beside handler code: initial rows, keys, accessors, rewritten queries, listeners, read-only transactions. Each has a
//! case that is reported and one that is the same.

use serde_json::Value;

use crate::states::{between, report};
use crate::support::Repo;

const BOOK: &str = "package a; import jakarta.persistence.*;
@Entity public class Book { @Id private Long id; private String title; private boolean hidden; @ManyToOne private Shelf shelf;
  public Long getId() { return id; } public String getTitle() { return title; } public void setTitle(String title) { this.title = title; } }";
const SHELF: &str =
    "package a; import jakarta.persistence.*; @Entity public class Shelf { @Id private Long id; private String name; }";
const BOOKS: &str = "package a; import java.util.*; import org.springframework.data.jpa.repository.*; import org.springframework.data.repository.query.Param;
public interface Books extends JpaRepository<Book, Long> { QUERY Optional<Book> wanted(@Param(\"id\") Long id); }";
const SHELVES: &str = "package a; public interface Shelves extends org.springframework.data.jpa.repository.JpaRepository<Shelf, Long> { }";
const DESK: &str = "package a; import org.springframework.stereotype.Service;
@Service public class Desk { private final Books books; private final org.vendor.Texts texts;
  public Desk(Books books, org.vendor.Texts texts) { this.books = books; this.texts = texts; }
  public String title(Long id) { return texts.of(books.findById(id).orElseThrow().getTitle()); }
  public void rename(Long id, String title) { Book book = books.findById(id).orElseThrow(); book.setTitle(title); } }";
const SEEDS: &str = "package a; import org.springframework.boot.CommandLineRunner; import org.springframework.stereotype.Component;
@Component public class Seeds implements CommandLineRunner { private final Books books; public Seeds(Books books) { this.books = books; }
  public void run(String... args) { Book first = new Book(); first.setTitle(\"first\"); books.save(first); } }";

const HANDLERS: &str = "private final Books books; private final Shelves shelves; private final Desk desk; private final org.vendor.Texts texts;
  public C(Books books, Shelves shelves, Desk desk, org.vendor.Texts texts) { this.books = books; this.shelves = shelves; this.desk = desk; this.texts = texts; }
  @GetMapping(\"/books/{id}\") public String book(@PathVariable(\"id\") Long id) { return texts.of(books.FIND(id).orElseThrow().getTitle()); }
  @GetMapping(\"/shelves/{id}\") public Object shelf(@PathVariable(\"id\") Long id) { return texts.of(shelves.findById(id).orElseThrow()); }
  @GetMapping(\"/titles/{id}\") public String title(@PathVariable(\"id\") Long id) { return desk.title(id); }
  @PutMapping(\"/titles/{id}\") public void rename(@PathVariable(\"id\") Long id, @RequestParam(\"to\") String to) { desk.rename(id, to); }";

/// The files of the service with this text of the repository `Books`.
fn files(books: &str) -> [(&'static str, &str); 5] {
    [("Book.java", BOOK), ("Shelf.java", SHELF), ("Books.java", books), ("Shelves.java", SHELVES), ("Desk.java", DESK)]
}

/// The affected operations with their states.
fn states_of(repo: &Repo) -> Vec<String> {
    crate::states::states(&report(repo)).into_iter().map(|(op, state)| format!("{op} {state}")).collect()
}

/// The affected operations with their state and first reported change, for these handlers and files of base and head. A change of several operations is
/// reported at the first one.
fn told(before: &str, after: &str, was: &[(&str, &str)], is: &[(&str, &str)]) -> Vec<String> {
    let books = BOOKS.replace("QUERY", "");
    let of = |find: &str| HANDLERS.replace("FIND", find);
    let repo = between(&of(before), &of(after), &[files(&books).as_slice(), was].concat());
    let repo = is.iter().fold(repo, |repo, (file, text)| repo.file(&format!("src/main/java/a/{file}"), text));
    let report = report(&repo.commit("Changed otherwise"));
    let of = |one: &Value| -> String {
        let told = report["changes"].as_array().unwrap().iter().find(|change| change["op_id"] == one["op_id"]);
        let first = told.map(|change| format!(": {}", change["what"].as_str().unwrap())).unwrap_or_default();
        format!("{} {}{first}", one["op_id"].as_str().unwrap(), one["state"].as_str().unwrap())
    };
    report["compared"].as_array().unwrap().iter().map(of).collect()
}

/// The affected operations if base and head differ in one file only.
fn told_of_file(file: &str, was: &str, is: &str) -> Vec<String> {
    told("findById", "findById", &[(file, was)], &[(file, is)])
}

/// The affected operations if the handler that finds a book uses this query instead of `findById`.
fn told_of_query(query: &str) -> Vec<String> {
    let books = BOOKS.replace("QUERY", query);
    told("findById", "wanted", &[("Books.java", books.as_str())], &[])
}

#[test]
fn rows_that_are_there_from_the_start_are_told_of_the_operations_that_handle_such() {
    let found = told("findById", "findById", &[], &[("Seeds.java", SEEDS)]);
    let first = "GET /books/{id} changed: `Seeds`, which fills `Book` when the service starts, is new";
    assert_eq!(
        found,
        [first, "GET /titles/{id} changed", "PUT /titles/{id} changed"],
        "told once, and of none without books"
    );
    let gone = told_of_file("Seeds.java", SEEDS, "package a; class Seeds { }");
    let first = "GET /books/{id} changed: `Seeds`, which filled `Book` when the service started, is gone";
    assert_eq!(gone, [first, "GET /titles/{id} changed", "PUT /titles/{id} changed"]);
    // A refactoring.
    let renamed = told_of_file(
        "Seeds.java",
        SEEDS,
        &SEEDS.replace("first.", "one.").replace("Book first", "Book one").replace("(first)", "(one)"),
    );
    assert!(renamed.iter().all(|one| one.ends_with(" same")), "{renamed:?}");
    let otherwise = told_of_file("Seeds.java", SEEDS, &SEEDS.replace("\"first\"", "\"other\""));
    let first = "GET /books/{id} changed: `Seeds` fills `Book` with other values when the service starts";
    assert_eq!(otherwise, [first, "GET /titles/{id} changed", "PUT /titles/{id} changed"]);
    // Another method sets the same values: no change is reported, but the operations are undecided.
    let apart = SEEDS
        .replace("first.setTitle(\"first\");", "name(first);")
        .replace("public void run(", "private void name(Book book) { book.setTitle(\"first\"); } public void run(");
    let apart = told_of_file("Seeds.java", SEEDS, &apart);
    assert!(!apart.is_empty() && apart.iter().all(|one| one.ends_with(" undecided")), "{apart:?}");
}

#[test]
fn a_query_that_asks_for_the_same_rows_in_other_words_is_the_same() {
    for query in [
        "@Query(\"select b from Book b where b.id = :id\")",
        "@Query(\"SELECT book FROM Book AS book LEFT JOIN FETCH book.shelf WHERE book.id = ?1\")",
        "@EntityGraph(attributePaths = \"shelf\") @Query(\"select b from Book b where b.id = :id\")",
    ] {
        assert_eq!(told_of_query(query), ["GET /books/{id} same"], "{query}");
    }
}

#[test]
fn a_query_that_asks_for_other_rows_is_told() {
    for query in [
        "@Query(\"select b from Book b where b.id = :id and b.hidden = false\")",
        "@Query(\"select b from Book b join fetch b.shelf where b.id = :id\")",
        "@Query(\"select b from Book b where b.shelf.id = :id\")",
    ] {
        let found = told_of_query(query);
        assert!(found[0].starts_with("GET /books/{id} changed: ") && found.len() == 1, "{query}: {found:?}");
    }
    // The query selects all rows of another entity.
    let all = HANDLERS.replace("books.FIND(id).orElseThrow().getTitle()", "books.FIND()");
    let books = BOOKS.replace(
        "QUERY Optional<Book> wanted(@Param(\"id\") Long id);",
        "@Query(\"select s from Shelf s\") List<Book> wanted();",
    );
    let repo = between(&all.replace("FIND", "findAll"), &all.replace("FIND", "wanted"), &files(&books));
    assert_eq!(states_of(&repo), ["GET /books/{id} changed"]);
    // A fetch join may repeat rows, unless the query is `distinct`.
    for (query, state) in [
        ("select b from Book b left join fetch b.shelf", "undecided"),
        ("select distinct b from Book b left join fetch b.shelf", "same"),
    ] {
        let books = BOOKS.replace(
            "QUERY Optional<Book> wanted(@Param(\"id\") Long id);",
            &format!("@Query(\"{query}\") List<Book> wanted();"),
        );
        let repo = between(&all.replace("FIND", "findAll"), &all.replace("FIND", "wanted"), &files(&books));
        assert_eq!(states_of(&repo), [format!("GET /books/{{id}} {state}")], "{query}");
    }
    // Native SQL and modifying queries are not compared with repository methods.
    for query in [
        "@Query(value = \"select * from book where id = ?1\", nativeQuery = true)",
        "@Modifying @Query(\"select b from Book b where b.id = :id\")",
    ] {
        assert_eq!(told_of_query(query), ["GET /books/{id} undecided"], "{query}");
    }
}

#[test]
fn by_what_key_a_row_is_made_matters_where_one_is_made() {
    let numbered = BOOK.replace("@Id", "@Id @SequenceGenerator(name = \"book\") @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = \"book\")");
    let found = told_of_file("Book.java", BOOK, &numbered);
    assert!(found.iter().all(|one| one.ends_with(" same")), "{found:?}");
    let making = HANDLERS.replace("desk.rename(id, to);", "books.save(new Book());");
    let repo = between(
        &making.replace("FIND", "findById"),
        &making.replace("FIND", "findById"),
        &files(&BOOKS.replace("QUERY", "")),
    );
    let found = states_of(&repo.file("src/main/java/a/Book.java", numbered).commit("Keys"));
    assert!(found.iter().any(|one| one.starts_with("PUT /titles/{id} ") && !one.ends_with(" same")), "{found:?}");
}

#[test]
fn accessors_are_the_same_wherever_they_are_asked_for() {
    let by_field = SHELF
        .replace("private Long id", "@lombok.Getter private Long id")
        .replace("private String name", "@lombok.Getter private String name");
    let by_class = SHELF.replace("@Entity", "@lombok.Getter @Entity");
    let found = told_of_file("Shelf.java", &by_field, &by_class);
    assert!(found.iter().all(|one| one.ends_with(" same")), "{found:?}");
    let found = told_of_file("Shelf.java", SHELF, &by_class);
    let mut other = found.iter().filter(|one| !one.ends_with(" same"));
    let said = "GET /shelves/{id} changed: fields of `Shelf` have getters now, by which a library writes them";
    assert_eq!((other.next().map(String::as_str), other.next()), (Some(said), None));
}

#[test]
fn what_else_calls_a_method_decides_nothing_of_an_operation_that_calls_it() {
    let listens = DESK.replace(
        "public String title",
        "@org.springframework.amqp.rabbit.annotation.RabbitListener(queues = \"titles\") public String title",
    );
    let found = told_of_file("Desk.java", &listens, DESK);
    assert_eq!(found, ["GET /titles/{id} same"]);
    let scheduled = DESK.replace(
        "public String title",
        "@org.springframework.scheduling.annotation.Scheduled(fixedRate = 9) public String title",
    );
    assert_eq!(told_of_file("Desk.java", &scheduled, DESK), ["GET /titles/{id} undecided"]);
    // An operation that publishes an event runs its listeners.
    let publishes = HANDLERS.replace("FIND", "findById").replace("desk.rename(id, to);", "events.publishEvent(new Renamed(id));").replace(
        "private final Books books;",
        "@org.springframework.beans.factory.annotation.Autowired private org.springframework.context.ApplicationEventPublisher events; private final Books books;",
    );
    let event = "package a; public record Renamed(Long id) { }";
    let listener = "package a; import org.springframework.stereotype.Component; @Component public class Bell { private final org.vendor.Texts texts; public Bell(org.vendor.Texts texts) { this.texts = texts; }
  @org.springframework.context.event.EventListener public void on(Renamed event) { texts.of(event.id()); } }";
    let books = BOOKS.replace("QUERY", "");
    let files = [files(&books).as_slice(), &[("Renamed.java", event), ("Bell.java", listener)]].concat();
    let deaf = listener.replace("@org.springframework.context.event.EventListener ", "");
    let found = states_between(&publishes, &publishes, &files, &[("java/a/Bell.java", &deaf)]);
    assert!(found.iter().any(|one| one.starts_with("PUT /titles/{id} ") && !one.ends_with(" same")), "{found:?}");
    let cached = DESK.replace(
        "public String title",
        "@org.springframework.cache.annotation.Cacheable(\"titles\") public String title",
    );
    let found = told_of_file("Desk.java", &cached, DESK);
    assert!(found[0].starts_with("GET /titles/{id} changed"), "{found:?}");
}

#[test]
fn a_transaction_that_only_reads_matters_where_something_is_written() {
    let read = "@org.springframework.transaction.annotation.Transactional(readOnly = true) public";
    let found = told_of_file("Desk.java", DESK, &DESK.replace("public String title", &format!("{read} String title")));
    assert_eq!(found, ["GET /titles/{id} same"]);
    let found = told_of_file("Desk.java", DESK, &DESK.replace("public void rename", &format!("{read} void rename")));
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("PUT /titles/{id} ") && !found[0].ends_with(" same"), "{found:?}");
}

#[test]
fn who_says_who_a_caller_is_is_told_where_that_is_new() {
    let users = "package a; import org.springframework.security.core.userdetails.*; import org.springframework.stereotype.Service;
@Service public class Users implements UserDetailsService { public UserDetails loadUserByUsername(String name) { return org.vendor.Directory.of(name); } }";
    let found = told("findById", "findById", &[], &[("Users.java", users)]);
    assert_eq!(
        found.first().map(String::as_str),
        Some("GET /books/{id} changed: `Users`, which is new, is the `UserDetailsService` of the service")
    );
    assert_eq!(found.iter().filter(|one| one.ends_with(" changed")).count(), 3);
}

const COUNTED: &str = "private static int counted = 0; private static final java.util.concurrent.atomic.AtomicLong ids = new java.util.concurrent.atomic.AtomicLong(0);
  @PostMapping(\"/ids\") public long id() { return ids.incrementAndGet(); }
  @PostMapping(\"/counts\") public int count() { counted = counted + 1; return counted; }
  @GetMapping(\"/ids\") public String none() { return \"none\"; }";

/// The affected operations with their states, for these handlers and files of base and head.
fn states_between(before: &str, after: &str, was: &[(&str, &str)], is: &[(&str, &str)]) -> Vec<String> {
    let repo = between(before, after, was);
    let repo = is.iter().fold(repo, |repo, (file, text)| repo.file(&format!("src/main/{file}"), text));
    states_of(&repo.commit("Changed otherwise"))
}

#[test]
fn what_a_counter_starts_with_is_told_of_those_that_count() {
    let found = states_between(COUNTED, &COUNTED.replace("AtomicLong(0)", "AtomicLong(7)"), &[], &[]);
    assert_eq!(found, ["GET /ids same", "POST /counts same", "POST /ids changed"]);
    let found = states_between(COUNTED, &COUNTED.replace("counted = 0", "counted = 7"), &[], &[]);
    assert_eq!(found, ["POST /counts undecided"]);
    let found = states_between(COUNTED, &COUNTED.replace("counted = 0", "counted = (0)"), &[], &[]);
    assert!(found.iter().all(|one| one.ends_with(" same")), "{found:?}");
    // If a bean's constructor reads the counter, every operation may depend on it.
    let taken = format!("private int taken; public C() {{ this.taken = counted; }} {COUNTED}");
    let found = states_between(&taken, &taken.replace("counted = 0", "counted = 7"), &[], &[]);
    assert!(found.contains(&"GET /ids undecided".to_owned()), "{found:?}");
    // The counter's initial value comes from another field.
    let behind = COUNTED.replace("int counted = 0", "int start = 0; private static int counted = start");
    let found = states_between(&behind, &behind.replace("start = 0", "start = 7"), &[], &[]);
    assert!(found.iter().any(|one| one.starts_with("POST /counts ") && !one.ends_with(" same")), "{found:?}");
}

#[test]
fn constraints_of_a_table_are_told_where_rows_are_written_and_columns_where_they_are_read() {
    let rows = HANDLERS.replace("FIND", "findById").replace("desk.rename(id, to);", "books.save(new Book());").replace(
        "@GetMapping(\"/titles/{id}\") public String title(@PathVariable(\"id\") Long id) { return desk.title(id); }",
        "",
    );
    let table = "create table book (id bigint primary key, title varchar(20) not null, hidden boolean);\n";
    let books = BOOKS.replace("QUERY", "");
    let told = |text: &str| {
        let repo = between(&rows, &rows, &files(&books));
        repo.git(["checkout", "-q", "main"]);
        let repo = repo.file("src/main/resources/schema.sql", table).commit("Tables");
        repo.git(["checkout", "-q", "-B", "feature"]);
        let repo = repo.file("src/main/resources/schema.sql", text).commit("Other tables");
        states_of(&repo)
    };
    let found = told(&table.replace("varchar(20) not null", "varchar(20) check (title <> '')"));
    assert_eq!(found, ["GET /books/{id} same", "GET /shelves/{id} same", "PUT /titles/{id} changed"]);
    let found = told(&table.replace("varchar(20) not null", "varchar(40)  not null"));
    assert_eq!(found, ["GET /books/{id} same", "GET /shelves/{id} same", "PUT /titles/{id} changed"]);
    let found = told(&table.replace("varchar(20) not null", "int not null"));
    assert_eq!(found[..1], ["GET /books/{id} changed"], "{found:?}");
    let found = told(&table.replace("title varchar", "title   varchar").replace("(id", "( id"));
    assert!(found.iter().all(|one| one.ends_with(" same")), "{found:?}");
}

#[test]
fn a_path_of_a_class_is_the_same_however_it_is_written() {
    let paths = |path: &str| {
        format!(
            "package a; import org.springframework.web.bind.annotation.*; @RestController @RequestMapping(\"{path}\") public class P {{ @GetMapping public String p() {{ return \"p\"; }} }}"
        )
    };
    let none = "@GetMapping(\"/none\") public String none() { return \"none\"; }";
    let found = states_between(none, none, &[("P.java", &paths("/p"))], &[("java/a/P.java", &paths("p"))]);
    assert_eq!(found, ["GET /p same"]);
}

#[test]
fn who_answers_an_exception_of_a_library_is_not_known() {
    let thrown = "package a; public class Refused extends org.vendor.problems.ThrowableProblem { }";
    let own = "package a; public class Refused extends RuntimeException { }";
    let before = "@GetMapping(\"/p\") public String p(@RequestParam(\"n\") int n) { if (n > 9) { throw new Refused(); } return \"p\"; }";
    let whats = |refused: &str| {
        let report = report(&between(before, &before.replace("n > 9", "n > 8"), &[("Refused.java", refused)]));
        let all: Vec<String> =
            report["changes"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap().to_owned()).collect();
        all.join("\n")
    };
    assert!(whats(own).contains("answers 500 where it answered 200"), "{}", whats(own));
    let told = whats(thrown);
    assert!(told.contains("throws `Refused`") && !told.contains("500"), "{told}");
}

#[test]
fn a_call_that_comes_before_another_is_not_told_in_its_place() {
    let code = "@PostMapping(\"/p\") public void p(@RequestParam(\"n\") String n) { org.vendor.Rules rules = new org.vendor.Rules(); rules.allow(n); new org.vendor.Source().register(\"/**\", rules); }";
    let repo = between(code, &code.replace("rules.allow(n);", "rules.allow(n); rules.expose(n);"), &[]);
    let report = report(&repo);
    let first = report["changes"][0]["what"].as_str().unwrap();
    assert!(first.contains("expose") && first.contains("which it did not") && !first.contains("register"), "{first}");
}

#[test]
fn a_rule_for_other_paths_decides_nothing_whoever_is_imported_for_it() {
    let chain = |rule: &str, import: &str| {
        format!(
            "package a; {import} import org.springframework.context.annotation.*; import org.springframework.security.config.annotation.web.builders.HttpSecurity; import org.springframework.security.web.SecurityFilterChain;
@Configuration public class Rules {{ @Bean public SecurityFilterChain chain(HttpSecurity http) throws Exception {{
  http.authorizeHttpRequests().requestMatchers(\"/open/**\").permitAll(){rule}.anyRequest().authenticated();
  return http.build(); }} }}"
        )
    };
    let roles = "package a; public class Roles { public static final String ADMIN = \"ADMIN\"; }";
    let handlers = "@GetMapping(\"/open/p\") public String open() { return \"p\"; }
  @GetMapping(\"/books\") public String books() { return \"b\"; } @GetMapping(\"/shelves\") public String shelves() { return \"s\"; }";
    let (was, is) =
        (chain("", ""), chain(".requestMatchers(\"/books/**\").hasRole(ADMIN)", "import static a.Roles.*;"));
    let found = states_between(
        handlers,
        handlers,
        &[("Roles.java", roles), ("Rules.java", &was)],
        &[("java/a/Rules.java", &is)],
    );
    assert_eq!(found, ["GET /books changed", "GET /open/p same", "GET /shelves same"]);
}
