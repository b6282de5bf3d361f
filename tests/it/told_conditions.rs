//! Conditions of reported changes: they separate the paths on which base and head differ from those on which they agree.

use serde_json::Value;

use crate::states::{between, report};

const BOOK: &str = "package a; import jakarta.persistence.*;
@Entity public class Book { @Id @GeneratedValue private Long id; private String cover; @Column(UNIQUE) private String mark;
  public Long getId() { return id; } public String getCover() { return cover; }
  public String getMark() { return mark; } public void setMark(String mark) { this.mark = mark; } }";
const BOOKS: &str = "package a; import org.springframework.data.jpa.repository.*;
public interface Books extends JpaRepository<Book, Long> { boolean existsByMark(String mark); }";
const LOAN: &str = "package a; import jakarta.persistence.*;
@Entity public class Loan { @Id @GeneratedValue private Long id; @ManyToOne private Book book; private java.time.Instant at;
  public Long getId() { return id; } public Book getBook() { return book; } public void setBook(Book book) { this.book = book; }
  public java.time.Instant getAt() { return at; } }";
const LOANS: &str =
    "package a; public interface Loans extends org.springframework.data.jpa.repository.JpaRepository<Loan, Long> { }";
const TAKEN: &str = "package a; import org.springframework.http.*; import org.springframework.web.bind.annotation.*;
@ResponseStatus(HttpStatus.CONFLICT) public class Taken extends RuntimeException { }";
const MISSING: &str = "package a; public class Missing extends RuntimeException { }";
const DESK: &str = "package a; import org.springframework.stereotype.Service;
@Service public class Desk { private final org.vendor.Texts texts; private final Books books;
  public Desk(org.vendor.Texts texts, Books books) { this.texts = texts; this.books = books; }
  public String name(Long id) { String name = texts.of(texts.key(id, 1, 2)); return name == null ? texts.of(id) : texts.trim(name); }
  public String sure(Long id) { String name = texts.of(texts.key(id, 1, 2)); if (texts.isGone(name)) { throw new Missing(); } return texts.trim(name); } }";

