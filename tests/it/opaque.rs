//! Opaque values: a service with a database, a token and a mapper, none of which is modelled. Each edit must be reported, each refactoring must be the
//! same, and no opaque value may be mistaken for another.

use crate::states::{FILTER, between, report, states};

const ARTICLE: &str = "package a; public class Article {
  private Long id; private String slug; private String title; private Long ownerId; private boolean hidden;
  public Long getId() { return id; } public String getSlug() { return slug; } public String getTitle() { return title; }
  public Long getOwnerId() { return ownerId; } public boolean isHidden() { return hidden; }
  public void setTitle(String title) { this.title = title; } public void setSlug(String slug) { this.slug = slug; } }";

const STORE: &str = "package a; import java.util.*; import org.vendor.*;
@Gateway public interface ArticleStore { Optional<Article> findBySlug(String slug); List<Article> findByOwnerId(Long owner);
  Article save(Article article); void delete(Article article); }";

const SERVICE: &str = "package a; import org.springframework.stereotype.Service;
@Service public class Articles { private final ArticleStore store; private final org.vendor.Mailer mailer;
  public Articles(ArticleStore store, org.vendor.Mailer mailer) { this.store = store; this.mailer = mailer; }
  public Article bySlug(String slug) { return store.findBySlug(slug).orElseThrow(() -> new Missing(slug)); }
  public void tell(Article article, String what) { mailer.send(article.getOwnerId(), what, article.getTitle()); } }";

const MISSING: &str = "package a; import org.springframework.http.HttpStatus; import org.springframework.web.bind.annotation.ResponseStatus;
@ResponseStatus(HttpStatus.NOT_FOUND) public class Missing extends RuntimeException { public Missing(String slug) { super(slug); } }";

const DENIED: &str = "package a; import org.springframework.http.HttpStatus; import org.springframework.web.bind.annotation.ResponseStatus;
@ResponseStatus(HttpStatus.FORBIDDEN) public class Denied extends RuntimeException { }";

const USER: &str = "package a; public class Account { private Long id; private String name; private String role;
  public Long getId() { return id; } public String getName() { return name; } public String getRole() { return role; } }";

const CHANGE: &str = "package a; import jakarta.validation.constraints.*;
public class Change { @NotNull private String title; private int weight; public String getTitle() { return title; } public int getWeight() { return weight; } }";

pub const MORE: &[(&str, &str)] = &[
    ("Article.java", ARTICLE),
    ("ArticleStore.java", STORE),
    ("Articles.java", SERVICE),
    ("Missing.java", MISSING),
    ("Denied.java", DENIED),
    ("Account.java", USER),
    ("Change.java", CHANGE),
    ("TokenFilter.java", FILTER),
];

