//! Configured behaviour: properties read by `Environment` and by `@ConfigurationProperties`, HATEOAS links, and messages.

use mastor::types::Method;
use serde_json::{Value, json};

use crate::loaded::Service;
use crate::stores::answers;

const POM: &str = "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version>
    <parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId><version>3.2.0</version></parent>\
    <dependencies><dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-STARTER</artifactId></dependency></dependencies></project>";

fn service(starter: &str, files: &[(&str, &str)]) -> Service {
    let dir = "src/main/java/a";
    let mut all = vec![("pom.xml".to_owned(), POM.replace("STARTER", starter))];
    for (name, text) in files {
        let path = if name.contains('.') { format!("src/main/resources/{name}") } else { format!("{dir}/{name}.java") };
        all.push((path, (*text).to_owned()));
    }
    Service::of(all)
}

/// The exact value of a field in the answer with 200.
fn field(service: &Service, path: &str, wanted: &str) -> Option<Value> {
    let told = answers(&service.derive(Method::Get, path));
    let (.., fields) = told.into_iter().find(|(_, status, _)| *status == 200)?;
    fields.into_iter().find(|(path, _)| path == wanted).map(|(_, value)| value)
}

#[test]
fn properties_are_read_by_the_environment_and_by_what_they_fill() {
    let settings = "shop.name=Ada's\nshop.most-items=7\nshop.open=true\nlimit=12";
    let shop = "package a; import org.springframework.boot.context.properties.ConfigurationProperties; import org.springframework.stereotype.Component;
        @Component @ConfigurationProperties(prefix = \"shop\") public class Shop { private String name = \"none\"; private int mostItems = 3; private int few = 2; private java.util.List<String> kinds;
          public String getName() { return name; } public void setName(String n) { name = n; } public int getMostItems() { return mostItems; } public void setMostItems(int m) { mostItems = m; }
          public int getFew() { return few; } public void setFew(int f) { few = f; } public java.util.List<String> getKinds() { return kinds; } public void setKinds(java.util.List<String> k) { kinds = k; } }";
    let controller = "package a; import java.util.*; import org.springframework.core.env.Environment; import org.springframework.web.bind.annotation.*;
        @RestController public class Shops { private final Shop shop; private final Environment env;
          public Shops(Shop shop, Environment env) { this.shop = shop; this.env = env; }
          @GetMapping(\"/shop\") public List<Object> shop() { return List.of(shop.getName(), shop.getMostItems(), shop.getFew()); }
          @GetMapping(\"/env\") public List<Object> env() {
            int limit = Integer.parseInt(env.getProperty(\"limit\")); return List.of(limit + 1, env.getProperty(\"shop.most-items\", Integer.class), env.getProperty(\"page\", \"9\"), env.containsProperty(\"limit\")); }
          @GetMapping(\"/unset\") public String unset() { return env.getProperty(\"unset\") == null ? \"none\" : \"some\"; }
          @GetMapping(\"/kinds\") public boolean kinds() { return shop.getKinds() == null; } }";
    let service = service("web", &[("application.properties", settings), ("Shop", shop), ("Shops", controller)]);
    assert_eq!(field(&service, "/shop", ""), Some(json!(["Ada's", 7, 2])));
    assert_eq!(field(&service, "/env", ""), Some(json!([13, 7, "9", true])));
    // A property that no file sets may be set when the service is started.
    assert_eq!(field(&service, "/unset", ""), None);
    assert_eq!(field(&service, "/kinds", ""), None);
}

const ITEM: &str = "package a; import org.springframework.hateoas.RepresentationModel;
    public class Item extends RepresentationModel<Item> { private final int id; private String name = \"x\";
      public Item(int id) { this.id = id; } public int getId() { return id; } public String getName() { return name; } }";

const ITEMS: &str = "package a; import java.util.*; import org.springframework.hateoas.*; import org.springframework.web.bind.annotation.*;
    import static org.springframework.hateoas.server.mvc.WebMvcLinkBuilder.*;
    @RestController @RequestMapping(\"/items\") public class Items {
      @GetMapping(\"/{id}\") public Item one(@PathVariable int id) {
        Item item = new Item(id); item.add(linkTo(methodOn(Items.class).one(id)).withSelfRel()); item.add(linkTo(Items.class).slash(\"all\").withRel(\"all items\")); return item; }
      @GetMapping(\"/bare\") public Item bare() { return new Item(4); }
      @GetMapping(\"/list\") public List<Item> list() { Item item = new Item(4); item.add(Link.of(\"/a\", \"a\")); return List.of(item); }
      @GetMapping(\"/around\") public EntityModel<Map<String, Integer>> around() { return EntityModel.of(Map.of(\"n\", 5), linkTo(getClass()).withSelfRel()); }
      @GetMapping(\"/several\") public CollectionModel<Item> several() { return CollectionModel.of(List.of(new Item(1)), Link.of(\"/items\")); } }";

#[test]
fn objects_with_links_are_told_with_the_relations_of_their_links() {
    let keys = |service: &Service, path: &str| {
        let derived = service.derive(Method::Get, path);
        let well = derived.candidates.iter().find(|one| one.oracle.statuses()[0] == 200);
        let well = well.unwrap_or_else(|| panic!("{path}: {:?}", derived.notes));
        serde_json::to_string(&well.oracle.assertions).unwrap()
    };
    let hal = service("hateoas", &[("Item", ITEM), ("Items", ITEMS)]);
    let one = keys(&hal, "/items/{id}");
    assert!(one.contains("[\"_links\",\"id\",\"name\"]") && one.contains("[\"all items\",\"self\"]"), "{one}");
    let bare = keys(&hal, "/items/bare");
    assert!(bare.contains("[\"id\",\"name\"]"), "{bare}");
    // A list of such objects is written by the plain mapper.
    let list = keys(&hal, "/items/list");
    assert!(list.contains("[\"id\",\"links\",\"name\"]") && !list.contains("_links"), "{list}");
    let around = keys(&hal, "/items/around");
    assert!(around.contains("[\"_links\",\"n\"]"), "{around}");
    let several = keys(&hal, "/items/several");
    assert!(several.contains("[\"_embedded\",\"_links\"]"), "{several}");
    // Without the starter, or with an annotation that selects the format, the format is unknown.
    let config = "package a; import org.springframework.hateoas.config.*; import org.springframework.context.annotation.Configuration;
        @Configuration @EnableHypermediaSupport(type = EnableHypermediaSupport.HypermediaType.COLLECTION_JSON) public class Config { }";
    for (starter, more) in [("web", None), ("hateoas", Some(("Config", config)))] {
        let mut files = vec![("Item", ITEM), ("Items", ITEMS)];
        files.extend(more);
        let told = keys(&service(starter, &files), "/items/{id}");
        assert!(!told.contains("_links") && told.contains("200"), "{told}");
    }
}

#[test]
fn messages_of_the_server_s_language_are_there_where_a_file_or_the_code_has_one() {
    let controller = "package a; import java.util.*; import org.springframework.context.MessageSource; import org.springframework.validation.*; import org.springframework.http.*;
        import org.springframework.web.bind.annotation.*; import jakarta.validation.Valid;
        @RestController public class Texts { private final MessageSource messages; public Texts(MessageSource messages) { this.messages = messages; }
          public record Note(@jakarta.validation.constraints.Size(max = 3) String text) { }
          @GetMapping(\"/known\") public ResponseEntity<Map<String, String>> known() { return ResponseEntity.status(404).body(Map.of(\"text\", messages.getMessage(\"missing\", null, Locale.getDefault()))); }
          @GetMapping(\"/given\") public ResponseEntity<Map<String, String>> given() { return ResponseEntity.status(409).body(Map.of(\"text\", messages.getMessage(\"other\", null, \"none\", Locale.getDefault()))); }
          @GetMapping(\"/none\") public ResponseEntity<Map<String, String>> none() { return ResponseEntity.status(410).body(Map.of(\"text\", messages.getMessage(\"other\", null, Locale.getDefault()))); }
          @PostMapping(\"/notes\") public Note make(@Valid @RequestBody Note note) { return note; }
          @ExceptionHandler(org.springframework.web.bind.MethodArgumentNotValidException.class) public ResponseEntity<Map<String, String>> bad(org.springframework.web.bind.MethodArgumentNotValidException e) {
            FieldError error = e.getBindingResult().getFieldErrors().get(0);
            return ResponseEntity.status(422).body(Map.of(\"of\", e.getBindingResult().getObjectName(), \"code\", error.getCodes()[0], \"text\", messages.getMessage(error, Locale.getDefault()))); } }";
    let starter = "validation</artifactId></dependency><dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web";
    let service = service(starter, &[("messages.properties", "missing = Not there\n"), ("Texts", controller)]);
    let told = |method: Method, path: &str| answers(&service.derive(method, path));
    assert_eq!(told(Method::Get, "/known")[0].1, 404);
    assert_eq!(told(Method::Get, "/given")[0].1, 409);
    assert!(told(Method::Get, "/none").is_empty());
    let bad = told(Method::Post, "/notes").into_iter().find(|(_, status, _)| *status == 422).unwrap().2;
    assert!(
        bad.contains(&("of".to_owned(), json!("note"))) && bad.contains(&("code".to_owned(), json!("Size.note.text"))),
        "{bad:?}"
    );
}
