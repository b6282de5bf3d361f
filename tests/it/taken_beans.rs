//! Beans that code looks up in the container are possible receivers of its calls; other beans are not.

use mastor::types::Method;

use crate::loaded::Service;
use crate::support::Repo;

const PATH: &str = "src/main/java/a/C.java";

/// A registry that runs commands: the container creates one with `@Mark` and one without, and code creates a third one.
fn registry(run: &str) -> String {
    format!(
        "package a; import java.util.*; import org.springframework.stereotype.*; import org.springframework.context.*;\n\
         import org.springframework.beans.factory.*; import org.springframework.web.bind.annotation.*; import javax.enterprise.inject.Instance;\n\
         @interface Mark {{}} interface Command {{ String run(); }}\n\
         @Mark @Component(\"first\") class One implements Command {{ public String run() {{ return \"1\"; }} }}\n\
         class Plain implements Command {{ public String run() {{ return \"2\"; }} }}\n\
         interface Other {{ String idle(); }} @Component class Idle implements Other {{ public String idle() {{ return \"3\"; }} }}\n\
         class Holder {{ static ApplicationContext context; static <T> T take(Class<T> type) {{ return context.getBean(type); }}\n\
         static <T> T named(String name) {{ return (T) context.getBean(name); }} }}\n\
         @Service class Registry {{ private ApplicationContext context; private ObjectProvider<Command> provider; Instance<Command> instance;\n\
         private Map<String, Command> kept = new HashMap<>(); String key;\n\
         Command made() {{ return new Plain(); }} String run() {{ {run} }} }}\n\
         @RestController class C {{ private final Registry registry; C(Registry registry) {{ this.registry = registry; }}\n\
         @GetMapping(\"/a\") String a() {{ return registry.run(); }} }}\n"
    )
}

