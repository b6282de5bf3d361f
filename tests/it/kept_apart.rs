//! Values that must not be taken for each other, so that a change of one into the other is told; and rewritings that
//! change nothing.

use crate::states::{between, report};
use crate::support::Repo;

/// The states and changes after `was` is replaced by `is` in one of these files; the handlers stay.
fn compared(handlers: &str, files: &[(&str, &str)], was: &str, is: &str) -> (Vec<String>, Vec<String>) {
    let (name, text) = *files.iter().find(|(_, text)| text.contains(was)).expect("one of the files has the text");
    let dir = if name.ends_with(".java") { "src/main/java/a" } else { "src/main/resources" };
    let java: Vec<(&str, &str)> = files.iter().copied().filter(|(name, _)| name.ends_with(".java")).collect();
    let others = files.iter().filter(|(name, _)| !name.ends_with(".java"));
    let repo: Repo = others.fold(between(handlers, handlers, &java), |repo, (name, text)| {
        repo.file(&format!("src/main/resources/{name}"), text)
    });
    let repo = repo.commit("All");
    repo.git(["branch", "-f", "main"]);
    let report = report(&repo.file(&format!("{dir}/{name}"), text.replacen(was, is, 1)).commit("Changed"));
    let of = |list: &str, part: &str| {
        let all = report[list].as_array().unwrap().iter();
        all.map(|one| one[part].as_str().unwrap().to_owned()).collect::<Vec<String>>()
    };
    (of("compared", "state"), of("changes", "what"))
}

