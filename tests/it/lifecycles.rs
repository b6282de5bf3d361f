//! JPA lifecycle callbacks: they run in operations that load or write the entity, and not for other entities.

use crate::support::Repo;

const PATH: &str = "src/main/java/a/C.java";

const CODE: &str = "package a; import java.util.*; import jakarta.persistence.*; import org.springframework.data.jpa.repository.*;
    import org.springframework.transaction.annotation.*; import org.springframework.web.bind.annotation.*;
    class Audit { static void log(String text) {} }
    class Watcher { @PreUpdate void watched(Object row) { Audit.log(\"watched\"); } }
    @MappedSuperclass abstract class Base { @Id public long id; @PostPersist void stored() { Audit.log(\"stored\"); } }
    @Entity @EntityListeners(Watcher.class) class Order extends Base { public String name; public String getName() { return name; }
      public void rename(String to) { name = to; } @PostLoad void loaded() { Audit.log(\"loaded\"); } }
    @Entity class Item extends Base { public String text = Texts.first(); }
    @Entity @Inheritance abstract class Party extends Base { public String title; }
    @Entity class Person extends Party { public String first = Texts.second(); }
    class Texts { static String first() { return \"1\"; } static String second() { return \"2\"; } }
    interface Orders extends JpaRepository<Order, Long> { void removeByName(String name); }
    interface Items extends JpaRepository<Item, Long> {} interface Parties extends JpaRepository<Party, Long> {}
    @RestController class C { private final Orders orders; private final Items items; private final Parties parties; @PersistenceContext EntityManager em;
      C(Orders orders, Items items, Parties parties) { this.orders = orders; this.items = items; this.parties = parties; }
      @GetMapping(\"/orders\") List<Order> read() { return orders.findAll(); }
      @GetMapping(\"/items\") List<Item> items() { return items.findAll(); }
      @GetMapping(\"/parties\") List<Party> parties() { return parties.findAll(); }
      @PostMapping(\"/orders\") Order make(@RequestBody Order order) { return Unknown.keep(order); }
      @GetMapping(\"/renamed\") @Transactional String renamed() { Order one = orders.findById(1L).get(); one.rename(\"a\"); return one.name; }
      @GetMapping(\"/assigned\") @Transactional String assigned() { Order one = orders.findById(1L).get(); one.name = \"a\"; return one.name; }
      @GetMapping(\"/saved\") Order saved() { return em.merge(orders.findById(1L).get()); }
      @GetMapping(\"/removed\") void removed() { orders.removeByName(\"a\"); } }
";

const WRITERS: [&str; 5] = ["GET /assigned", "GET /removed", "GET /renamed", "GET /saved", "POST /orders"];

fn affected(old: &str, new: &str) -> Vec<String> {
    let repo = Repo::new().file(PATH, CODE).commit("first").edit(PATH, old, new);
    let plan = repo.json(["plan", "--since", "main", "--format", "json"]);
    let operations = plan["operations"].as_array().unwrap().iter().filter(|o| o["state"] == "affected");
    operations.map(|o| o["op_id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_runs_where_something_is_written_is_reached_by_what_writes() {
    assert_eq!(affected("\"stored\"", "\"kept\""), WRITERS);
    assert_eq!(affected("\"watched\"", "\"seen\""), WRITERS);
}

#[test]
fn what_runs_after_reading_is_reached_by_what_reads() {
    let mut all: Vec<&str> = WRITERS.to_vec();
    all.push("GET /orders");
    all.sort_unstable();
    assert_eq!(affected("\"loaded\"", "\"there\""), all);
}

#[test]
fn an_entity_beside_another_one_is_made_where_it_is_read_alone() {
    assert_eq!(affected("return \"1\"", "return \"11\""), ["GET /items"]);
    assert_eq!(affected("return \"2\"", "return \"22\""), ["GET /parties"]);
}

#[test]
fn exceptions_that_handlers_name_and_classes_that_documents_name_are_made_by_nobody() {
    const PATH: &str = "src/main/java/b/C.java";
    let code = "package b; import io.swagger.v3.oas.annotations.media.Schema; import org.springframework.web.bind.annotation.*;
        class Missing extends RuntimeException { final Row row; Missing(Row row) { super(Texts.missing()); this.row = row; } }
        class Row { private String name; public void setName(String to) { name = Texts.row(to); } }
        class Shown { private String text; public void setText(String to) { text = Texts.shown(to); } public String getText() { return text; } }
        class Read { private String text; public void setText(String to) { text = Texts.read(to); } public String getText() { return text; } }
        class Texts { static String missing() { return \"1\"; } static String row(String in) { return \"2\"; } static String shown(String in) { return \"3\"; }
          static String read(String in) { return \"4\"; } }
        @RestControllerAdvice class Advice { @ExceptionHandler(Missing.class) String missing(Exception e) { return \"\"; } }
        @RestController class C { @Schema(implementation = Shown.class) @GetMapping(\"/a\") String a() { return \"a\"; }
          @PostMapping(\"/b\") String b(@RequestBody Read in) { return in.getText(); } @GetMapping(\"/c\") String c() { throw new Missing(null); } }\n";
    let affected = |old: &str, new: &str| {
        let repo = Repo::new().file(PATH, code).commit("first").edit(PATH, old, new);
        let plan = repo.json(["plan", "--since", "main", "--format", "json"]);
        let operations = plan["operations"].as_array().unwrap().iter().filter(|o| o["state"] == "affected");
        operations.map(|o| o["op_id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(affected("return \"1\"", "return \"11\""), ["GET /c"]);
    assert_eq!(affected("return \"4\"", "return \"44\""), ["POST /b"]);
    for (old, new) in [("return \"2\"", "return \"22\""), ("return \"3\"", "return \"33\"")] {
        assert_eq!(affected(old, new), [""; 0], "{old}");
    }
}

#[test]
fn a_bean_that_a_factory_makes_is_written_out_by_nobody_and_a_logger_makes_no_objects() {
    const PATH: &str = "src/main/java/b/C.java";
    let code = "package b; import org.slf4j.*; import org.springframework.context.annotation.*; import org.springframework.web.bind.annotation.*;
        class Texts { static String first() { return \"1\"; } static String second() { return \"2\"; } static String third() { return \"3\"; } }
        class Queue { public String getFirst() { return Texts.first(); } String take() { return Texts.second(); } }
        abstract class Dao { protected final Logger logger = LoggerFactory.getLogger(getClass()); String name() { return \"\"; } }
        class Sub extends Dao { static final String TEXT = Texts.third(); }
        @Configuration class Config { @Bean Queue queue() { return new Queue(); } }
        @RestController class C { private final Queue queue; C(Queue queue) { this.queue = queue; }
          @GetMapping(\"/a\") String a() { return queue.take(); } @GetMapping(\"/b\") String b() { return new Dao() {}.name(); } }\n";
    let affected = |old: &str, new: &str| {
        let repo = Repo::new().file(PATH, code).commit("first").edit(PATH, old, new);
        let plan = repo.json(["plan", "--since", "main", "--format", "json"]);
        let operations = plan["operations"].as_array().unwrap().iter().filter(|o| o["state"] == "affected");
        operations.map(|o| o["op_id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(affected("return \"1\"", "return \"11\""), [""; 0]);
    assert_eq!(affected("return \"2\"", "return \"22\""), ["GET /a"]);
    assert_eq!(affected("return \"3\"", "return \"33\""), [""; 0]);
    assert_eq!(affected("return \"\"; } }", "return \"4\"; } }"), ["GET /b"]);
}

#[test]
fn what_a_problem_carries_is_written_out() {
    const PATH: &str = "src/main/java/b/C.java";
    let code = "package b; import java.util.*; import org.springframework.http.*; import org.springframework.web.bind.annotation.*;
        class Line { public String getText() { return \"1\"; } public String other() { return \"2\"; } }
        @RestControllerAdvice class Advice { @ExceptionHandler(IllegalStateException.class) ProblemDetail wrong(Exception e) {
          ProblemDetail problem = ProblemDetail.forStatus(400); problem.setProperty(\"lines\", List.of(new Line())); return problem; } }
        @RestController class C { @GetMapping(\"/a\") String a() { throw new IllegalStateException(); } }\n";
    let affected = |old: &str, new: &str| {
        let repo = Repo::new().file(PATH, code).commit("first").edit(PATH, old, new);
        let plan = repo.json(["plan", "--since", "main", "--format", "json"]);
        plan["operations"].as_array().unwrap().iter().filter(|o| o["state"] == "affected").count()
    };
    assert_eq!((affected("\"1\"", "\"11\""), affected("\"2\"", "\"22\"")), (1, 0));
}
