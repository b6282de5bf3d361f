//! What rows that are there already mean to the head: the places of an enum's constants, and the marks of classes that share
//! a table.

use serde_json::Value;

use crate::states::{between, report, states};

const ITEM: &str = "package a; import jakarta.persistence.*;
@Entity TABLE public class Item { @Id private Long id; STORED private Level level; public Long getId() { return id; } public Level getLevel() { return level; } }";
const BOOK: &str =
    "package a; import jakarta.persistence.*; @Entity MARK public class Book extends Item { private String title;
  public String getTitle() { return title; } }";
const LEVEL: &str = "package a; public enum Level { LOW, HIGH }";
const ITEMS: &str =
    "package a; public interface Items extends org.springframework.data.jpa.repository.JpaRepository<Item, Long> { }";
const BOOKS: &str =
    "package a; public interface Books extends org.springframework.data.jpa.repository.JpaRepository<Book, Long> { }";
const HANDLERS: &str = "private final Items items; private final Books books; private final org.vendor.Texts texts;
  public C(Items items, Books books, org.vendor.Texts texts) { this.items = items; this.books = books; this.texts = texts; }
  @GetMapping(\"/level/{id}\") public String level(@PathVariable(\"id\") Long id) { return texts.of(items.findById(id).orElseThrow().getLevel()); }
  @GetMapping(\"/books/{id}\") public String book(@PathVariable(\"id\") Long id) { return books.findById(id).orElseThrow().getTitle(); }
  @GetMapping(\"/word\") public String word(@RequestParam(\"text\") String text) { return texts.of(text); }";

/// The report of head, where `files` replace files of base; `stored` and `table` are annotations of both.
fn between_files(stored: &str, table: &str, files: &[(&str, &str)]) -> Value {
    let of = |text: &str| text.replace("STORED", stored).replace("TABLE", table).replace("MARK ", "");
    let (item, book) = (of(ITEM), of(BOOK));
    let base = [
        ("Item.java", item.as_str()),
        ("Book.java", &book),
        ("Level.java", LEVEL),
        ("Items.java", ITEMS),
        ("Books.java", BOOKS),
    ];
    let repo = between(HANDLERS, HANDLERS, &base);
    let repo = files.iter().fold(repo, |repo, (file, text)| repo.file(&format!("src/main/java/a/{file}"), *text));
    report(&repo.commit("Changed"))
}

/// How an operation compares; nothing if it is not affected.
fn state_of<'s>(states: &'s [(String, String)], op_id: &str) -> Option<&'s str> {
    states.iter().find(|(of, _)| of == op_id).map(|(_, state)| state.as_str())
}

fn told(report: &Value) -> Vec<String> {
    let text = |one: &Value| format!("{}: {}", one["op_id"].as_str().unwrap(), one["what"].as_str().unwrap());
    report["changes"].as_array().unwrap().iter().map(text).collect()
}

#[test]
fn a_constant_in_the_middle_moves_those_whose_places_rows_keep() {
    let more = [("Level.java", "package a; public enum Level { LOW, MIDDLE, HIGH }")];
    let found = told(&between_files("", "", &more));
    let of_level =
        "GET /level/{id}: `Level#MIDDLE` is new: the ordinals of constants after it change, and rows store them";
    assert!(found.iter().any(|one| one == of_level), "{found:?}");
    assert!(!found.iter().any(|one| one.contains("/word")), "{found:?}");
    let at_the_end =
        told(&between_files("", "", &[("Level.java", "package a; public enum Level { LOW, HIGH, A, B }")]));
    assert!(!at_the_end.iter().any(|one| one.contains("ordinals")), "{at_the_end:?}");
    // By name, the rows mean what they meant.
    let by_name = told(&between_files("@Enumerated(EnumType.STRING)", "", &more));
    assert!(!by_name.iter().any(|one| one.contains("ordinals")), "{by_name:?}");
}

#[test]
fn constants_that_change_places_are_told_where_rows_keep_them() {
    let turned = [("Level.java", "package a; public enum Level { HIGH, LOW }")];
    let found = told(&between_files("", "", &turned));
    let of_level = "GET /level/{id}: the constants of `Level` are in another order, and rows store their ordinals";
    assert!(found.iter().any(|one| one == of_level), "{found:?}");
    assert!(!found.iter().any(|one| one.contains("/word")), "{found:?}");
    // By name, and where nothing sorts them, the rows mean what they meant.
    let by_name = states(&between_files("@Enumerated(EnumType.STRING)", "", &turned));
    assert_eq!(state_of(&by_name, "GET /level/{id}"), Some("same"), "{by_name:?}");
}

#[test]
fn constants_that_change_places_are_not_the_same_to_code_that_sorts_them() {
    let handlers = "private final org.vendor.Levels levels; public C(org.vendor.Levels levels) { this.levels = levels; }
  @GetMapping(\"/first\") public String first() { java.util.TreeSet<Level> all = new java.util.TreeSet<>(levels.all(Level.LOW)); return levels.name(all); }
  @GetMapping(\"/low\") public String low() { return levels.name(Level.LOW); }";
    let repo = between(handlers, handlers, &[("Level.java", LEVEL)]);
    let turned = repo.file("src/main/java/a/Level.java", "package a; public enum Level { HIGH, LOW }");
    let found = states(&report(&turned.commit("Changed")));
    assert_eq!(state_of(&found, "GET /first"), Some("undecided"), "{found:?}");
    assert_ne!(state_of(&found, "GET /low"), Some("changed"), "{found:?}");
}

#[test]
fn a_mark_of_a_class_is_told_where_rows_bear_it() {
    let marked = BOOK.replace("MARK", "@DiscriminatorValue(\"b\")");
    let in_one = told(&between_files("", "", &[("Book.java", &marked)]));
    let is_of_mark = |one: &String| one.starts_with("GET /books/{id}: ") && one.contains("@DiscriminatorValue");
    assert!(in_one.iter().any(is_of_mark), "{in_one:?}");
    // With a table for each class nothing bears it.
    let joined =
        between_files("", "@Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)", &[("Book.java", &marked)]);
    assert_eq!(told(&joined), [] as [&str; 0]);
    let not_same: Vec<_> = states(&joined).into_iter().filter(|(_, state)| state != "same").collect();
    assert_eq!(not_same, []);
}
