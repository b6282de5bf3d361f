//! Bodies that differ in a part only, or only in form: a change inside a loop is reported although the interpretation does not reach the loop's end, and
//! refactored bodies are the same.

use crate::opaque::MORE;
use crate::states::{between, report, states};

const HANDLERS: &str = "private final ArticleStore store; private final org.vendor.Mailer mailer;
  public C(ArticleStore store, org.vendor.Mailer mailer) { this.store = store; this.mailer = mailer; }
  @PostMapping(\"/many\") public String many(@RequestParam(\"title\") String title, @RequestParam(\"most\") int most) {
    int sent = 0;
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 10000; i++) {
      if (i % most == 3) { continue; }
      Article article = new Article();
      article.setTitle(title + i);
      names.add(article.getTitle());
      store.save(article);
      sent = sent + 2;
    }
    mailer.send(sent, names);
    return \"sent \" + sent;
  }
  @GetMapping(\"/walk\") public int walk(@RequestParam(\"a\") int a) {
    int at = 0; int seen = 0;
    while ((at = at + a) < 100000) { seen = seen + 1; if (seen % a == 2) { continue; } store.findByOwnerId(1L); }
    return at + seen;
  }
  @GetMapping(\"/checked\") public String checked(@RequestParam(\"a\") String a, @RequestParam(\"b\") String b) {
    if (a.isEmpty()) { return \"no a\"; }
    if (b.isEmpty()) { return \"no b\"; }
    String both = a + b;
    return store.findByOwnerId(1L).stream().map(one -> one.getTitle() + both).toList().toString();
  }";

/// The states of the operations and the reported changes after `was` is replaced by `is`.
fn said(was: &str, is: &str) -> (Vec<String>, Vec<String>) {
    assert!(HANDLERS.contains(was), "{was}");
    let report = report(&between(HANDLERS, &HANDLERS.replacen(was, is, 1), MORE));
    let told = report["changes"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap().to_owned());
    (states(&report).into_iter().map(|(_, state)| state).collect(), told.collect())
}

#[test]
fn a_change_in_a_loop_that_no_run_ends_is_told_of_one_turn() {
    let edits = [
        ("store.save(article);", "", "no longer calls `articleStore.save("),
        ("sent = sent + 2;", "sent = sent + 3;", "`sent` is"),
        ("sent + 2;", "sent + 2; if (sent > 100) { break; }", "leaves the loop"),
        ("i < 10000", "i <= 10000", "i"),
        ("int i = 0", "int i = 1", "`i` is `1` where it was `0`"),
        ("i % most == 3", "i % most == 4", "%"),
    ];
    for (was, is, words) in edits {
        let (states, told) = said(was, is);
        assert_eq!(states, ["changed"], "{was} → {is}: {told:?}");
        assert!(told.iter().any(|what| what.contains(words)), "{was} → {is}: {told:?}");
    }
}

#[test]
fn a_turn_that_does_the_same_from_any_state_is_the_same() {
    let refactorings = [
        ("article.setTitle(title + i);", "String named = title + i; article.setTitle(named);"),
        ("sent = sent + 2;", "int more = 2; sent += more;"),
        ("store.save(article);\n      sent = sent + 2;", "sent = sent + 2;\n      store.save(article);"),
    ];
    for (was, is) in refactorings {
        assert_eq!(said(was, is), (vec!["same".to_owned()], Vec::new()), "{was} → {is}");
    }
    // An assignment inside the loop's condition counts.
    assert_ne!(said("while ((at = at + a)", "while ((seen = at + a)").0, ["same"]);
    // The size of the list before the turn counts, too.
    let (states, _) =
        said("names.add(article.getTitle());", "if (names.size() < 3) { names.add(article.getTitle()); }");
    assert_ne!(states, ["same"]);
}

#[test]
fn what_differs_in_words_alone_is_the_same() {
    let refactorings = [
        (
            "Article article = new Article();\n      article.setTitle(title + i);\n      names.add(article.getTitle());\n      store.save(article);",
            "Article made = new Article();\n      made.setTitle(title + i);\n      names.add(made.getTitle());\n      store.save(made);",
        ),
        ("if (i % most == 3) { continue; }", "if (!(i % most == 3)) { } else { continue; }"),
        (
            "if (a.isEmpty()) { return \"no a\"; }\n    if (b.isEmpty()) { return \"no b\"; }",
            "if (!a.isEmpty()) { if (b.isEmpty()) { return \"no b\"; } } else { return \"no a\"; }",
        ),
        ("one -> one.getTitle() + both", "found -> found.getTitle() + both"),
        ("return \"sent \" + sent;", "var answer = \"sent \" + sent; return answer;"),
        ("return \"no a\"; }", "return NO_A; }"),
    ];
    let constant = "private static final String NO_A = \"no a\";\n  @PostMapping";
    for (was, is) in refactorings {
        let is = HANDLERS.replacen(was, is, 1);
        let is = if is.contains("NO_A") { is.replacen("@PostMapping", constant, 1) } else { is };
        let report = report(&between(HANDLERS, &is, MORE));
        let states: Vec<String> = states(&report).into_iter().map(|(_, state)| state).collect();
        assert_eq!(states, ["same"], "{was}");
    }
}

#[test]
fn words_that_stand_for_something_else_are_no_other_words() {
    let edits = [
        ("return \"no a\";", "return \"no b\";"),
        ("if (a.isEmpty())", "if (!a.isEmpty())"),
        ("String both = a + b;", "String both = b + a;"),
        ("one.getTitle() + both", "both + one.getTitle()"),
        ("if (a.isEmpty()) { return \"no a\"; }", "if (b.isEmpty()) { return \"no a\"; }"),
    ];
    for (was, is) in edits {
        let (states, told) = said(was, is);
        assert!(states == ["changed"] || states == ["undecided"], "{was} → {is}: {states:?} {told:?}");
    }
}

const KEYS: &str = "private final ArticleStore store; public C(ArticleStore store) { this.store = store; }
  @PostMapping(\"/made\") public long made(@RequestBody Wrapped wrapped) {
    if (wrapped.getChange() == null) { return 0; }
    Article article = new Article();
    article.setTitle(wrapped.getChange().getTitle());
    store.save(article);
    long id = article.getId();
    return id;
  }
  @org.vendor.Said(by = @org.vendor.Whom(\"all\")) @GetMapping(\"/least\") public Object least(@RequestParam(\"a\") int a) { return a < 3 ? \"less\" : \"more\"; }";

#[test]
fn what_a_store_is_handed_has_a_key_and_what_lies_within_a_body_may_be_missing() {
    let wrapped =
        "package a; public class Wrapped { private Change change; public Change getChange() { return change; } }";
    let more: Vec<(&str, &str)> = MORE.iter().copied().chain([("Wrapped.java", wrapped)]).collect();
    let told = |was: &str, is: &str| {
        assert!(KEYS.contains(was), "{was}");
        let report = report(&between(KEYS, &KEYS.replacen(was, is, 1), &more));
        let told = report["changes"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap().to_owned());
        (states(&report).into_iter().map(|(_, state)| state).collect::<Vec<String>>(), told.collect::<Vec<String>>())
    };
    let (state, what) = told("return id;", "return id + 1;");
    assert_eq!(state, ["changed"], "{what:?}");
    assert!(what.iter().any(|what| what.contains("article.id + 1")), "{what:?}");
    let (state, what) = told("return 0;", "return 1;");
    assert_eq!(state, ["changed"], "{what:?}");
    assert!(what.iter().any(|what| what.contains("change is null")), "{what:?}");
    // Moved lines with a nested annotation change nothing.
    let constant = "private static final String LESS = \"less\";\n  @org.vendor.Said";
    let all =
        report(&between(KEYS, &KEYS.replacen("\"less\"", "LESS", 1).replacen("@org.vendor.Said", constant, 1), &more));
    assert_eq!(states(&all).into_iter().map(|(_, state)| state).collect::<Vec<_>>(), ["same"]);
}

const ANSWERS: &str = "private final ArticleStore store; public C(ArticleStore store) { this.store = store; }
  @PostMapping(\"/kept\") public ResponseEntity<Article> kept(@RequestBody Change change) throws Exception {
    Article article = store.findBySlug(change.getTitle()).get();
    return ResponseEntity.ok().headers(org.vendor.Alerts.of(\"kept\", article.getSlug())).header(\"X-Of\", article.getTitle()).body(article);
  }
  @GetMapping(\"/raw\") public void raw(@RequestParam(\"slug\") String slug, jakarta.servlet.http.HttpServletResponse response) throws Exception {
    Article article = store.findBySlug(slug).get();
    response.setHeader(\"X-Of\", article.getTitle());
    response.getWriter().write(article.getSlug());
  }
  @GetMapping(\"/said\") public Said said(@RequestParam(\"slug\") String slug) {
    if (store.findBySlug(slug).isPresent()) { return new Said().setWhat(slug); }
    return Said.bad().setWhat(\"none\");
  }";

#[test]
fn headers_texts_and_objects_that_setters_hand_on_count() {
    let said = "package a; import lombok.*; import lombok.experimental.Accessors; @Getter @Setter @Accessors(chain = true)
public class Said { private String what; private String kind; public static Said bad() { Said said = new Said(); said.setKind(\"bad\"); return said; } }";
    let edits = [
        ("of(\"kept\", article", "of(\"left\", article", "\"left\""),
        ("\"X-Of\", article.getTitle()).body", "\"X-Of\", article.getSlug()).body", "slug"),
        ("header(\"X-Of\"", "header(\"X-For\"", "x-for"),
        ("setHeader(\"X-Of\", article.getTitle())", "setHeader(\"X-Of\", article.getSlug())", "slug"),
        ("write(article.getSlug())", "write(article.getTitle())", "title"),
        ("setWhat(\"none\")", "setWhat(\"no\")", "`what` is `\"no\"` where it was `\"none\"`"),
    ];
    for (was, is, words) in edits {
        assert!(ANSWERS.contains(was), "{was}");
        let more: Vec<(&str, &str)> = MORE.iter().copied().chain([("Said.java", said)]).collect();
        let report = report(&between(ANSWERS, &ANSWERS.replacen(was, is, 1), &more));
        let told: Vec<&str> =
            report["changes"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap()).collect();
        assert!(told.iter().any(|what| what.to_lowercase().contains(words)), "{was} → {is}: {told:?}");
    }
}
