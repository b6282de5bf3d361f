//! MongoDB documents of unknown content, and JSON mappers with mix-ins.

use mastor::types::Method;
use mastor::types::suite::assertion::{Check, FieldOp};

use crate::loaded::Service;

const POM: &str = "<project><parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId>\
    <version>2.7.18</version></parent><artifactId>shop</artifactId><dependencies><dependency>\
    <groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web</artifactId></dependency></dependencies></project>";

const TEA: &str = "package a; import org.springframework.data.mongodb.core.mapping.Document; \
    @Document(collection = \"teas\") public class Tea { private String kind; \
    public String getKind() { return kind; } public void setKind(String kind) { this.kind = kind; } }";

const TEAS: &str = "package a; import org.springframework.data.mongodb.repository.MongoRepository; import java.util.List; \
    public interface Teas extends MongoRepository<Tea, String> { List<Tea> findByKindIn(List<String> kinds); Tea findByKind(String kind); }";

const CONTROLLER: &str = "package a; import org.springframework.web.bind.annotation.*; import java.util.*; \
    @RestController public class C { private final Teas teas; public C(Teas teas) { this.teas = teas; } \
    @PostMapping(\"/teas\") public List<Tea> several(@RequestBody List<String> kinds) { return teas.findByKindIn(kinds); } \
    @GetMapping(\"/tea\") public Tea one(@RequestParam(required = false) String kind) { return teas.findByKind(kind); } \
    @GetMapping(\"/plain\") public Plain plain() { return new Plain(); } \
    @GetMapping(\"/own\") public Tea own() { Tea tea = new Tea(); tea.setKind(\"green\"); return tea; } }";

const PLAIN: &str = "package a; public class Plain { public String getName() { return \"plain\"; } }";

fn mapper(more: &str) -> String {
    format!(
        "package a; import com.fasterxml.jackson.databind.ObjectMapper; import com.fasterxml.jackson.annotation.*; import java.util.*; \
         public class Mapper extends ObjectMapper {{ public Mapper() {{ Map<Class<?>, Class<?>> all = new HashMap<>(); \
         all.put(Tea.class, TeaMixin.class); super.setMixIns(all); {more} }} }} \
         @JsonInclude(JsonInclude.Include.NON_NULL) abstract class TeaMixin {{ @JsonProperty(\"name\") private String kind; }}"
    )
}

fn service(mapper: &str) -> Service {
    let config = "package a; import org.springframework.context.annotation.*; \
        import org.springframework.http.converter.json.MappingJackson2HttpMessageConverter; \
        @Configuration public class Config { @Bean public MappingJackson2HttpMessageConverter converter() { \
        return new MappingJackson2HttpMessageConverter(new Mapper()); } }";
    let files = [("pom.xml", POM), ("src/main/java/a/Tea.java", TEA), ("src/main/java/a/Teas.java", TEAS)];
    let more = [
        ("src/main/java/a/C.java", CONTROLLER),
        ("src/main/java/a/Plain.java", PLAIN),
        ("src/main/java/a/Config.java", config),
        ("src/main/java/a/Mapper.java", mapper),
    ];
    Service::of(files.into_iter().chain(more).map(|(path, text)| (path.to_owned(), text.to_owned())))
}

/// The field assertions as path, operator and value.
fn told(service: &Service, method: Method, path: &str) -> Vec<(String, FieldOp, String)> {
    let derived = service.derive(method, path);
    let checks = derived.candidates.into_iter().flat_map(|one| one.oracle.assertions).map(|one| one.check);
    checks
        .filter_map(|check| match check {
            Check::Field { path, op, expected } => {
                Some((path, op, expected.map(|value| value.to_string()).unwrap_or_default()))
            }
            _ => None,
        })
        .collect()
}

#[test]
fn several_documents_are_an_array_whatever_is_there() {
    let service = service(&mapper(""));
    let array = (String::new(), FieldOp::Type, "\"array\"".to_owned());
    assert_eq!(told(&service, Method::Post, "/teas"), [array]);
    // `findByKind` fails if several documents match, so nothing is asserted.
    assert_eq!(told(&service, Method::Get, "/tea"), []);
}

#[test]
fn a_mapper_with_mix_ins_alone_writes_the_rest_as_ever() {
    let plain = ("name".to_owned(), FieldOp::Equals, "\"plain\"".to_owned());
    let object = (String::new(), FieldOp::Type, "\"object\"".to_owned());
    let service = service(&mapper(""));
    assert!(told(&service, Method::Get, "/plain").contains(&plain));
    assert_eq!(told(&service, Method::Get, "/own"), [object]);
    // A mapper with further configuration is not followed.
    let other = self::service(&mapper("setPropertyNamingStrategy(null);"));
    assert_eq!(told(&other, Method::Get, "/plain"), []);
}