const HANDLERS: &str = "private final Articles articles; private final ArticleStore store; private final org.vendor.Mapper mapper;
  public C(Articles articles, ArticleStore store, org.vendor.Mapper mapper) { this.articles = articles; this.store = store; this.mapper = mapper; }
  @PutMapping(\"/articles/{slug}\") public Map<String, Object> change(@PathVariable(\"slug\") String slug, @org.vendor.Caller Account account,
      @Valid @RequestBody Change change) {
    Article article = articles.bySlug(slug);
    if (!article.getOwnerId().equals(account.getId())) { throw new Denied(); }
    if (article.isHidden()) { return Map.of(\"hidden\", true); }
    article.setTitle(change.getTitle());
    store.save(article);
    articles.tell(article, \"changed\");
    Map<String, Object> answer = new HashMap<>();
    answer.put(\"article\", mapper.map(article));
    answer.put(\"by\", account.getName());
    return answer;
  }
  @GetMapping(\"/mine\") public List<String> mine(@org.vendor.Caller Account account) {
    List<String> titles = new ArrayList<>();
    for (Article article : store.findByOwnerId(account.getId())) { titles.add(article.getTitle()); }
    return titles;
  }";

/// The states and the reported changes after `was` is replaced by `is` in the handlers.
fn said(was: &str, is: &str) -> (Vec<String>, Vec<String>) {
    assert!(HANDLERS.contains(was), "{was}");
    let report = report(&between(HANDLERS, &HANDLERS.replacen(was, is, 1), MORE));
    let whats = report["changes"].as_array().unwrap().iter().flat_map(|change| {
        let also = change["also"].as_array().cloned().unwrap_or_default();
        std::iter::once(change.clone()).chain(also).collect::<Vec<_>>()
    });
    let told = whats.map(|change| change["what"].as_str().unwrap().to_owned()).collect();
    (states(&report).into_iter().map(|(_, state)| state).collect(), told)
}

#[test]
fn edits_of_a_service_of_which_nothing_is_modelled_are_told() {
    let edits = [
        (
            "if (!article.getOwnerId().equals(account.getId())) { throw new Denied(); }",
            "",
            "answers 200 where it answered 403",
        ),
        ("if (!article.getOwnerId()", "if (article.getOwnerId()", "answers 403 where it answered 200"),
        ("throw new Denied()", "throw new Missing(slug)", "answers 404 where it answered 403"),
        ("store.save(article);", "", "no longer calls `articleStore.save("),
        ("store.save(article);", "store.save(article); store.delete(article);", "delete("),
        ("article.setTitle(change.getTitle());", "", "title"),
        ("account.getName());", "account.getRole());", "`by` is `account.role` where it was `account.name`"),
        ("articles.tell(article, \"changed\");", "articles.tell(article, \"made\");", "\"made\""),
        ("if (article.isHidden())", "if (!article.isHidden())", "hidden"),
        ("titles.add(article.getTitle());", "titles.add(article.getSlug());", "slug"),
        ("account.getId())) { titles", "account.getId() + 1)) { titles", "findByOwnerId"),
        ("@Valid @RequestBody", "@RequestBody", "@Valid"),
    ];
    for (was, is, words) in edits {
        let (states, told) = said(was, is);
        assert!(states.contains(&"changed".to_owned()), "{was} → {is}: {states:?} {told:?}");
        assert!(told.iter().any(|what| what.contains(words)), "{was} → {is}: {told:?}");
    }
}

#[test]
fn refactorings_of_it_are_the_same() {
    let loops = "List<String> titles = new ArrayList<>();
    for (Article article : store.findByOwnerId(account.getId())) { titles.add(article.getTitle()); }
    return titles;";
    let refactorings = [
        (loops, "return store.findByOwnerId(account.getId()).stream().map(Article::getTitle).toList();"),
        (loops, "List<Article> own = store.findByOwnerId(account.getId()); return titlesOf(own); }
           private static List<String> titlesOf(List<Article> all) { List<String> out = new ArrayList<>(); all.forEach(one -> out.add(one.getTitle())); return out;"),
        (
            "if (!article.getOwnerId().equals(account.getId())) { throw new Denied(); }",
            "boolean own = article.getOwnerId().equals(account.getId()); if (own) { } else { throw new Denied(); }",
        ),
        ("store.save(article);", "org.slf4j.LoggerFactory.getLogger(\"a\").info(\"saved {}\", slug); store.save(article);"),
        ("answer.put(\"by\", account.getName());", "String by = account.getName(); answer.put(\"by\", by);"),
        ("Article article = articles.bySlug(slug);", "final Article found = articles.bySlug(slug); Article article = found;"),
    ];
    for (was, is) in refactorings {
        let (states, told) = said(was, is);
        assert_eq!((states.as_slice(), told.as_slice()), (&["same".to_owned()][..], &[][..]), "{was} → {is}");
    }
}

#[test]
fn one_callee_is_not_taken_for_another() {
    // Another method of the mapper may return the same value or another one.
    let (states, told) = said("mapper.map(article)", "mapper.convert(article)");
    assert_eq!((states.as_slice(), told.len()), (&["undecided".to_owned()][..], 0), "{told:?}");
    // A read after a write may differ from the same read before it.
    let (states, _) = said("store.save(article);", "store.save(article); article = store.findBySlug(slug).get();");
    assert_ne!(states, ["same"]);
}

/// A filter with this check, which calls a vendor's library.
fn filter(check: &str) -> String {
    format!(
        "package a; import jakarta.servlet.*; import jakarta.servlet.http.*; import org.springframework.stereotype.Component;
@Component public class KeyFilter implements Filter {{ private final org.vendor.Keys keys = org.vendor.Keys.open();
  public void doFilter(ServletRequest q, ServletResponse s, FilterChain chain) throws java.io.IOException, ServletException {{
    String key = ((HttpServletRequest) q).getHeader(\"X-Key\");
    if ({check}) {{ chain.doFilter(q, s); }} else {{ ((HttpServletResponse) s).sendError(401); }} }} }}"
    )
}

#[test]
fn a_filter_is_compared_by_itself() {
    let file = "src/main/java/a/KeyFilter.java";
    let handler = "@GetMapping(\"/x\") public String x() { return org.vendor.Texts.one(); }";
    let state = |before: &str, after: &str| {
        let repo = between(handler, handler, &[("KeyFilter.java", &filter(before))])
            .file(file, filter(after))
            .commit("Filter");
        let report = report(&repo);
        (states(&report).remove(0).1, report["changes"].to_string())
    };
    let (told, changes) = state("key != null && keys.has(key)", "key == null || keys.has(key)");
    assert!(told == "changed" && changes.contains("KeyFilter#doFilter"), "{told} {changes}");
    let turned = "!(key == null || !keys.has(key))";
    assert_eq!(state("key != null && keys.has(key)", turned).0, "same");
    // Another method of the same library may return the same.
    assert_eq!(state("keys.has(key)", "keys.knows(key)").0, "undecided");
}

#[test]
fn what_another_aspect_may_answer_is_not_told() {
    let aspect = "package a; import org.aspectj.lang.*; import org.aspectj.lang.annotation.*; import org.springframework.stereotype.Component;
@Aspect @Component public class Guard { @Around(\"execution(* a.C.*(..))\") public Object guard(ProceedingJoinPoint point) throws Throwable {
  if (org.vendor.Gate.isShut()) { throw new Denied(); } return point.proceed(); } }";
    let before = "@GetMapping(\"/x\") public String x() { return org.vendor.Texts.one(); }";
    let after = "@GetMapping(\"/x\") public String x() { if (org.vendor.Gate.isShut()) { throw new Denied(); } return org.vendor.Texts.one(); }";
    let repo = between(before, after, &[("Guard.java", aspect), ("Denied.java", DENIED)])
        .remove("src/main/java/a/Guard.java")
        .commit("By hand");
    let report = report(&repo);
    assert_eq!((states(&report).remove(0).1.as_str(), &report["changes"]), ("undecided", &serde_json::json!([])));
}

#[test]
fn readings_events_and_objects_that_are_found_are_told_apart() {
    let state = |before: &str, after: &str| {
        let code = |inner: &str| {
            format!(
                "private final ArticleStore store; private final org.vendor.Bell bell;
                 public C(ArticleStore store, org.vendor.Bell bell) {{ this.store = store; this.bell = bell; }}
                 @PostMapping(\"/x/{{slug}}\") public Object x(@PathVariable(\"slug\") String slug) {{ {inner} }}"
            )
        };
        let report = report(&between(&code(before), &code(after), MORE));
        states(&report).remove(0).1
    };
    let found = "Article one = store.findBySlug(slug).orElse(null);";
    // The first reading of the clock is equal on both sides; a second reading is another value.
    assert_eq!(state("return java.time.Instant.now();", "var now = java.time.Instant.now(); return now;"), "same");
    assert_eq!(
        state("return java.time.Instant.now();", "java.time.Instant.now(); return java.time.Instant.now();"),
        "changed"
    );
    // A repeated read is no event and returns the same value; after a write it may not.
    let twice = format!("store.findBySlug(slug); {found} return one;");
    assert_eq!(state(&format!("{found} return one;"), &twice), "same");
    let behind = format!("{found} bell.ring(one); return store.findBySlug(slug).orElse(null);");
    assert_eq!(state(&format!("{found} bell.ring(one); return one;"), &behind), "same", "the bell keeps no articles");
    let saved = format!("{found} store.save(one); return store.findBySlug(slug).orElse(null);");
    assert_ne!(state(&format!("{found} store.save(one); return one;"), &saved), "same");
    // An event carries the object's state at the time of the call.
    let before = format!("{found} bell.ring(one); one.setTitle(\"t\"); return \"\";");
    let after = format!("{found} one.setTitle(\"t\"); bell.ring(one); return \"\";");
    assert_eq!(state(&before, &after), "changed");
    // Changing a loaded object is an effect, although nothing saves it.
    assert_eq!(
        state(&format!("{found} return \"\";"), &format!("{found} one.setTitle(\"t\"); return \"\";")),
        "changed"
    );
    // Another order of two events is not the same.
    assert_ne!(state("bell.ring(1); bell.stop(); return 1;", "bell.stop(); bell.ring(1); return 1;"), "same");
}

#[test]
fn what_a_library_calls_by_itself_is_never_the_same() {
    let handler = "@GetMapping(\"/x\") public Object x() { return org.vendor.Texts.one(); }";
    // A new filter, with an unchanged handler.
    let come = between(handler, handler, &[]).file("src/main/java/a/TokenFilter.java", FILTER).commit("Filter");
    assert_eq!(states(&report(&come)).remove(0).1, "undecided");
    // A new getter is serialised into the answer.
    let shown = |more: &str| {
        format!(
            "@GetMapping(\"/x\") public ResponseEntity<?> x() {{ Shown one = new Shown(); one.name = org.vendor.Texts.one(); return ResponseEntity.ok(one); }}
             public static class Shown {{ String name; public String getName() {{ return name; }} {more} }}"
        )
    };
    let getter = "public int getSize() { return 1; }";
    let told = states(&report(&between(&shown(""), &shown(getter), &[])));
    assert!(told.iter().all(|(_, state)| state != "same"), "{told:?}");
    // An object of another class with the same fields may be serialised differently.
    let of = |class: &str| {
        format!(
            "@GetMapping(\"/x\") public Object x() {{ String name = org.vendor.Texts.one(); return new {class}(name); }}
             public record Plain(String name) {{ }} public record Short(@com.fasterxml.jackson.annotation.JsonProperty(\"n\") String name) {{ }}"
        )
    };
    assert_ne!(states(&report(&between(&of("Plain"), &of("Short"), &[]))).remove(0).1, "same");
}

/// The oracles of an operation in the committed suite.
fn oracles(repo: &crate::support::Repo, op_id: &str) -> Vec<serde_json::Value> {
    let files = crate::loaded::files(&repo.path().join(".mastor/suite"));
    let suites = files.iter().map(|(_, bytes)| serde_json::from_slice::<serde_json::Value>(bytes).unwrap());
    let own = suites.into_iter().find(|suite| suite["context"]["op_id"] == op_id).unwrap();
    own["oracles"].as_array().unwrap().clone()
}

#[test]
fn oracles_of_it_say_what_is_given_and_what_is_assumed() {
    let repo = between(HANDLERS, HANDLERS, MORE);
    let said = repo.run(["generate", "--all"]).ends(0).out;
    assert!(said.contains(" assumed"), "{said}");
    let all = oracles(&repo, "PUT /articles/{slug}");
    let given = |oracle: &serde_json::Value| oracle["given"].to_string();
    let of = |status: u16, words: &str| {
        let all = all.iter().filter(|oracle| oracle["assertions"][0]["expected"] == status);
        all.into_iter().find(|oracle| given(oracle).contains(words)).cloned()
    };
    let found = of(200, "finds an article").unwrap_or_else(|| panic!("{all:#?}"));
    assert!(found["assumes"].to_string().contains("`TokenFilter` passes the request on"), "{found}");
    assert!(of(404, "finds no article").is_some(), "{all:#?}");
    assert!(of(403, "article.ownerId").is_some(), "{all:#?}");
    // An assumed oracle can be explained, but is not exported as a test.
    let id = found["o_id"].as_str().unwrap();
    let explained = repo.run(["explain", id]).ends(0).out;
    assert!(explained.contains("given      ") && explained.contains("assumes    `TokenFilter`"), "{explained}");
    repo.run(["export", "junit", "postman", "--dir", "tests-out"]).ends(0);
    for (file, bytes) in crate::loaded::files(&repo.path().join("tests-out")) {
        assert!(!String::from_utf8_lossy(&bytes).contains("given_200"), "{file}");
    }
}

#[test]
fn a_change_that_contradicts_what_is_assumed_needs_a_decision() {
    let lost = HANDLERS.replacen("if (!article.getOwnerId().equals(account.getId())) { throw new Denied(); }", "", 1);
    let repo = between(HANDLERS, HANDLERS, MORE);
    repo.run(["generate", "--all"]).ends(0);
    let controller = repo.read("src/main/java/a/C.java");
    let repo = repo
        .commit("Suite")
        .branch("later")
        .file("src/main/java/a/C.java", controller.replacen(HANDLERS, &lost, 1))
        .commit("Lost");
    let report = repo.run(["ci", "--since", "feature", "--format", "json"]).ends(1).json();
    let told = report["changes"].to_string();
    assert!(told.contains("answers 200 where it answered 403"), "{told}");
    // The `accept` command shown for each change works.
    for change in report["changes"].as_array().unwrap().iter().filter(|one| one["needs_decision"] == true) {
        repo.run(["accept", change["o_id"].as_str().or(change["id"].as_str()).unwrap()]).ends(0);
    }
    let repo = repo.commit("Accept");
    let after = repo.run(["ci", "--since", "feature", "--format", "json"]).ends(0).json();
    assert!(after["changes"].as_array().unwrap().iter().any(|one| one["accepted"] == true), "{after:#}");
}

/// A repository with derived query methods.
const ROWS: &str = "package a; import java.util.*;
public interface Rows extends org.vendor.data.RowRepository<Article, Long> {
  List<Article> findByTitleOrderBySlugAsc(String title); List<Article> findByTitleOrderBySlugDesc(String title);
  List<Article> findAllByTitleOrderBySlug(String title); @org.vendor.Query(\"from Article\") List<Article> inOrder(String title); }";

const READERS: &str = "private final Rows rows; private final org.vendor.Box box;
  public C(Rows rows, org.vendor.Box box) { this.rows = rows; this.box = box; }
  @GetMapping(\"/slugs\") public List<String> slugs(@RequestParam(\"title\") String title) {
    List<String> slugs = new ArrayList<>();
    for (Article one : rows.findByTitleOrderBySlugAsc(title)) { slugs.add(one.getSlug()); }
    return slugs;
  }
  @GetMapping(\"/hidden\") public Map<String, Integer> hidden(@RequestParam(\"owner\") int owner) {
    int hidden = 0; int all = rows.inOrder(\"a\").size();
    for (Article one : rows.inOrder(\"a\")) { if (one.isHidden()) { hidden += owner; } }
    return Map.of(\"hidden\", hidden, \"all\", all);
  }
  @GetMapping(\"/raw\") public void raw(jakarta.servlet.http.HttpServletResponse response) throws Exception {
    Map<String, Object> body = new HashMap<>(); body.put(\"a\", 1); body.put(\"b\", 2);
    final var mapper = new com.fasterxml.jackson.databind.ObjectMapper();
    mapper.writeValue(response.getOutputStream(), body);
  }
  @GetMapping(\"/box\") public Object box() { return box.find(\"a\").convert(one -> ResponseEntity.ok(one)); }
  @GetMapping(\"/made\") public Object made(@RequestParam(\"a\") String a) { return box.of(new Odd(a)); }
  @GetMapping(\"/risk\") public Object risk(@RequestParam(\"a\") String a) { Object made = box.find(a).build(); return box.of(made); }
  @GetMapping(\"/odd\") public Object odd(@RequestParam(\"a\") String a) {
    try { if (a.isEmpty()) { throw new org.vendor.Odd(a); } } catch (org.vendor.Even e) { box.add(a); }
    return box.of(a);
  }
  private static final Map<String, String> CODES = new HashMap<>();
  static { CODES.put(\"a\", \"b\"); }
  static { CODES.put(\"c\", \"d\"); Limits.most = 3; }
  static class Limits { static int most; }
  @GetMapping(\"/codes\") public Object codes(@RequestParam(\"a\") String a) { return box.of(CODES.get(box.find(a))); }
  @GetMapping(\"/equal\") public boolean equal(@RequestParam(\"a\") String a, @RequestParam(\"b\") String b) {
    return Objects.equals(box.find(a), box.find(b));
  }
  @GetMapping(\"/each\") public void each() { for (Object one : box.find(\"a\").items()) { box.put(one); } }";

/// The states and the reported changes after `was` is replaced by `is` in [`READERS`].
fn read(was: &str, is: &str) -> (Vec<String>, Vec<String>) {
    assert!(READERS.contains(was), "{was}");
    let more: Vec<(&str, &str)> = MORE.iter().copied().chain([("Rows.java", ROWS)]).collect();
    let report = report(&between(READERS, &READERS.replacen(was, is, 1), &more));
    let told = report["changes"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap().to_owned());
    (states(&report).into_iter().map(|(_, state)| state).collect(), told.collect())
}

#[test]
fn queries_by_name_are_held_against_each_other_by_what_they_ask() {
    let (states, told) = read("SlugAsc(title)", "SlugDesc(title)");
    assert_eq!(states, ["changed"], "{told:?}");
    assert!(told.iter().any(|what| what.contains("findByTitleOrderBySlugDesc")), "{told:?}");
    assert_eq!(read("findByTitleOrderBySlugAsc", "findAllByTitleOrderBySlug").0, ["same"]);
    // A declared query may return the same rows.
    assert_eq!(read("findByTitleOrderBySlugAsc", "inOrder").0, ["undecided"]);
}

#[test]
fn a_query_that_is_declared_as_one_reads_the_same_again() {
    let again = "int all = rows.inOrder(\"a\").size();\n    for (Article one : rows.inOrder(\"a\"))";
    let once = "List<Article> found = rows.inOrder(\"a\"); int all = found.size(); for (Article one : found)";
    assert_eq!(read(again, once).0, ["same"]);
    assert_eq!(read("rows.inOrder(\"a\").size()", "rows.inOrder(\"b\").size()").0, ["changed"]);
}

#[test]
fn what_the_framework_says_of_an_input_is_the_same_in_both() {
    let turned = "if (!one.isHidden()) { continue; } hidden += owner;";
    assert_eq!(read("if (one.isHidden()) { hidden += owner; }", turned).0, ["same"]);
    assert_eq!(read("hidden += owner;", "hidden += 1;").0, ["changed"]);
}

#[test]
fn what_an_object_of_a_library_is_given_to_write_is_never_the_same() {
    for (was, is) in [("body.put(\"b\", 2);", ""), ("body.put(\"a\", 1);", "body.put(\"a\", 3);")] {
        let (states, told) = read(was, is);
        assert_eq!((states.as_slice(), told.is_empty()), (&["changed".to_owned()][..], false), "{was}");
    }
    let twice = "java.io.OutputStream out = response.getOutputStream(); mapper.writeValue(out, body);";
    assert_eq!(read("mapper.writeValue(response.getOutputStream(), body);", twice).0, ["same"]);
}

#[test]
fn a_status_that_a_lambda_answers_is_told_as_one() {
    let (states, told) = read("ResponseEntity.ok(one)", "ResponseEntity.accepted().body(one)");
    assert_eq!(
        (states.as_slice(), told.as_slice()),
        (&["changed".to_owned()][..], &["answers 202 where it answered 200".to_owned()][..])
    );
}

#[test]
fn what_is_not_resolved_is_known_by_its_name() {
    // Objects of two unknown classes may behave alike, so they are neither *same* nor *changed*.
    assert_eq!(read("new Odd(a)", "new Even(a)").0, ["undecided"]);
    let (states, told) = read("box.of(new Odd(a))", "box.of(new Odd(a + 1))");
    assert_eq!(states, ["changed"], "{told:?}");
    assert!(told.iter().any(|what| what.contains("`box.of(new Odd(a))`")), "{told:?}");
}

#[test]
fn a_failure_that_one_revision_catches_is_one_of_the_other_too() {
    let caught =
        "Object made; try { made = box.find(a).build(); } catch (IllegalArgumentException e) { throw new Missing(a); }";
    let (states, told) = read("Object made = box.find(a).build();", caught);
    // The exception that leaves base is unknown, but base does not continue either.
    assert_eq!((states.as_slice(), told.as_slice()), (&["undecided".to_owned()][..], &[][..]));
}

#[test]
fn whether_a_library_s_exception_is_caught_is_the_same_in_both() {
    let (states, told) = read("    return box.of(a);\n", "    return box.of(a + 1);\n");
    assert_eq!(states, ["changed"], "{told:?}");
    assert!(!told.iter().any(|what| what.contains("box.add")), "{told:?}");
}

#[test]
fn equal_either_way_round_is_the_same() {
    assert_eq!(read("box.find(a), box.find(b)", "box.find(b), box.find(a)").0, ["same"]);
    assert_eq!(read("box.find(a), box.find(b)", "box.find(a), box.find(a)").0, ["changed"]);
}

#[test]
fn what_a_class_is_initialised_with_is_compared() {
    let all = |was: &str, is: &str, state: &str| {
        let (states, told) = read(was, is);
        assert!(!states.is_empty() && states.iter().all(|one| one == state), "{was} → {is}: {states:?} {told:?}");
    };
    let block = "CODES.put(\"a\", \"b\");";
    all(block, "CODES.put(\"b\", \"a\");", "changed");
    // A second static block counts too, and so does a field of another class that it sets.
    all("CODES.put(\"c\", \"d\");", "CODES.put(\"c\", \"e\");", "changed");
    all("Limits.most = 3;", "Limits.most = 4;", "changed");
    all(block, "String key = \"a\"; CODES.put(key, \"b\");", "same");
}

#[test]
fn what_a_lambda_is_handed_is_an_element_of_what_a_loop_goes_over() {
    let each = "for (Object one : box.find(\"a\").items()) { box.put(one); }";
    assert_eq!(read(each, "box.find(\"a\").items().forEach(one -> { box.put(one); });").0, ["same"]);
    let (states, told) = read(each, "box.find(\"a\").items().forEach(one -> { box.put(\"none\"); });");
    assert_eq!(states, ["changed"], "{told:?}");
}

/// Files of a service with SQL statements in a MyBatis XML file; `class` is the row's class, `order` the column of `order by`.
fn mapped(class: &str, order: &str) -> [(String, String); 4] {
    let xml = format!(
        "<?xml version=\"1.0\"?>\n<mapper namespace=\"a.Notes\">\n\
         <select id=\"all\" resultType=\"a.{class}\">select text from note order by {order}</select>\n\
         <select id=\"one\" resultType=\"string\">select text from note where id = #{{id}}</select>\n</mapper>\n"
    );
    let row = format!(
        "package a; public class {class} {{ private String text; public String getText() {{ return text; }} }}"
    );
    let notes = format!(
        "package a; import java.util.*; public interface Notes {{ List<{class}> all(); String one(long id); }}"
    );
    let handlers = "package a; import java.util.*; import org.springframework.web.bind.annotation.*;
      @RestController public class Texts { private final Notes notes; public Texts(Notes notes) { this.notes = notes; }
      @GetMapping(\"/notes\") public List<String> all() { return notes.all().stream().map(one -> one.getText()).toList(); }
      @GetMapping(\"/notes/{id}\") public String one(@PathVariable(\"id\") long id) { return notes.one(id); } }";
    let dir = "src/main/java/a";
    [
        ("src/main/resources/sql/Statements.xml".to_owned(), xml),
        (format!("{dir}/{class}.java"), row),
        (format!("{dir}/Notes.java"), notes),
        (format!("{dir}/Texts.java"), handlers.to_owned()),
    ]
}

/// The report of a change from the first such service to the second.
fn between_mapped(was: (&str, &str), is: (&str, &str)) -> serde_json::Value {
    let with = |repo: crate::support::Repo, files: [(String, String); 4]| {
        files.iter().fold(repo, |repo, (path, text)| repo.file(path, text))
    };
    let before = with(between("", "", &[]), mapped(was.0, was.1)).commit("Before").branch("other");
    let gone = format!("src/main/java/a/{}.java", was.0);
    let repo = with(before.remove(&gone), mapped(is.0, is.1)).commit("After");
    repo.run(["ci", "--since", "feature", "--format", "json"]).ends(0).json()
}

#[test]
fn a_statement_in_xml_that_changed_is_told_where_its_method_runs() {
    let report = between_mapped(("Note", "id"), ("Note", "text"));
    assert_eq!(states(&report), [("GET /notes".to_owned(), "changed".to_owned())]);
    assert_eq!(report["changes"][0]["what"], "the statement of `Notes#all` changed in `Statements.xml`");
    // Renaming the row's class also changes the statement, but the rows are the same.
    let report = between_mapped(("Note", "id"), ("Text", "id"));
    assert_eq!(report["changes"].as_array().unwrap().len(), 0, "{}", report["changes"]);
    assert_eq!(states(&report), [("GET /notes".to_owned(), "same".to_owned())]);
}

#[test]
fn a_statement_that_comes_with_its_method_is_compared_where_that_is_called() {
    let with_extra = |call: &str| {
        let xml = |text: &str| {
            text.replace(
                "</mapper>",
                "<select id=\"findExtra\" resultType=\"string\">select text from note</select>\n</mapper>",
            )
        };
        let repo = mapped("Note", "id").iter().fold(between("", "", &[]), |repo, (path, text)| repo.file(path, text));
        let repo = repo.commit("Before").branch("other");
        let files = mapped("Note", "id").map(|(path, text)| match path.rsplit('/').next() {
            Some("Statements.xml") => (path, xml(&text)),
            Some("Notes.java") => (path, text.replace("String one(", "String findExtra(); String one(")),
            Some("Texts.java") => (
                path,
                text.replace("return notes.one(id);", &format!("String text = notes.one(id); {call} return text;")),
            ),
            _ => (path, text),
        });
        let repo = files.iter().fold(repo, |repo, (path, text)| repo.file(path, text)).commit("After");
        repo.run(["ci", "--since", "feature", "--format", "json"]).ends(0).json()
    };
    // An additional read whose result is unused.
    let report = with_extra("notes.findExtra();");
    assert_eq!(states(&report), [("GET /notes/{id}".to_owned(), "same".to_owned())], "{}", report["compared"]);
    // The method's unknown result stops the comparison, not the new statement.
    let report = with_extra("if (id > 3) { return notes.findExtra(); }");
    let stopped = report["compared"][0]["stopped"].as_array().unwrap();
    let is_of_method = |stop: &serde_json::Value| stop["what"].as_str().unwrap().contains("findExtra");
    assert!(!stopped.is_empty() && stopped.iter().all(is_of_method), "{stopped:?}");
}

#[test]
fn what_a_difference_does_not_depend_on_is_not_said() {
    // The difference shows with any number of elements, so the number is not part of the condition.
    let (_, told) = said("titles.add(article.getTitle());", "titles.add(article.getSlug());");
    assert!(
        !told.is_empty() && !told.iter().any(|what| what.contains("holds one") || what.contains("holds two")),
        "{told:?}"
    );
    // The deciding condition is reported.
    let (_, told) = said(
        "answer.put(\"by\", account.getName());",
        "if (change.getWeight() > 3) { answer.put(\"by\", account.getName()); }",
    );
    assert!(told.iter().any(|what| what.contains("weight")), "{told:?}");
}

#[test]
fn what_a_broker_is_sent_is_compared_and_so_is_what_a_mapper_is_told() {
    let code = |id: &str, module: &str| {
        format!(
            "private final org.vendor.Broker broker; public C(org.vendor.Broker broker) {{ this.broker = broker; }}
  @PostMapping(\"/changes/{{slug}}\") public void tell(@PathVariable(\"slug\") String slug) {{
    Change change = new Change();
    {id}
    com.fasterxml.jackson.databind.ObjectMapper mapper = new com.fasterxml.jackson.databind.ObjectMapper();
    {module}
    mapper.disable(com.fasterxml.jackson.databind.SerializationFeature.WRITE_DATES_AS_TIMESTAMPS);
    broker.convertAndSend(\"changes\", change);
    broker.resolve(mapper); }}"
        )
    };
    let (id, module) = ("change.setTitle(slug);", "mapper.registerModule(new org.vendor.Times());");
    let state = |before: (&str, &str), after: (&str, &str)| {
        let report = report(&between(&code(before.0, before.1), &code(after.0, after.1), MORE));
        states(&report).remove(0).1
    };
    assert_eq!(state((id, module), ("", module)), "changed");
    assert_eq!(state((id, module), (id, "")), "changed");
    assert_eq!(state((id, module), ("String title = slug; change.setTitle(title);", module)), "same");
}

#[test]
fn an_entity_without_a_body_is_expected_to_have_none() {
    let handlers = "private final ArticleStore store; public C(ArticleStore store) { this.store = store; }
  @DeleteMapping(\"/articles/{slug}\") public ResponseEntity<?> gone(@PathVariable(\"slug\") String slug) {
    Article article = store.findBySlug(slug).orElseThrow(() -> new Missing(slug));
    store.delete(article);
    return ResponseEntity.ok().build(); }";
    let repo = between(handlers, handlers, MORE);
    repo.run(["generate", "--all"]).ends(0);
    let all = oracles(&repo, "DELETE /articles/{slug}");
    let good: Vec<&serde_json::Value> = all.iter().filter(|one| one["assertions"][0]["expected"] == 200).collect();
    assert!(!good.is_empty(), "{all:#?}");
    assert!(good.iter().all(|one| one["assertions"][1]["op"] == "empty"), "{good:#?}");
}

#[test]
fn what_a_page_is_made_of_is_part_of_the_answer() {
    let told = |was: &str, is: &str| {
        let page = |code: &str| {
            format!(
                "package a; import org.springframework.stereotype.Controller; import org.springframework.ui.Model; import org.springframework.web.bind.annotation.*;
@Controller public class Pages {{ private final ArticleStore store; public Pages(ArticleStore store) {{ this.store = store; }}
  @GetMapping(\"/pages\") public String all(Model model, @RequestParam(\"page\") int page, @RequestParam(\"size\") int size) {{ {code} return \"articles/all\"; }}
}}"
            )
        };
        let file = "src/main/java/a/Pages.java";
        let repo = between("", "", &MORE[..2]).file(file, page(was)).commit("Before").branch("other");
        let repo = repo.file(file, page(is)).commit("After");
        let report = repo.run(["ci", "--since", "feature", "--format", "json"]).ends(0).json();
        (states(&report), report["changes"].to_string())
    };
    const BOTH: &str = "model.addAttribute(\"page\", page); model.addAttribute(\"size\", size);";
    let changed = vec![("GET /pages".to_owned(), "changed".to_owned())];
    let (state, what) = told(BOTH, "model.addAttribute(\"page\", page);");
    assert_eq!(state, changed, "{what}");
    assert!(what.contains("addAttribute"), "{what}");
    let (state, what) = told(BOTH, "model.addAttribute(\"page\", size); model.addAttribute(\"size\", size);");
    assert_eq!(state, changed, "{what}");
    // A refactoring.
    let (state, what) =
        told(BOTH, "int shown = page; model.addAttribute(\"page\", shown).addAttribute(\"size\", size);");
    assert_eq!(state, [("GET /pages".to_owned(), "same".to_owned())], "{what}");
    // A `redirect:` view answers 302.
    for place in ["\"redirect:/first\"", "\"redirect:/pages/\" + size"] {
        let was = format!("if (store.findBySlug(\"a\").isEmpty()) {{ return {place}; }}");
        let (_, what) = told(&was, "if (store.findBySlug(\"a\").isEmpty()) { throw new IllegalStateException(); }");
        assert!(what.contains("answers 500 where it answered 302"), "{place}: {what}");
    }
}

#[test]
fn a_class_in_a_class_reads_the_object_around_it() {
    let told = |was: &str, is: &str| {
        let filter = |code: &str| {
            format!(
                "package a; import java.util.*; import org.vendor.*; public class ByTitle {{
  private final String title; private final List<Object> parts = new ArrayList<>(); public ByTitle(String title) {{ this.title = title; }}
  public Query<Article> query = new Query<>() {{ public Object over(Builder builder) {{ {code} return builder.and(parts.toArray()); }} }}; }}"
            )
        };
        const C: &str = "private final Finder finder; public C(Finder finder) { this.finder = finder; }
  @GetMapping(\"/found\") public List<String> found(@RequestParam(\"title\") String title) { return finder.all(new ByTitle(title).query); }";
        const FINDER: &str = "package a; import java.util.*; import org.vendor.*;
@Gateway public interface Finder { List<String> all(Query<Article> query); }";
        let more = [MORE[0], ("Finder.java", FINDER)];
        let file = "src/main/java/a/ByTitle.java";
        let repo = between(C, C, &more).file(file, filter(was)).commit("Before").branch("other");
        let repo = repo.file(file, filter(is)).commit("After");
        let report = repo.run(["ci", "--since", "feature", "--format", "json"]).ends(0).json();
        (states(&report), report["changes"].to_string())
    };
    const TITLED: &str = "if (title != null) { parts.add(builder.equal(\"title\", title)); }";
    let (state, what) = told(TITLED, "if (title == null) { parts.add(builder.equal(\"title\", title)); }");
    assert_eq!(state, [("GET /found".to_owned(), "changed".to_owned())], "{what}");
    let (state, what) =
        told(TITLED, "boolean asked = title != null; if (asked) { parts.add(builder.equal(\"title\", title)); }");
    assert_ne!(state, [("GET /found".to_owned(), "changed".to_owned())], "{what}");
}

#[test]
fn a_log_is_no_state_that_an_oracle_rests_on() {
    const TEXTS: &str = "org.slf4j.Logger log = org.slf4j.LoggerFactory.getLogger(\"a\"); private final Map<String, String> texts = new HashMap<>();
  @GetMapping(\"/texts/{key}\") public String one(@PathVariable(\"key\") String key) { log.info(\"asked\"); return texts.containsKey(key) ? \"there\" : \"none\"; }
  @PutMapping(\"/texts/{key}\") public void put(@PathVariable(\"key\") String key) { log.info(\"put\"); texts.put(key, key); }";
    let repo = between(TEXTS, TEXTS, &[]);
    repo.run(["generate", "--all", "--no-service"]).ends(0);
    let suites = std::fs::read_dir(repo.path().join(".mastor/suite")).unwrap();
    let suites = suites.map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
    let all: String = suites.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    assert!(all.contains("C.texts as the service makes it when it starts"), "{all}");
    assert!(!all.contains("C.log as the service"), "{all}");
}

#[test]
fn what_only_code_calls_may_be_renamed_with_all_that_it_stands_in_for() {
    let handlers = "private final Shelf shelf; public C(Shelf shelf) { this.shelf = shelf; }
  @GetMapping(\"/slugs/{slug}\") public Object one(@PathVariable(\"slug\") String slug) { return shelf.lookUp(slug); }";
    let shelf = "package a; public interface Shelf { Article lookUp(String slug); }";
    let kept = "package a; import org.springframework.stereotype.Service;
@Service public class KeptShelf implements Shelf { private final ArticleStore store; public KeptShelf(ArticleStore store) { this.store = store; }
  @Override public Article lookUp(String slug) { return store.findBySlug(key(slug)).orElseThrow(() -> new Missing(slug)); }
  public String key(String slug) { return slug.trim(); } }";
    let files: Vec<(&str, &str)> =
        MORE.iter().copied().chain([("Shelf.java", shelf), ("KeptShelf.java", kept)]).collect();
    let said = |from: &str, to: &str, also: (&str, &str)| -> Vec<String> {
        let text = |text: &str| text.replace(from, to).replacen(also.0, also.1, 1);
        let repo = between(handlers, handlers, &files)
            .branch("other")
            .edit("src/main/java/a/C.java", "shelf.lookUp(slug)", &text("shelf.lookUp(slug)"))
            .file("src/main/java/a/Shelf.java", text(shelf))
            .file("src/main/java/a/KeptShelf.java", text(kept))
            .commit("Renamed");
        let report = repo.run(["ci", "--since", "feature", "--format", "json"]).json();
        states(&report).into_iter().map(|(_, state)| state).collect()
    };
    assert_eq!(said("lookUp", "findOne", ("", "")), ["same"]);
    // Visibility does not matter either, but a changed body does.
    assert_eq!(said("lookUp", "findOne", ("public String key", "private String key")), ["same"]);
    assert_eq!(said("lookUp", "findOne", ("slug.trim()", "slug")), ["changed"]);
    // `@Lazy` does not change behaviour.
    let lazy = "@org.springframework.context.annotation.Lazy private final ArticleStore store";
    assert_eq!(said("lookUp", "findOne", ("private final ArticleStore store", lazy)), ["same"]);
}
