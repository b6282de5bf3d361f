//! Opaque values and unchanged code that cancels: a service with a database, a token and a mapper of which nothing is modelled. Each edit must be told,
//! each refactoring be the same, and neither mistake be made by taking one opaque value for another.

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

const MORE: &[(&str, &str)] = &[
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

/// What is said where this text of the handlers reads otherwise.
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
    // What another method of the mapper gives may be the same, or not.
    let (states, told) = said("mapper.map(article)", "mapper.convert(article)");
    assert_eq!((states.as_slice(), told.len()), (&["undecided".to_owned()][..], 0), "{told:?}");
    // A read behind a write is not the read before it.
    let (states, _) = said("store.save(article);", "store.save(article); article = store.findBySlug(slug).get();");
    assert_ne!(states, ["same"]);
}
