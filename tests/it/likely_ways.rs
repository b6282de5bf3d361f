//! Of several ways to one change, the way that callers take is told, with the condition that decides it.

use crate::states::{between, report, states};
use crate::support::Repo;

const NODE: &str = "package a; import jakarta.persistence.*;
@Entity public class Node { @Id @GeneratedValue private Long id; private String name; @ManyToOne private Node parent;
  public Long getId() { return id; } public String getName() { return name; } public Node getParent() { return parent; } }";
const NODES: &str = "package a; import java.util.Optional; import org.springframework.data.jpa.repository.*;
public interface Nodes extends JpaRepository<Node, Long> { boolean existsByName(String name); FOUND }";
const VIEW: &str = "package a; public class View { private Long parentId;
  public Long getParentId() { return parentId; } public void setParentId(Long id) { parentId = id; } }";
const HELD: &str = "package a; public class Held { private static final ThreadLocal<Long> ID = new ThreadLocal<>();
  public static Long get() { return ID.get(); } public static void set(Long id) { ID.set(id); } }";
const TOKENS: &str = "package a; import io.jsonwebtoken.Jwts; import org.springframework.stereotype.Component;
@Component public class Tokens {
  public static String of(String header) {
    if (header != null && header.startsWith(\"Bearer \")) { return header.substring(7); }
    return null;
  }
  public boolean isValid(String token) {
    try { Jwts.parser().setSigningKey(\"k\").parseClaimsJws(token); return true; } catch (Exception e) { return false; }
  }
  public Long id(String token) { return Long.valueOf(Jwts.parser().setSigningKey(\"k\").parseClaimsJws(token).getBody().getSubject()); } }";
const HOLDING: &str = "package a; import jakarta.servlet.http.*; import org.springframework.stereotype.Component;
@Component public class Holding implements org.springframework.web.servlet.HandlerInterceptor {
  private final Tokens tokens; public Holding(Tokens tokens) { this.tokens = tokens; }
  public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
    String token = Tokens.of(request.getHeader(\"Authorization\"));
    if (tokens.isValid(token)) { Held.set(tokens.id(token)); }
    return true;
  } }";
const WEB: &str = "package a; import org.springframework.web.servlet.config.annotation.*;
@org.springframework.context.annotation.Configuration public class Web implements WebMvcConfigurer {
  private final Holding holding; public Web(Holding holding) { this.holding = holding; }
  public void addInterceptors(InterceptorRegistry registry) { registry.addInterceptor(holding); } }";
const JOIN: &str = "package a; public class Join { private String mail; private String word;
  public String getMail() { return mail; } public void setMail(String mail) { this.mail = mail; }
  public String getWord() { return word; } public void setWord(String word) { this.word = word; } }";

const HANDLERS: &str = "private final Nodes nodes; private final org.vendor.Texts texts;
  public C(Nodes nodes, org.vendor.Texts texts) { this.nodes = nodes; this.texts = texts; }
  @GetMapping(\"/roots\") public Map<String, Object> roots() {
    List<View> found = nodes.findAll().stream().map(C::view).filter(one -> one.getParentId() == null)
      .collect(java.util.stream.Collectors.toList());
    return Map.of(\"data\", found);
  }
  private static View view(Node node) {
    View view = new View();
    view.setParentId(node.getParent() == null ? null : node.getParent().getId());
    return view;
  }
  @GetMapping(\"/members/{id}\") public Long member(@PathVariable(\"id\") Long id) {
    Long held = Held.get();
    if (held == null || !held.equals(id)) { throw new Denied(); }
    return held;
  }
  @GetMapping(\"/pages\") public Object page(@RequestParam(\"page\") int page) {
    int at = page >= 1 ? page - 1 : 0;
    return nodes.findAll(org.springframework.data.domain.PageRequest.of(at, 10));
  }
  @GetMapping(\"/nodes/{id}\") public Long node(@PathVariable(\"id\") Long id) {
    return nodes.findById(id).orElseThrow(Missing::new).getId();
  }
  @PostMapping(\"/joined\") public Long join(@RequestBody Join join) {
    if (join.getMail() == null || !join.getMail().matches(\"^[A-Za-z0-9+_.-]+@(.+)$\")) { throw new IllegalArgumentException(); }
    if (join.getWord() == null || join.getWord().length() < 6) { throw new IllegalArgumentException(); }
    if (nodes.existsByName(join.getMail())) { throw new IllegalArgumentException(); }
    return nodes.findById(1L).orElseThrow(IllegalStateException::new).getId();
  }
  @ExceptionHandler @ResponseStatus(HttpStatus.BAD_REQUEST) void wrong(IllegalArgumentException e) { }
  @ResponseStatus(HttpStatus.FORBIDDEN) static class Denied extends RuntimeException { }
  @ResponseStatus(HttpStatus.NOT_FOUND) static class Missing extends RuntimeException { }";

fn service(found: &str, before: &str, after: &str) -> Repo {
    let nodes = NODES.replace("FOUND", found);
    let files = [
        ("Node.java", NODE),
        ("Nodes.java", nodes.as_str()),
        ("View.java", VIEW),
        ("Held.java", HELD),
        ("Tokens.java", TOKENS),
        ("Holding.java", HOLDING),
        ("Web.java", WEB),
        ("Join.java", JOIN),
    ];
    between(before, after, &files)
}

/// The first sentence after `was` is replaced by `is` in the handlers; `found` is declared by the repository.
fn first_of(was: &str, is: &str, found: &str) -> String {
    assert!(HANDLERS.contains(was), "{was}");
    first(&service(found, HANDLERS, &HANDLERS.replacen(was, is, 1)))
}

fn first(repo: &Repo) -> String {
    report(repo)["changes"][0]["what"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn where_a_change_goes_both_ways_what_decides_is_told() {
    let told = first_of("one.getParentId() == null", "one.getParentId() != null", "");
    assert_eq!(
        told,
        "`data.number of elements` is `1` where it was `0` (nodes.findAll() holds one and nodes.findAll()[0].parent is not null)"
    );
}

#[test]
fn a_way_without_a_null_comes_before_one_with_it() {
    let told = first_of("throw new Denied()", "throw new IllegalStateException()", "");
    assert_eq!(told, "answers 500 where it answered 403 (new ThreadLocal().get() is not id)");
}

#[test]
fn a_library_call_that_takes_nothing_but_null_hardly_goes_well() {
    let repo = service("", HANDLERS, HANDLERS)
        .file("src/main/java/a/Holding.java", HOLDING.replace("Held.set(tokens.id(token));", "tokens.id(token);"));
    let told = first(&repo.commit("Not held"));
    assert!(told.contains("starts with \"Bearer \"") && !told.contains("is null"), "{told}");
}

#[test]
fn a_query_of_its_own_takes_null_where_the_librarys_method_refuses_it() {
    let query = "@Query(\"select n from Node n where n.id = :id\") Optional<Node> findById(Long id);";
    let edit = |found: &str| first_of("findById(id)", "findById(null)", found);
    assert_eq!(edit(""), "answers 500 where it answered 200 (nodes.findById(id) finds a node)");
    assert_eq!(edit(query), "calls `Nodes.findById` with `null` where it was `id`");
}

#[test]
fn what_a_path_leaves_no_choice_of_is_computed() {
    let after = HANDLERS.replacen("page >= 1", "page >= 2", 1);
    let repo = service("", HANDLERS, &after);
    assert_eq!(states(&report(&repo)), [("GET /pages".to_owned(), "same".to_owned())]);
    let told = first_of("page >= 1", "page >= 3", "");
    assert!(told.contains("page < 3"), "{told}");
}

#[test]
fn texts_that_match_a_pattern_are_found_and_come_before_a_failure_for_want_of_rows() {
    let told = first_of("length() < 6", "length() <= 6", "");
    assert!(told.starts_with("answers 400 where it answered 200 (length of word == 6"), "{told}");
}