#[test]
fn an_object_of_a_generated_class_is_not_what_its_abstract_class_says() {
    let request = "package a; import java.util.*; public abstract class Request { public List<String> names() { return new ArrayList<>(); } }";
    let keeper = "package a; import org.springframework.stereotype.Component; @Component public class Keeper { private final org.vendor.Rows rows;
  public Keeper(org.vendor.Rows rows) { this.rows = rows; }
  public String keep(Request request) { request.names().forEach(name -> rows.put(name)); return \"kept\"; } }";
    let handlers = "private final Keeper keeper; public C(Keeper keeper) { this.keeper = keeper; }
  @PostMapping(\"/rows\") public String add(@RequestParam(\"first\") String first, @RequestParam(\"last\") String last) {
    Request request = a.generated.ImmutableRequest.builder().names(Names.of(first, last)).build(); return keeper.keep(request); }";
    let names = "package a; import java.util.*; class Names { static List<String> of(String first, String last) { return List.of(first); } }";
    let files = [("Request.java", request), ("Keeper.java", keeper), ("Names.java", names)];
    let (states, told) = compared(handlers, &files, "List.of(first)", "List.of(last)");
    assert_eq!(states, ["changed"], "{told:#?}");
    assert!(told[0].contains("`last`") && told[0].contains("`first`"), "{told:#?}");
}

#[test]
fn two_texts_that_a_constructor_takes_are_two_values() {
    let model = "package a; public class Model extends org.vendor.Linked { private final String name; private final String code;
  public Model(String name, String code) { this.name = name; this.code = code; }
  public Model linked(org.vendor.Rows rows) { rows.put(name); return this; } }";
    let handlers = "private final org.vendor.Rows rows; public C(org.vendor.Rows rows) { this.rows = rows; }
  @GetMapping(\"/models\") public Model one(@RequestParam(\"name\") String name, @RequestParam(\"code\") String code) { return new Model(name, code).linked(rows); }";
    let (states, told) = compared(handlers, &[("Model.java", model)], "rows.put(name)", "rows.put(code)");
    assert_eq!(states, ["changed"]);
    assert!(told[0].contains("code") && told[0].contains("name"), "{told:#?}");
}

#[test]
fn what_a_constructor_throws_for_counts_where_the_service_starts_in_one_revision() {
    let tokens = "package a; import org.springframework.beans.factory.annotation.Value; import org.springframework.stereotype.Component;
@Component public class Tokens { private final String secret; private final org.vendor.Signer signer;
  public Tokens(@Value(\"${token.secret}\") String secret, org.vendor.Signer signer) {
    if (secret == null || secret.length() < 8) { throw new IllegalStateException(\"short\"); }
    this.secret = secret; this.signer = signer; }
  public String sign(String name) { return signer.sign(secret, name); } }";
    let handlers = "private final Tokens tokens; public C(Tokens tokens) { this.tokens = tokens; }
  @PostMapping(\"/tokens\") public String sign(@RequestParam(\"name\") String name) { return tokens.sign(name); }";
    let files = [("Tokens.java", tokens)];
    let (states, told) = compared(handlers, &files, "length() < 8", "length() < 16");
    assert_eq!(states, ["changed"]);
    assert!(told[0].contains("signer.sign(") && told[0].contains(">= 8") && told[0].contains("< 16"), "{told:#?}");
    // Nothing is told under conditions with which neither revision starts.
    let (_, told) = compared(handlers, &files, "signer.sign(secret, name)", "signer.sign(secret, \"\")");
    assert_eq!(told.len(), 1, "{told:#?}");
    assert!(told[0].starts_with("gives `signer.sign(") && told[0].ends_with(", name)`"), "{told:#?}");
}

#[test]
fn two_settings_with_one_default_are_two_values() {
    let config = "package a; import org.springframework.beans.factory.annotation.Value; import org.springframework.stereotype.Component;
@Component public class Config { @Value(\"${store.key:admin}\") private String key; @Value(\"${store.secret:admin}\") private String secret;
  public Object open(org.vendor.Rows rows) { return rows.open(key, secret); } }";
    let handlers = "private final Config config; private final org.vendor.Rows rows; public C(Config config, org.vendor.Rows rows) { this.config = config; this.rows = rows; }
  @GetMapping(\"/open\") public Object open() { return config.open(rows); }";
    let settings = "store:\n  key: ${STORE_KEY:admin}\n  secret: ${STORE_SECRET:admin}\n";
    for files in [vec![("Config.java", config)], vec![("Config.java", config), ("application.yml", settings)]] {
        let (states, told) = compared(handlers, &files, "open(key, secret)", "open(secret, key)");
        assert_eq!(states, ["changed"], "{told:#?}");
    }
}

#[test]
fn a_link_is_the_call_that_it_names() {
    let handlers = "@GetMapping(\"/items/{id}\") public org.springframework.hateoas.EntityModel<Item> one(@PathVariable(\"id\") long id, @RequestParam(\"page\") int page) {
    return org.springframework.hateoas.EntityModel.of(new Item(id), Links.to(id, page)); }";
    let item = "package a; public record Item(long id) { }";
    let links = "package a; import org.springframework.hateoas.Link; import static org.springframework.hateoas.server.mvc.WebMvcLinkBuilder.*;
class Links { static Link to(long id, int page) { return linkTo(methodOn(C.class).one(id, page)).withSelfRel(); } }";
    let files = [("Item.java", item), ("Links.java", links)];
    let (states, told) = compared(handlers, &files, "one(id, page)", "one(id, 0)");
    assert_ne!(states, ["same"], "{told:#?}");
    let (states, told) =
        compared(handlers, &files, "Link to(long id, int page) {", "Link to(long id, int page) { /* as before */");
    assert!(states.iter().all(|state| state == "same"), "{told:#?}");
}

#[test]
fn a_constraint_counts_for_those_who_take_the_class_above() {
    let pay = "package a; import com.fasterxml.jackson.annotation.*; @JsonTypeInfo(use = JsonTypeInfo.Id.NAME) @JsonSubTypes(@JsonSubTypes.Type(Card.class)) public interface Pay { String holder(); }";
    let card =
        "package a; public record Card(@jakarta.validation.constraints.NotBlank String holder) implements Pay { }";
    let handlers = "private final org.vendor.Rows rows; public C(org.vendor.Rows rows) { this.rows = rows; }
  @PostMapping(\"/pay\") public Object pay(@Valid @RequestBody Pay pay) { return rows.put(pay.holder()); }";
    let files = [("Pay.java", pay), ("Card.java", card)];
    let (states, told) = compared(handlers, &files, "@jakarta.validation.constraints.NotBlank ", "");
    assert_eq!(states, ["changed"], "{told:#?}");
}

#[test]
fn constants_of_an_enum_hold_what_lombok_takes() {
    let code = "package a; import lombok.*; import lombok.experimental.FieldDefaults;
@Getter @RequiredArgsConstructor @FieldDefaults(level = AccessLevel.PRIVATE, makeFinal = true) public enum Code { GONE(404, \"gone\"), BAD(400, \"bad\"); int status; String text; }";
    let handlers = "@GetMapping(\"/codes\") public ResponseEntity<String> code(@RequestParam(\"bad\") boolean bad) {
    Code code = bad ? Code.BAD : Code.GONE; return ResponseEntity.status(code.getStatus()).body(code.getText()); }";
    let (_, told) = compared(handlers, &[("Code.java", code)], "BAD(400", "BAD(422");
    assert_eq!(told.len(), 1, "{told:#?}");
    assert!(told[0].starts_with("answers 422 where it answered 400"), "{told:#?}");
}

#[test]
fn a_variable_of_a_lambda_and_a_constant_of_a_log_line_change_nothing() {
    let lister = "package a; import org.slf4j.*; import org.springframework.stereotype.Component; import reactor.core.publisher.Flux;
@Component public class Lister { private static final Logger log = LoggerFactory.getLogger(Lister.class); private final Port port;
  public Lister(Port port) { this.port = port; }
  public Flux<Item> list(String tenant) {
    log.info(\"tenant \" + tenant + \" lists\");
    return Flux.defer(() -> { return port.all(tenant).doOnError(error -> log.error(\"bad\")); }); } }";
    let port =
        "package a; import reactor.core.publisher.Flux; public interface Port { Flux<Item> all(String tenant); }";
    let item = "package a; public class Item { private String name; public String getName() { return name; } }";
    let handlers = "private final Lister lister; public C(Lister lister) { this.lister = lister; }
  @GetMapping(\"/items\") public reactor.core.publisher.Flux<Item> items(@RequestParam(\"tenant\") String tenant) { return lister.list(tenant).filter(one -> one.getName() != null); }";
    let files = [("Lister.java", lister), ("Port.java", port), ("Item.java", item)];
    for (was, is) in [
        (
            "return port.all(tenant).doOnError(error -> log.error(\"bad\"));",
            "var all = port.all(tenant).doOnError(error -> log.error(\"bad\")); return all;",
        ),
        (
            "public Flux<Item> list(String tenant) {\n    log.info(\"tenant \" +",
            "private static final String TENANT = \"tenant \";\n  public Flux<Item> list(String tenant) {\n    log.info(TENANT +",
        ),
    ] {
        let (states, told) = compared(handlers, &files, was, is);
        assert!(states.iter().all(|state| state == "same"), "{is}: {states:?} {told:#?}");
    }
    let (states, _) = compared(handlers, &files, "port.all(tenant)", "port.all(\"\")");
    assert_eq!(states, ["changed"]);
}
