//! Inputs: requests for conditions that compare texts, combine requirements on one value, or depend on path matching.

use mastor::types::Method;
use mastor::types::suite::assertion::{Check, FieldOp};
use serde_json::{Value, json};

use crate::loaded::Service;

const CONTROLLER: &str = "package a; import java.util.*; import javax.crypto.SecretKeyFactory; import javax.crypto.spec.PBEKeySpec;
import java.util.regex.Pattern; import org.springframework.http.*; import org.springframework.web.bind.annotation.*;
@RestController public class C {
  static final Pattern STRONG = Pattern.compile(\"^(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z])(?=.*[@#$%^&+=])(?=\\\\S+$).{8,}$\");
  @PostMapping(\"/accounts\") public ResponseEntity<Map<String, String>> account(@RequestBody Account account) throws Exception {
    if (!STRONG.matcher(account.getPassword()).matches()) { return ResponseEntity.badRequest().build(); }
    PBEKeySpec spec = new PBEKeySpec(account.getPassword().toCharArray(), \"pepper\".getBytes(), 1000, 128);
    byte[] key = SecretKeyFactory.getInstance(\"PBKDF2WithHmacSHA1\").generateSecret(spec).getEncoded();
    spec.clearPassword();
    return ResponseEntity.ok(Collections.singletonMap(\"key\", Base64.getEncoder().encodeToString(key)));
  }
  @GetMapping(\"/files/{name}\") public String kind(@PathVariable String name) {
    return name.endsWith(\".txt\") ? \"text\" : \"other\";
  }
  @GetMapping(\"/twice/{n}\") public String twice(@PathVariable int n) { return n + n == 56 ? \"hit\" : \"miss\"; }
  @GetMapping(\"/same\") public String same(@RequestParam String a, @RequestParam String b) {
    if (a.equals(b)) { return \"same\"; }
    return a.startsWith(b) ? \"begins\" : \"differs\";
  }
}";

const ACCOUNT: &str = "package a; @lombok.NoArgsConstructor public class Account {
  private String password;
  public Account(String password) { this.password = password; }
  public String getPassword() { return password; } public void setPassword(String password) { this.password = password; }
}";

fn service(boot: &str, more: &[(&str, &str)]) -> Service {
    let pom = format!(
        "<project><modelVersion>4.0.0</modelVersion><parent><groupId>org.springframework.boot</groupId>\
         <artifactId>spring-boot-starter-parent</artifactId><version>{boot}</version></parent><artifactId>b</artifactId></project>"
    );
    let mut files = vec![
        ("pom.xml".to_owned(), pom),
        ("src/main/java/a/C.java".to_owned(), CONTROLLER.to_owned()),
        ("src/main/java/a/Account.java".to_owned(), ACCOUNT.to_owned()),
    ];
    files.extend(more.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())));
    Service::of(files)
}

/// The requests of an operation (path, query or body) with an expected value.
fn told(service: &Service, method: Method, path: &str) -> Vec<(String, Value)> {
    let derived = service.derive(method, path);
    let one = |assertions: &[mastor::types::suite::assertion::Assertion]| {
        assertions.iter().find_map(|assertion| match &assertion.check {
            Check::Field { op: FieldOp::Equals, expected: Some(value), .. } => Some(value.clone()),
            Check::Body { expected, .. } => Some(json!(expected)),
            _ => None,
        })
    };
    let oracles = derived.candidates.iter().map(|one| &one.oracle);
    oracles
        .filter_map(|oracle| {
            let value = one(&oracle.assertions)?;
            let input = &oracle.input;
            let texts: Vec<&str> = input.path.values().map(String::as_str).collect();
            let asked = if texts.is_empty() { serde_json::to_string(input).unwrap() } else { texts.join("/") };
            Some((asked, value))
        })
        .collect()
}

#[test]
fn a_password_that_look_aheads_want_is_asked_and_digested() {
    let told = told(&service("2.7.18", &[]), Method::Post, "/accounts");
    let key = told.iter().find(|(asked, _)| asked.contains("1aA@aaaa")).map(|(_, key)| key);
    // Python's `hashlib.pbkdf2_hmac` gives the same value.
    assert_eq!(key, Some(&json!("XamocswWiKYgGB71LGgdVw==")), "{told:?}");
}

#[test]
fn a_file_with_a_suffix_is_asked_where_paths_arrive_whole() {
    let is_asked =
        |service: &Service| told(service, Method::Get, "/files/{name}").contains(&("x.txt".into(), json!("text")));
    assert!(is_asked(&service("2.7.18", &[])));
    assert!(!is_asked(&service("1.5.9.RELEASE", &[])));
    let by_hand = "package a; @org.springframework.web.servlet.config.annotation.EnableWebMvc public class Web { }";
    assert!(!is_asked(&service("2.7.18", &[("src/main/java/a/Web.java", by_hand)])));
    let set = "spring.mvc.pathmatch.use-suffix-pattern=true\n";
    assert!(!is_asked(&service("2.7.18", &[("src/main/resources/application.properties", set)])));
}

#[test]
fn a_term_meets_its_limit_and_two_texts_each_other() {
    let service = service("2.7.18", &[]);
    assert!(told(&service, Method::Get, "/twice/{n}").contains(&("28".into(), json!("hit"))));
    let same: Vec<Value> = told(&service, Method::Get, "/same").into_iter().map(|(_, value)| value).collect();
    for wanted in ["same", "begins", "differs"] {
        assert!(same.contains(&json!(wanted)), "{same:?}");
    }
}