const HANDLERS: &str = "private final Books books; private final Loans loans; private final Desk desk; private final org.vendor.Texts texts;
  public C(Books books, Loans loans, Desk desk, org.vendor.Texts texts) { this.books = books; this.loans = loans; this.desk = desk; this.texts = texts; }
  @GetMapping(\"/codes\") public String code() {
    Integer code = Integer.valueOf(texts.path());
    if (code == HttpStatus.NOT_FOUND.value()) { return \"gone\"; } else if (code == HttpStatus.CONFLICT.value()) { return \"taken\"; }
    return \"other\";
  }
  @GetMapping(\"/found\") public String found() {
    Object found = texts.found();
    if (!(found instanceof Book)) { return \"no book\"; }
    return ((Book) found).getMark();
  }
  @GetMapping(\"/pairs/{id}\") public String pair(@PathVariable(\"id\") Long id, @RequestParam(\"other\") Long other) {
    Book one = books.getReferenceById(id);
    Book two = books.getReferenceById(other);
    return texts.of(texts.with(\"one\", one).and(\"two\", two));
  }
  @PostMapping(\"/loans/{id}\") public String lend(@PathVariable(\"id\") Long id) {
    Loan loan = new Loan();
    loan.setBook(books.findById(id).orElseThrow());
    loans.save(loan);
    return texts.of(loan.getBook().getMark(), loan.getAt());
  }
  @GetMapping(\"/marks\") public String marks() {
    String path = texts.path();
    if (path.contains(\"/a\") || path.contains(\"/b\") || path.contains(\"/c\") || path.contains(\"/d\")) { texts.setMark(path); }
    return \"done\";
  }
  @DeleteMapping(\"/books/{id}\") public void delete(@PathVariable(\"id\") Long id) {
    Book book = books.findById(id).orElseThrow();
    if (book.getCover() != null && !book.getCover().isEmpty()) { texts.drop(book.getCover()); }
    books.deleteById(id);
  }
  @PostMapping(\"/books\") public void add(@RequestParam(\"mark\") String mark) {
    if (books.existsByMark(mark)) { throw new Taken(); }
    Book book = new Book();
    book.setMark(mark);
    books.save(book);
  }
  @GetMapping(\"/names/{id}\") public String name(@PathVariable(\"id\") Long id) {
    String name;
    try { name = desk.name(id); } catch (Missing e) { name = \"none\"; }
    return texts.of(name);
  }
  @GetMapping(\"/sure/{id}\") public String sure(@PathVariable(\"id\") Long id) {
    String name;
    try { name = desk.sure(id); } catch (Missing e) { name = \"no one\"; }
    return texts.of(name);
  }";

/// The reported changes after `was` is replaced by `is` in the handlers; `unique` is the argument of `@Column` on `mark`.
fn told_of(was: &str, is: &str, unique: &str) -> Vec<String> {
    assert!(HANDLERS.contains(was), "{was}");
    let book = BOOK.replace("UNIQUE", unique);
    let files = [
        ("Book.java", book.as_str()),
        ("Books.java", BOOKS),
        ("Loan.java", LOAN),
        ("Loans.java", LOANS),
        ("Taken.java", TAKEN),
        ("Missing.java", MISSING),
        ("Desk.java", DESK),
    ];
    let report = report(&between(HANDLERS, &HANDLERS.replacen(was, is, 1), &files));
    let said = |change: &Value| change["what"].as_str().unwrap().to_owned();
    report["changes"].as_array().unwrap().iter().map(said).collect()
}

fn told(was: &str, is: &str) -> Vec<String> {
    told_of(was, is, "length = 40")
}

#[test]
fn of_a_long_question_is_told_what_parts_base_and_head() {
    let found = told("|| path.contains(\"/d\")", "&& path.contains(\"/d\")");
    assert_eq!(
        found[0],
        "no longer calls `texts.setMark(texts.path())` (texts.path() does not contain \"/d\" and texts.path() contains \"/c\" \
         and texts.path() does not contain \"/b\" and texts.path() does not contain \"/a\")"
    );
}

#[test]
fn that_something_is_null_is_told_where_only_that_fails() {
    let found = told("!= null && !book", "== null && !book");
    assert!(found.contains(&"answers 500 where it answered 200 (book.cover is null)".to_owned()), "{found:#?}");
    assert!(
        found.iter().any(|one| one.contains("texts.drop") && one.contains("book.cover is not empty")),
        "{found:#?}"
    );
}

#[test]
fn a_value_that_another_row_has_is_refused_in_a_column_that_takes_it_once() {
    let negated = ("if (books.existsByMark", "if (!books.existsByMark");
    let refused = told_of(negated.0, negated.1, "unique = true");
    assert!(refused.iter().any(|one| one.starts_with("answers 500 where it answered 409")), "{refused:#?}");
    assert!(!refused.iter().any(|one| one.starts_with("answers 200 where it answered 409")), "{refused:#?}");
    let kept = told_of(negated.0, negated.1, "unique = false");
    assert!(kept.iter().any(|one| one.starts_with("answers 200 where it answered 409")), "{kept:#?}");
}

#[test]
fn an_exception_of_the_project_comes_from_code_that_makes_it() {
    let made = told("\"no one\"", "\"nobody\"");
    let gone = "texts.isGone(texts.of(texts.key(id, 1, 2)))";
    assert_eq!(made, [format!("gives `texts.of(\"nobody\")` where it gave `texts.of(\"no one\")` ({gone})")]);
    let never = told("\"none\"", "\"nothing\"");
    assert_eq!(never, [""; 0], "no code behind it makes a `Missing`");
}

#[test]
fn a_box_that_is_compared_with_a_number_is_one_number_at_a_time() {
    let found = told("code == HttpStatus.NOT_FOUND", "code != HttpStatus.NOT_FOUND");
    let of = |was: &str, is: &str| format!("gives `\"{is}\"` where it gave `\"{was}\"`");
    assert!(found.iter().any(|one| one.starts_with(&of("gone", "other"))), "{found:#?}");
    assert!(!found.iter().any(|one| one.starts_with(&of("gone", "taken"))), "no number is both: {found:#?}");
}

#[test]
fn an_object_that_is_of_another_class_cannot_be_cast() {
    let found = told("!(found instanceof Book)", "(found instanceof Book)");
    assert!(found.iter().any(|one| one.starts_with("answers 500 where it answered 200")), "{found:#?}");
    assert!(!found.iter().any(|one| one.contains("where it gave `\"no book\"`")), "{found:#?}");
}

#[test]
fn of_results_that_changed_places_is_told_which_call_takes_which() {
    let found = told("(\"one\", one).and(\"two\", two)", "(\"one\", two).and(\"two\", one)");
    let taken = "calls `Texts.of` with `texts.with(\"one\", books.getReferenceById(other))` where it was `texts.with(\"one\", book)`";
    assert_eq!(found, [taken]);
}

#[test]
fn what_a_new_row_refers_to_is_what_the_code_has_set() {
    let found = told("loan.setBook(books.findById(id).orElseThrow());", "books.findById(id).orElseThrow();");
    assert!(found[0].starts_with("answers 500 where it answered 200"), "{found:#?}");
}