fn affected(repo: &Repo) -> Vec<String> {
    let plan = repo.json(["plan", "--since", "main", "--format", "json"]);
    let operations = plan["operations"].as_array().unwrap().iter().filter(|o| o["state"] == "affected");
    operations.map(|o| o["op_id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_bean_that_is_taken_from_the_container_flags_what_takes_it() {
    let forms = [
        "return context.getBean(Command.class).run();",
        "return ((Command) context.getBean(\"first\")).run();",
        "return ((Command) context.getBean(key)).run();",
        "return ((Command) context.getBean(\"of a factory method\")).run();",
        "Object one = context.getBean(key); return ((Command) one).run();",
        "return context.getBean(\"first\", Command.class).run();",
        "String all = \"\"; for (Command one : context.getBeansOfType(Command.class).values()) { all += one.run(); } return all;",
        "for (Object one : context.getBeansWithAnnotation(Mark.class).values()) { kept.put(\"a\", (Command) one); } return kept.get(\"a\").run();",
        "for (String name : context.getBeanNamesForAnnotation(Mark.class)) { kept.put(name, (Command) context.getBean(name)); } return kept.get(\"a\").run();",
        "return context.getBeanProvider(Command.class).getObject().run();",
        "return provider.getObject().run();",
        "return instance.select().get().run();",
        "return Holder.take(Command.class).run();",
        "Command one = Holder.named(key); return one.run();",
    ];
    for form in forms {
        let repo = Repo::new().file(PATH, registry(form)).commit("first");
        let repo = repo.edit(PATH, "return \"3\"", "return \"33\"");
        assert_eq!(affected(&repo), [""; 0], "{form}");
        let repo = repo.edit(PATH, "return \"1\"", "return \"11\"");
        assert_eq!(affected(&repo), ["GET /a"], "{form}");
    }
}

#[test]
fn a_bean_that_nothing_takes_flags_nothing() {
    let code = registry("return made().run();").replace("private Map<String, Command> kept = new HashMap<>();", "");
    let repo = Repo::new().file(PATH, code).commit("first").edit(PATH, "return \"1\"", "return \"11\"");
    assert_eq!(affected(&repo), [""; 0]);
    assert_eq!(affected(&repo.edit(PATH, "return \"2\"", "return \"22\"")), ["GET /a"]);
}

#[test]
fn a_bean_by_an_annotation_that_carries_a_stereotype_is_injected() {
    let code = "package a; import org.springframework.stereotype.*; import org.springframework.web.bind.annotation.*;\n\
                @Service @interface UseCase {} interface Greets { String greet(); }\n\
                @UseCase class Greeter implements Greets { public String greet() { return \"1\"; } }\n\
                @UseCase class Idle implements Greets { public String greet() { return \"3\"; } }\n\
                @RestController class C { private final Greets greeter; C(Greets greeter) { this.greeter = greeter; }\n\
                @GetMapping(\"/a\") String a() { return greeter.greet(); } }\n";
    let repo = Repo::new().file(PATH, code).commit("first").edit(PATH, "return \"3\"", "return \"33\"");
    assert_eq!(affected(&repo), [""; 0]);
    assert_eq!(affected(&repo.edit(PATH, "return \"1\"", "return \"11\"")), ["GET /a"]);
}

#[test]
fn what_an_annotation_that_carries_a_stereotype_injects_is_run() {
    let told = |mark: &str| {
        let pom = "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version>\
            <parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId><version>3.2.0</version></parent>\
            <dependencies><dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web</artifactId></dependency></dependencies></project>";
        let code = |name: &str, body: String| {
            let head = "package a; import org.springframework.stereotype.*; import org.springframework.web.bind.annotation.*; \
                        import org.springframework.boot.SpringApplication; import org.springframework.boot.autoconfigure.SpringBootApplication;\n";
            (format!("src/main/java/a/{name}.java"), format!("{head}{body}"))
        };
        let files = [
            ("pom.xml".to_owned(), pom.to_owned()),
            code("App", "@SpringBootApplication public class App { public static void main(String[] a) { SpringApplication.run(App.class, a); } }".to_owned()),
            code("UseCase", "@Service public @interface UseCase {}".to_owned()),
            code("Doubles", format!("{mark} public class Doubles {{ public int twice(int n) {{ if (n > 10) {{ return 0; }} return n * 2; }} }}")),
            code("C", "@RestController public class C { private final Doubles doubles; public C(Doubles doubles) { this.doubles = doubles; }\n\
                @GetMapping(\"/twice/{n}\") public int twice(@PathVariable(\"n\") int n) { return doubles.twice(n); } }".to_owned()),
        ];
        Service::of(files).derive(Method::Get, "/twice/{n}").candidates.len()
    };
    assert_eq!(told("@UseCase"), told("@Service"));
    assert!(told("@UseCase") > told(""), "what is no bean is not injected");
}

/// Methods that code finds by its own annotation and calls by reflection are reached if an object of their class exists.
#[test]
fn methods_that_code_looks_for_by_an_annotation_are_called() {
    let code = "package a; import java.lang.reflect.Method; import org.springframework.web.bind.annotation.*;
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) @interface Shown { String value(); }
@RestController class C {
  @GetMapping(\"/books/{part}\") Object book(@PathVariable String part) throws Exception { return Parts.of(new Book(), part); }
  @GetMapping(\"/none\") Object none() { return 1; } }
class Parts { static Object of(Object on, String part) throws Exception {
    for (Method method : on.getClass().getMethods()) {
      Shown shown = method.getAnnotation(Shown.class);
      if (shown != null && shown.value().equals(part)) { return method.invoke(on); } }
    return null; } }
class Book { @Shown(\"title\") public Object title() { return 1; } public Object unmarked() { return 1; } }
@org.springframework.stereotype.Component class Page { @Shown(\"number\") public Object number() { return 1; } }
";
    for (from, to, wanted) in [
        ("title() { return 1", "title() { return 2", 1),
        ("unmarked() { return 1", "unmarked() { return 2", 0),
        ("number() { return 1", "number() { return 2", 0),
    ] {
        let changed = Repo::new().file("src/main/java/a/C.java", code).commit("first");
        let changed = changed.edit("src/main/java/a/C.java", from, to);
        let plan = changed.json(["plan", "--since", "main", "--format", "json"]);
        assert_eq!(plan["counts"]["affected"], wanted, "{from}: {plan:#}");
    }
}

/// A condition on a factory method refers to a class but creates no object of it.
#[test]
fn a_condition_on_what_else_is_there_makes_nothing() {
    let code = "package a; import org.springframework.boot.autoconfigure.condition.*; import org.springframework.context.annotation.*;
import org.springframework.web.bind.annotation.*; import org.springframework.core.convert.converter.Converter;
class Order { int n; Order() { n = 1; } public void setN(int n) { this.n = n; } }
class Writer implements Converter<Order, String> { public String convert(Order order) { return \"\" + order.n; } }
class Tools { final Writer writer; Tools(Writer writer) { this.writer = writer; } int size() { return 1; } }
@Configuration class Beans { @Bean @ConditionalOnMissingBean(Writer.class) Writer writer() { return new Writer(); }
  @Bean Tools tools(Writer writer) { return new Tools(writer); } }
@RestController class C { private final Tools tools; C(Tools tools) { this.tools = tools; }
  @GetMapping(\"/size\") int size() { return tools.size(); } }
";
    let repo = Repo::new().file(PATH, code).commit("first").edit(PATH, "n = 1; }", "n = 2; }");
    let plan = repo.json(["plan", "--since", "main", "--format", "json"]);
    assert_eq!(plan["counts"]["affected"], 0, "{plan:#}");
}

/// A resource whose constructor needs an unannotated class, which containers with just-in-time bindings create.
#[test]
fn a_class_that_a_constructor_asks_for_is_made_though_nothing_marks_it() {
    const CODE: &str = "package a; import javax.ws.rs.*; import javax.inject.Inject;\n\
         @Path(\"/r\") public class C { private final Shelf shelf; @Inject public C(Shelf shelf) { this.shelf = shelf; }\n\
         @GET public String get() { return shelf.take(); } }\n\
         class Shelf { private final String prefix; @Inject Shelf(Clerk clerk) { prefix = clerk.name() + \"-\"; } String take() { return prefix; } }\n\
         class Clerk { private final String own; Clerk() { own = \"c\"; } String name() { return own; } }\n\
         class Idle { private final String own; Idle() { own = \"i\"; } }\n";
    for (from, to, wanted) in
        [("() + \"-\"", "() + \"+\"", &["GET /r"][..]), ("\"c\"", "\"d\"", &["GET /r"]), ("\"i\"", "\"j\"", &[])]
    {
        let repo = Repo::new().file(PATH, CODE).commit("first").edit(PATH, from, to);
        assert_eq!(affected(&repo), wanted, "{to}");
    }
}
