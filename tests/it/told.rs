//! Order and wording of reported changes: effects on valid requests come first, with the condition from the changed code, and changed calls are reported by
//! their arguments.

use crate::opaque::MORE;
use crate::states::{between, report};

const PAGES: &str = "package a; import java.util.*; public class Pages {
  private List<String> names; private boolean last; private long total;
  public void setNames(List<String> names) { this.names = names; } public void setLast(boolean last) { this.last = last; }
  public void setTotal(long total) { this.total = total; } public boolean isLast() { return last; } public long getTotal() { return total; }
  public List<String> getNames() { return names == null ? null : new ArrayList<>(names); } }";

const HANDLERS: &str = "private final ArticleStore store; private final org.vendor.Rows rows; private final org.vendor.Mapper mapper; private final org.vendor.Gate gate;
  public C(ArticleStore store, org.vendor.Rows rows, org.vendor.Mapper mapper, org.vendor.Gate gate) {
    this.store = store; this.rows = rows; this.mapper = mapper; this.gate = gate; }
  @GetMapping(\"/pages\") public Pages pages(@RequestParam(\"page\") int page, @RequestParam(\"size\") int size) {
    if (page < 0) { throw new Denied(); }
    if (size < 1) { throw new IllegalArgumentException(); }
    org.vendor.Slice slice = rows.all(org.vendor.Bounds.of(page, size));
    Pages all = new Pages();
    all.setNames(slice.names());
    all.setLast(slice.isLast());
    all.setTotal(slice.total());
    return all;
  }
  @PostMapping(\"/login\") public String login(@RequestParam(\"name\") String name, @RequestParam(\"secret\") String secret) {
    if (!gate.matches(name, secret)) { throw new Denied(); }
    return gate.open(new org.vendor.Key(name, secret));
  }
  @PutMapping(\"/articles/{slug}\") public Object put(@PathVariable(\"slug\") String slug, @RequestParam(\"title\") String title, @RequestParam(\"id\") int id) {
    Article article = store.findBySlug(slug).orElseThrow(() -> new Missing(slug));
    if (article.isHidden()) { throw new Denied(); }
    if (title.isBlank()) { title = \"none\"; }
    if (id == -1) { store.delete(article); } else { store.save(article); }
    article.setTitle(title);
    return mapper.map(article);
  }
  @GetMapping(\"/sums/{text}\") public int sum(@PathVariable(\"text\") String text) {
    int sum = 0;
    for (int at = 0; at < text.length(); at++) { sum = sum * 31 + gate.weight(text.charAt(at)); }
    return sum;
  }
  @GetMapping(\"/many/{least}\") public int many(@PathVariable(\"least\") int least) {
    if (gate.getSize(least) < 1000000) { throw new Denied(); }
    int sum = 0;
    for (int at = 0; at < gate.getSize(least); at++) { sum = sum * 31 + gate.getWeight(at); }
    return sum;
  }";

/// The reported changes, in order, after `was` is replaced by `is` in the handlers or in the answer's class.
fn told(was: &str, is: &str) -> Vec<String> {
    let with = |pages: &str| -> Vec<(String, String)> {
        let more = MORE.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        more.chain([("Pages.java".to_owned(), pages.to_owned())]).collect()
    };
    let all = with(PAGES);
    let files: Vec<(&str, &str)> = all.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let repo = match HANDLERS.contains(was) {
        true => between(HANDLERS, &HANDLERS.replacen(was, is, 1), &files),
        false => {
            assert!(PAGES.contains(was), "{was}");
            between(HANDLERS, HANDLERS, &files)
                .file("src/main/java/a/Pages.java", PAGES.replacen(was, is, 1))
                .commit("Changed")
        }
    };
    let report = report(&repo);
    let changes = report["changes"].as_array().unwrap().iter().flat_map(|change| {
        let also = change["also"].as_array().cloned().unwrap_or_default();
        std::iter::once(change.clone()).chain(also).collect::<Vec<_>>()
    });
    changes.map(|change| change["what"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_callers_meet_who_do_nothing_wrong_comes_first_under_the_condition_that_changed() {
    // A request that base answered successfully comes before one that both refuse.
    assert_eq!(told("page < 0", "page <= 0")[0], "answers 403 where it answered 200 (page == 0 and size >= 1)");
    // The condition comes from the changed part of the method.
    let first = told("id == -1", "id != -1").remove(0);
    assert!(first.ends_with("id == -1)") || first.ends_with("id != -1)"), "{first}");
    let first = told("if (title.isBlank()) {", "if (!title.isBlank()) {").remove(0);
    assert!(first.contains("title") && first.contains("blank") && !first.contains("findBySlug"), "{first}");
}

#[test]
fn two_calls_that_say_different_things_are_told_by_what_they_are_handed() {
    let swapped = told("gate.matches(name, secret)", "gate.matches(secret, name)");
    assert_eq!(swapped, ["calls `Gate.matches` with `secret` where it was `name`"]);
    let made = told("Key(name, secret)", "Key(name, name)");
    assert!(made[0].contains("Key(name, name)") && made[0].contains("Key(name, secret)"), "{made:?}");
    // The innermost changed call is reported, not its consequences.
    let bounds = told("of(page, size)", "of(size, page)");
    assert!(!bounds.iter().any(|what| what.contains("is null") || what.contains("`null`")), "{bounds:?}");
    assert!(bounds[0].contains("Bounds.of(size, page)") && bounds[0].contains("Bounds.of(page, size)"), "{bounds:?}");
}

#[test]
fn what_nobody_sets_has_the_value_that_it_starts_with() {
    let first = told("all.setLast(slice.isLast());", "").remove(0);
    assert!(first.starts_with("`last` is `false` where it was"), "{first}");
    let first = told("all.setTotal(slice.total());", "").remove(0);
    assert!(first.starts_with("`total` is `0` where it was"), "{first}");
    // An unset list is null, and a loaded object keeps its old values.
    let first = told("all.setNames(slice.names());", "").remove(0);
    assert!(first.starts_with("`names` is `null` where it was"), "{first}");
    let found = told("article.setTitle(title);", "");
    let old = "calls `Mapper.map` with the old `title` where it was";
    assert!(found.iter().any(|what| what.starts_with(old)), "{found:?}");
}

#[test]
fn null_stays_null_where_a_library_takes_it() {
    let told = told("names == null", "names != null");
    assert!(told.iter().any(|what| what.contains("`null` where it")), "{told:?}");
    assert!(!told.iter().any(|what| what.contains("where it was `null`") && !what.contains("throws")), "{told:?}");
}

#[test]
fn an_expression_is_told_as_what_it_computes() {
    assert_eq!(told("at < text.length()", "at <= text.length()"), ["answers 500 where it answered 200"]);
    // If the interpretation does not reach the loop's end, the changed expression is compared by itself.
    assert_eq!(
        told("at < gate.getSize(least)", "at <= gate.getSize(least)"),
        ["computes `at <= gate.getSize(least)` where it computed `at < gate.getSize(least)`, in `C#many`"]
    );
}

const MORE_HANDLERS: &str = "private final ArticleStore store; private final org.vendor.Template template; private final org.vendor.Mailer mailer;
  public C(ArticleStore store, org.vendor.Template template, org.vendor.Mailer mailer) { this.store = store; this.template = template; this.mailer = mailer; }
  @GetMapping(\"/days/{text}\") public Object day(@PathVariable(\"text\") String text) { return store.findByOwnerId(end(text)); }
  private static Long end(String text) { return days(text, 23, 59); }
  private static Long days(String text, int hour, int minute) {
    String[] parts = text.split(\"-\");
    if (parts.length != 3) { throw new Denied(); }
    return org.vendor.Days.of(parts[0], parts[1], parts[2], hour, minute); }
  @PutMapping(\"/kept/{key}\") public void keep(@PathVariable(\"key\") String key, @RequestParam(\"value\") String value) {
    Object old = template.ops().get(key);
    if (old == null) { throw new Missing(key); }
    template.ops().set(key, value); }
  @PostMapping(\"/mails\") public String mail(@RequestParam(\"to\") String to, @RequestParam(\"text\") String text) { tell(to, text); return \"sent\"; }
  private void tell(String to, String text) {
    org.vendor.Context context = new org.vendor.Context();
    context.set(\"text\", text);
    mailer.send(to, context); }";

/// The reported changes after `was` is replaced by `is` in [`MORE_HANDLERS`].
fn also_told(was: &str, is: &str) -> Vec<String> {
    assert!(MORE_HANDLERS.contains(was), "{was}");
    let report = report(&between(MORE_HANDLERS, &MORE_HANDLERS.replacen(was, is, 1), MORE));
    let changes = report["changes"].as_array().unwrap();
    changes.iter().map(|change| change["what"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn as_many_elements_are_tried_as_the_code_names() {
    // Unless the text has three parts, the method throws.
    let told = also_told("23, 59)", "23, 60)");
    assert!(told.iter().any(|what| what.contains("`60`") && what.contains("`59`")), "{told:?}");
}

#[test]
fn the_call_that_does_something_is_told_and_not_the_one_that_leads_to_it() {
    let told = also_told("template.ops().set(key, value);", "");
    assert!(told[0].starts_with("no longer calls `template.ops().set("), "{told:?}");
}

#[test]
fn what_is_made_within_a_call_whose_result_nobody_uses_is_there() {
    let told = also_told("context.set(\"text\", text);", "context.set(\"text\", to);");
    assert!(told.iter().any(|what| what.contains("Context().set(\"text\", to)")), "{told:?}");
    let told = also_told("mailer.send(to, context);", "");
    assert!(told[0].starts_with("no longer calls `mailer.send(to, "), "{told:?}");
}

#[test]
fn what_no_longer_uses_a_table_or_a_setting_is_told_and_not_the_file() {
    let handlers = "private final ArticleStore store; public C(ArticleStore store) { this.store = store; }
  @PostMapping(\"/articles\") public String add(@RequestBody Article article) { store.save(article); return \"added\"; }";
    let article = MORE.iter().find(|(name, _)| *name == "Article.java").map(|(_, text)| text).unwrap();
    let entity = article.replace("public class", "@jakarta.persistence.Entity public class");
    let files: Vec<(&str, &str)> =
        MORE.iter().map(|(name, text)| (*name, if *name == "Article.java" { entity.as_str() } else { text })).collect();
    let repo = between(handlers, handlers, &files)
        .file("src/main/resources/schema.sql", "create table article (id bigint primary key, slug varchar(10));\n")
        .commit("Tables")
        .branch("other")
        .edit("src/main/java/a/C.java", "store.save(article);", "")
        .commit("Lost");
    let report = repo.run(["ci", "--since", "feature", "--format", "json"]).json();
    let told: Vec<&str> =
        report["changes"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap()).collect();
    assert!(told[0].starts_with("no longer calls `articleStore.save("), "{told:?}");
    assert!(!told.iter().any(|what| what.contains("schema.sql")), "{told:?}");
}

#[test]
fn a_repository_that_is_handed_null_refuses_it() {
    let handlers = "private final Notes notes; public C(Notes notes) { this.notes = notes; }
  @PostMapping(\"/copies\") public String copy(@RequestParam(\"id\") long id) {
    Long key = id;
    Article found = notes.findById(key).orElseThrow(() -> new Missing(\"none\"));
    notes.save(found);
    return found.getSlug(); }";
    let notes = "package a; public interface Notes extends org.springframework.data.jpa.repository.JpaRepository<Article, Long> { }";
    let files: Vec<(&str, &str)> = MORE.iter().copied().chain([("Notes.java", notes)]).collect();
    let report = report(&between(handlers, &handlers.replacen("Long key = id;", "Long key = null;", 1), &files));
    let told: Vec<&str> =
        report["changes"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap()).collect();
    assert!(told[0].starts_with("answers 500 where it answered 200"), "{told:?}");
}

#[test]
fn what_is_held_against_itself_is_equal_and_what_is_swapped_is_told_where_it_is_taken() {
    let handlers = "private final org.vendor.Links links; private final org.vendor.Users users;
  public C(org.vendor.Links links, org.vendor.Users users) { this.links = links; this.users = users; }
  @GetMapping(\"/links\") public String link(@RequestParam(\"from\") long from, @RequestParam(\"to\") long to) {
    if (links.has(users.findById(from), users.findById(to))) { throw new Denied(); }
    return \"free\"; }
  @GetMapping(\"/ends\") public String ends(@RequestParam(\"id\") long id) {
    if (users.getStart(id).compareTo(users.getEnd(id)) < 0) { throw new Denied(); }
    return \"ended\"; }";
    let told = |was: &str, is: &str| -> Vec<String> {
        assert!(handlers.contains(was), "{was}");
        let report = report(&between(handlers, &handlers.replacen(was, is, 1), MORE));
        let changes = report["changes"].as_array().unwrap().iter();
        changes.map(|change| change["what"].as_str().unwrap().to_owned()).collect()
    };
    let swapped = told("users.findById(from), users.findById(to)", "users.findById(to), users.findById(from)");
    assert!(swapped.iter().all(|what| what.starts_with("calls `Links.has` with ")), "{swapped:?}");
    // `x.compareTo(x)` is 0, so the request is no longer refused.
    let same = told("users.getStart(id).compareTo", "users.getEnd(id).compareTo");
    assert!(same.iter().any(|what| what.starts_with("answers 200 where it answered 403")), "{same:?}");
    assert!(!same.iter().any(|what| what.starts_with("answers 403")), "{same:?}");
}

#[test]
fn of_a_call_that_is_gone_here_and_new_there_what_is_gone_comes_first() {
    let told = told("id == -1", "id != -1");
    let at = |begins: &str| told.iter().position(|what| what.starts_with(begins));
    let (gone, new) = (at("no longer calls `articleStore.save("), at("calls `articleStore.save("));
    assert!(gone < new || new.is_none(), "{told:?}");
}

#[test]
fn what_is_called_on_something_that_is_put_together_stands_in_brackets() {
    let handlers = "private final ArticleStore store; public C(ArticleStore store) { this.store = store; }
  @GetMapping(\"/x\") public String x(@RequestParam(\"slug\") String slug) {
    Article article = store.findBySlug(slug).orElseThrow(() -> new Missing(slug));
    String found = org.vendor.Texts.first((\"a\" + article.getTitle()).repeat(2));
    if ((\"a\" + article.getTitle()).equals(\"b\")) { found = \"none\"; }
    return found + article.getSlug(); }";
    let told = |was: &str, is: &str| -> Vec<String> {
        assert!(handlers.contains(was), "{was}");
        let report = report(&between(handlers, &handlers.replacen(was, is, 1), MORE));
        let changes = report["changes"].as_array().unwrap().iter();
        changes.map(|change| change["what"].as_str().unwrap().to_owned()).collect()
    };
    let first = told("repeat(2)", "repeat(3)").remove(0);
    assert!(first.contains("(\"a\" + article.title).repeat("), "{first}");
    // `"a" + title` never equals `"b"`, so the changed branch cannot run.
    assert_eq!(told("found = \"none\"", "found = \"some\""), Vec::<String>::new());
}

#[test]
fn of_calls_that_may_fail_the_first_that_is_no_constructor_is_the_cause() {
    let handlers = "private final org.vendor.Gate gate; private final org.vendor.Tokens tokens;
  public C(org.vendor.Gate gate, org.vendor.Tokens tokens) { this.gate = gate; this.tokens = tokens; }
  @PostMapping(\"/in\") public ResponseEntity<String> in(@RequestParam(\"name\") String name) {
    try {
      gate.enter(new org.vendor.Key(name));
      return ResponseEntity.ok(tokens.make(name));
    } catch (org.vendor.Refused e) { return ResponseEntity.status(401).build(); } }";
    let report = report(&between(handlers, &handlers.replacen("401", "400", 1), &[]));
    let first = report["changes"][0]["what"].as_str().unwrap();
    assert!(
        first.starts_with("answers 400 where it answered 401 (")
            && first.contains("gate.enter(")
            && first.contains(" fails"),
        "{first}"
    );
}

#[test]
fn an_exception_of_the_project_is_thrown_by_no_library() {
    let handlers = "private final ArticleStore store; private final Notes notes;
  public C(ArticleStore store, Notes notes) { this.store = store; this.notes = notes; }
  @PostMapping(\"/in/{name}\") public String in(@PathVariable(\"name\") String name) {
    try {
      CALL;
      return name;
    } catch (Denied e) { return \"denied\"; } }";
    let rows = "package a; public interface Notes extends org.springframework.data.jpa.repository.JpaRepository<Article, Long> { }";
    let told = |call: &str| -> Vec<String> {
        let handlers = handlers.replace("CALL", call);
        let files: Vec<(&str, &str)> = MORE.iter().copied().chain([("Notes.java", rows)]).collect();
        let report = report(&between(&handlers, &handlers.replacen("\"denied\"", "\"refused\"", 1), &files));
        let changes = report["changes"].as_array().unwrap().iter();
        changes.map(|change| change["what"].as_str().unwrap().to_owned()).collect()
    };
    assert!(told("org.vendor.Texts.check(name)").is_empty());
    assert!(told("notes.save(new Article())").is_empty());
    // An implementation of a project's interface may throw the project's exception.
    let first = told("store.save(new Article())").remove(0);
    assert!(first.starts_with("gives `\"refused\"` where it gave") && first.contains(" fails with Denied"), "{first}");
}

#[test]
fn the_way_on_which_most_is_lost_is_told_first() {
    let handlers = "private final org.vendor.Gate gate; private final org.vendor.Log log; private final org.vendor.Store store;
  public C(org.vendor.Gate gate, org.vendor.Log log, org.vendor.Store store) { this.gate = gate; this.log = log; this.store = store; }
  @PostMapping(\"/in\") public void in(@RequestParam(\"name\") String name) {
    if (name.length() > 3 && gate.hasKey(name)) {
      if (name.length() > 9) { log.note(name); return; }
      gate.open(name); store.save(name); gate.close(name); } }";
    let report = report(&between(handlers, &handlers.replacen("name.length() > 3", "name.length() > 30", 1), &[]));
    let first = report["changes"][0]["what"].as_str().unwrap_or_else(|| panic!("{}", report["compared"]));
    assert!(first.starts_with("no longer calls `gate.open("), "{first}");
}

#[test]
fn which_way_a_property_goes_and_what_cannot_be_null_is_known() {
    let item = |secret: &str, size: &str| {
        format!(
            "package a; import com.fasterxml.jackson.annotation.JsonProperty; import jakarta.validation.constraints.*;
public class Item {{ {secret} private String secret; {size} private int size;
  public String getSecret() {{ return secret; }} public void setSecret(String secret) {{ this.secret = secret; }}
  public int getSize() {{ return size; }} public void setSize(int size) {{ this.size = size; }} }}"
        )
    };
    let handlers = "@PostMapping(\"/x\") public Item x(@Valid @RequestBody Item item) { return item; }";
    let only_read = "@JsonProperty(access = JsonProperty.Access.WRITE_ONLY)";
    let told = |secret: &str, size: &str| -> Vec<String> {
        let repo = between(handlers, handlers, &[("Item.java", &item(only_read, "@NotNull @Min(3)"))]);
        let report = report(&repo.file("src/main/java/a/Item.java", item(secret, size)).commit("Item"));
        let changes = report["changes"].as_array().unwrap().iter();
        changes.map(|change| change["what"].as_str().unwrap().to_owned()).collect()
    };
    let written = told("", "@NotNull @Min(3)");
    assert!(written.iter().any(|what| what.contains("field secret is new")), "{written:?}");
    assert!(!written.iter().any(|what| what.contains("is read")), "{written:?}");
    assert!(!told(only_read, "@Min(3)").iter().any(|what| what.contains("the constraint")));
    let least = told(only_read, "@NotNull");
    assert_eq!(least, ["answers 200 where it answered 400 (size < 3)"]);
}

/// The first reported change after `was` is replaced by `is` in the handlers.
fn first_of(handlers: &str, was: &str, is: &str) -> String {
    assert!(handlers.contains(was), "{was}");
    let report = report(&between(handlers, &handlers.replacen(was, is, 1), MORE));
    report["changes"][0]["what"].as_str().unwrap_or_else(|| panic!("{}", report["compared"])).to_owned()
}

#[test]
fn what_base_did_for_its_callers_comes_before_what_it_refused() {
    let handlers = "private final ArticleStore store; public C(ArticleStore store) { this.store = store; }
  @DeleteMapping(\"/articles/{slug}\") public ResponseEntity<Void> delete(@PathVariable(\"slug\") String slug, @RequestParam(\"by\") String by) {
    Article article = store.findBySlug(slug).orElseThrow(() -> new Missing(slug));
    if (article.getTitle().equals(by)) { store.delete(article); return ResponseEntity.noContent().build(); }
    return ResponseEntity.notFound().build(); }";
    let first = first_of(handlers, "getTitle()", "getSlug()");
    assert!(
        first.starts_with("answers 404 where it answered 204 (") || first.starts_with("no longer calls"),
        "{first}"
    );
}

#[test]
fn what_may_fail_is_the_cause_and_no_condition_that_decides_nothing() {
    let handlers = "private final org.guard.Desk desk; private final com.tokens.Maker maker;
  public C(org.guard.Desk desk, com.tokens.Maker maker) { this.desk = desk; this.maker = maker; }
  @PostMapping(\"/in\") public ResponseEntity<String> in(@RequestParam(\"name\") String name) {
    try {
      String token = maker.make(com.tokens.Keys.of(name), name);
      desk.enter(name, token);
      return ResponseEntity.ok(token);
    } catch (org.guard.Refused e) { return ResponseEntity.status(401).build(); } }";
    let report = report(&between(handlers, &handlers.replacen("401", "400", 1), &[]));
    let first = report["changes"][0]["what"].as_str().unwrap();
    assert!(
        first.starts_with("answers 400 where it answered 401 (")
            && first.contains("desk.enter(")
            && first.contains(" fails"),
        "{first}"
    );
    // With a filter in front: a condition that successful requests also meet is not reported as the deciding one.
    let first = first_of(handlers, "401", "400");
    assert!(first.starts_with("answers 400 where it answered 401") && !first.contains("gate.lets"), "{first}");
}

#[test]
fn an_entry_of_a_map_is_named_by_its_key() {
    let handlers = "private final org.vendor.Errors errors; private final org.vendor.Writer writer;
  public C(org.vendor.Errors errors, org.vendor.Writer writer) { this.errors = errors; this.writer = writer; }
  @GetMapping(\"/errors\") public Map<String, String> errors() {
    Map<String, String> all = new HashMap<>();
    String field = errors.field(), message = errors.message();
    all.put(field, message);
    return all; }";
    let gone = first_of(handlers, "all.put(field, message);", "");
    assert!(!gone.contains("`0`") && gone.contains("errors.message()"), "{gone}");
    // Key and value are swapped.
    let swapped = first_of(handlers, "put(field, message)", "put(message, field)");
    assert!(!swapped.contains("where it was `null`") && !swapped.contains("`0`"), "{swapped}");
}

#[test]
fn what_a_request_brings_against_a_constraint_is_400_where_jax_rs_serves_it() {
    let pom = "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version><dependencies>\
        <dependency><groupId>io.quarkus</groupId><artifactId>quarkus-hibernate-validator</artifactId></dependency>\
        <dependency><groupId>io.quarkus</groupId><artifactId>quarkus-rest-jackson</artifactId></dependency></dependencies></project>";
    let resource =
        "package a; import jakarta.ws.rs.*; import jakarta.validation.Valid; @Path(\"notes\") public class Notes {
  @POST public String add(@Valid Note note) { return note.text.trim(); } }";
    let note = "package a; public class Note { @jakarta.validation.constraints.NotBlank public String text; }";
    let repo = crate::support::Repo::new()
        .file("pom.xml", pom)
        .file("src/main/java/a/Note.java", note)
        .file("src/main/java/a/Notes.java", resource)
        .commit("Before")
        .branch("feature")
        .file("src/main/java/a/Notes.java", resource.replace("@Valid ", ""))
        .commit("After");
    let report = report(&repo);
    let told: Vec<&str> =
        report["changes"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap()).collect();
    assert!(!told.is_empty() && told.iter().all(|what| !what.contains("never answers 500")), "{told:?}");
    assert!(told.iter().any(|what| what.contains("400") || what.contains("not blank")), "{told:?}");
}

#[test]
fn a_builder_of_a_record_sets_its_components() {
    let shown =
        "package a; import lombok.Builder; @Builder public record Shown(String title, int size, String note) { }";
    let handlers = "@GetMapping(\"/shown/{title}\") public Shown shown(@PathVariable(\"title\") String title) {
    return Shown.builder().title(title).size(title.length()).build(); }";
    let files = [("Shown.java", shown)];
    let told = |after: &str| -> Vec<String> {
        let report = report(&between(handlers, after, &files));
        let changes = report["changes"].as_array().unwrap().iter();
        changes.map(|change| change["what"].as_str().unwrap().to_owned()).collect()
    };
    let lost = told(&handlers.replace(".size(title.length())", ""));
    assert!(lost[0].starts_with("size "), "{lost:?}");
    // Another order of the builder's calls changes nothing.
    assert_eq!(
        told(&handlers.replace(".title(title).size(title.length())", ".size(title.length()).title(title)")),
        Vec::<String>::new()
    );
}

#[test]
fn what_code_does_otherwise_is_told_beside_what_annotations_and_files_say() {
    let handlers = "private final ArticleStore store; public C(ArticleStore store) { this.store = store; }
  @org.springframework.beans.factory.annotation.Value(\"${limit}\") private int limit;
  @org.springframework.beans.factory.annotation.Value(\"${unread}\") private String unread;
  @GetMapping(\"/one/{slug}\") public Object one(@PathVariable(\"slug\") String slug) { return store.findBySlug(slug).orElseThrow(() -> new Missing(slug)); }
  @org.springframework.cache.annotation.Cacheable(\"all\") @PostMapping(\"/two/{slug}\") public Object two(@PathVariable(\"slug\") String slug) {
    Article article = store.findBySlug(slug).orElseThrow(() -> new Missing(slug));
    store.save(article);
    return limit + article.getTitle(); }";
    let after = handlers
        .replace("@org.springframework.cache.annotation.Cacheable(\"all\") ", "")
        .replace("store.save(article);", "");
    let settings = |limit: &str, unread: &str| format!("limit={limit}\nunread={unread}\n");
    let file = "src/main/resources/application.properties";
    let repo = between(handlers, handlers, MORE).file(file, settings("1", "a")).commit("Settings").branch("other");
    let repo = repo.edit("src/main/java/a/C.java", handlers, &after).file(file, settings("2", "b")).commit("Both");
    let report = repo.run(["ci", "--since", "feature", "--format", "json"]).json();
    let all: Vec<&serde_json::Value> = report["changes"].as_array().unwrap().iter().collect();
    let of = |op: &str| -> Vec<&str> {
        all.iter().filter(|one| one["op_id"] == op).map(|one| one["what"].as_str().unwrap()).collect()
    };
    let two = of("POST /two/{slug}");
    assert!(two[0].starts_with("`@Cacheable(") && two[1].starts_with("no longer calls `articleStore.save("), "{two:?}");
    assert!(two.iter().any(|what| what.contains("`limit` is set to something else")), "{two:?}");
    assert!(!all.iter().any(|one| one["what"].as_str().unwrap().contains("`unread`")), "{all:?}");
    assert!(of("GET /one/{slug}").is_empty(), "{all:?}");
}

/// The reported changes after `was` is replaced by `is` in a JAX-RS resource or its mappers.
fn told_of_resource(code: &str, was: &str, is: &str) -> Vec<String> {
    assert!(code.contains(was), "{was}");
    let pom = "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version><dependencies>\
        <dependency><groupId>io.quarkus</groupId><artifactId>quarkus-rest-jackson</artifactId></dependency></dependencies></project>";
    let repo = crate::support::Repo::new()
        .file("pom.xml", pom)
        .file("src/main/java/a/Notes.java", code)
        .commit("Before")
        .branch("feature")
        .file("src/main/java/a/Notes.java", code.replacen(was, is, 1))
        .commit("After");
    let report = report(&repo);
    let changes = report["changes"].as_array().unwrap().iter();
    changes.map(|change| change["what"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_method_that_quarkus_asks_for_exceptions_answers_them() {
    let code = "package a; import jakarta.ws.rs.*; import jakarta.ws.rs.core.Response; import org.jboss.resteasy.reactive.server.ServerExceptionMapper;
@Path(\"notes\") public class Notes {
  @GET @Path(\"{name}\") public String one(@PathParam(\"name\") String name) {
    if (name.length() > 3) { throw new IllegalStateException(); }
    return name; } }
class Mappers { @ServerExceptionMapper(RuntimeException.class) public Response failed(RuntimeException e) { return Response.status(400).build(); } }";
    let told = told_of_resource(code, "status(400)", "status(422)");
    assert!(told[0].starts_with("answers 422 where it answered 400"), "{told:?}");
}

#[test]
fn what_jax_rs_throws_is_asked_for_by_both_names_of_its_package() {
    let code = "package a; import javax.ws.rs.*; import javax.ws.rs.core.Response; import javax.ws.rs.ext.*;
@Path(\"notes\") public class Notes {
  @GET @Path(\"{id}\") public String one(@PathParam(\"id\") long id) { return \"note \" + id; } }
@Provider class Mapper implements ExceptionMapper<Exception> {
  public Response toResponse(Exception e) {
    int code = 500;
    if (e instanceof WebApplicationException) { code = ((WebApplicationException) e).getResponse().getStatus(); }
    return Response.status(code).build(); } }";
    // A malformed number in the path still gives 404.
    let told = told_of_resource(code, "int code = 500", "int code = 501");
    assert!(!told.iter().any(|what| what.contains("no long")), "{told:?}");
    let told = told_of_resource(code, "((WebApplicationException) e).getResponse().getStatus()", "409");
    assert!(told[0].starts_with("answers 409 where it answered 404"), "{told:?}");
}

#[test]
fn a_setting_decides_nothing_where_neither_the_operation_nor_the_container_reads_what_takes_it() {
    let handlers = "private final Box box; public C(Box box) { this.box = box; }
  @GetMapping(\"/shown\") public String shown() { return box.shown(); }";
    let with = |init: &str| -> Vec<(String, String)> {
        let of_box = format!(
            "package a; import org.springframework.beans.factory.annotation.Value; @org.springframework.stereotype.Component public class Box {{
  @Value(\"${{limit}}\") private String limit; @Value(\"${{unread}}\") private String unread; private String made = \"\"; {init}
  public String shown() {{ return limit + made; }} public String other() {{ return unread; }} }}"
        );
        let file = "src/main/resources/application.properties";
        let repo = between(handlers, handlers, &[("Box.java", of_box.as_str())]);
        let repo = repo.file(file, "limit=1\nunread=a\n").commit("Settings").branch("other");
        let repo = repo.file(file, "limit=1\nunread=b\n").commit("Unread");
        crate::states::states(&repo.run(["ci", "--since", "feature", "--format", "json"]).json())
    };
    assert_eq!(with(""), Vec::new());
    let made = with("@jakarta.annotation.PostConstruct void set() { made = unread; }");
    assert!(made.iter().any(|(_, state)| state == "changed"), "{made:?}");
}

#[test]
fn an_exception_that_is_called_after_a_response_is_handed_to_its_handler() {
    let handlers = "private final org.vendor.Gate gate; public C(org.vendor.Gate gate) { this.gate = gate; }
  @DeleteMapping(\"/notes/{id}\") public void gone(@PathVariable(\"id\") Long id) {
    if (!gate.holds(id)) { throw new org.springframework.web.server.ResponseStatusException(HttpStatus.NOT_FOUND, \"none\"); }
    gate.drop(id); }
  @ExceptionHandler public ResponseEntity<Map<String, Object>> failed(org.springframework.web.server.ResponseStatusException e) {
    return ResponseEntity.status(e.getStatusCode()).body(Map.of(\"why\", e.getReason())); }";
    let report = report(&between(handlers, &handlers.replacen("NOT_FOUND", "CONFLICT", 1), MORE));
    assert_eq!(
        report["changes"][0]["what"], "answers 409 where it answered 404 (gate.holds(id) is false)",
        "{report:#}"
    );
}
