//! Callers: the rules engine looks up users of the auth file with the service's own code, on its initial state.

use mastor::types::Method;
use mastor::types::user::{LogsIn, User};

use crate::loaded::Service;

const POM: &str = "<project><parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId>\
    <version>2.7.18</version></parent><artifactId>shop</artifactId><dependencies>\
    <dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-security</artifactId></dependency>\
    <dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-data-jpa</artifactId></dependency>\
    <dependency><groupId>com.h2database</groupId><artifactId>h2</artifactId></dependency></dependencies></project>";

const ACCOUNT: &str = "package a; import javax.persistence.*;
@Entity public class Account {
  @Id private Long id; private String login; private String password; private String role;
  public Long getId() { return id; } public String getLogin() { return login; } public String getPassword() { return password; }
  public String getRole() { return role; }
}";

const ACCOUNTS: &str =
    "package a; import java.util.Optional; import org.springframework.data.jpa.repository.JpaRepository;
public interface Accounts extends JpaRepository<Account, Long> { Optional<Account> findByLogin(String login); }";

const DETAILS: &str = "package a; import java.util.*; import org.springframework.security.core.userdetails.*;
import org.springframework.security.core.authority.SimpleGrantedAuthority; import org.springframework.stereotype.Service;
@Service public class AccountDetails implements UserDetailsService {
  private final Accounts accounts;
  public AccountDetails(Accounts accounts) { this.accounts = accounts; }
  public UserDetails loadUserByUsername(String name) {
    Account found = accounts.findByLogin(name.trim()).orElseThrow(() -> new UsernameNotFoundException(name));
    return new User(found.getLogin(), found.getPassword(), List.of(new SimpleGrantedAuthority(\"ROLE_\" + found.getRole())));
  }
}";

const SECURITY: &str = "package a; import org.springframework.context.annotation.*;
import org.springframework.security.config.annotation.web.builders.*;
import org.springframework.security.config.annotation.method.configuration.*;
import org.springframework.security.web.SecurityFilterChain;
@Configuration @EnableGlobalMethodSecurity(prePostEnabled = true, securedEnabled = true) public class Security {
  @Bean SecurityFilterChain chain(HttpSecurity http) throws Exception {
    return http.csrf().disable().authorizeRequests().antMatchers(\"/staff/**\").hasRole(\"STAFF\")
      .antMatchers(\"/me\").authenticated().anyRequest().permitAll().and().httpBasic().and().build();
  }
}";

const CONTROLLER: &str = "package a; import java.security.Principal; import org.springframework.web.bind.annotation.*;
import org.springframework.security.access.prepost.PreAuthorize; import org.springframework.security.core.context.SecurityContextHolder;
@RestController public class C {
  private final Accounts accounts;
  public C(Accounts accounts) { this.accounts = accounts; }
  @GetMapping(\"/staff/count\") public long count() { return accounts.count(); }
  @GetMapping(\"/me\") public String me(Principal who) { return who.getName(); }
  @PreAuthorize(\"hasRole('ADMIN') or hasRole('STAFF')\") @GetMapping(\"/held\") public String held() {
    return SecurityContextHolder.getContext().getAuthentication().getName();
  }
  @GetMapping(\"/open\") public String open(Principal who) { return who == null ? \"nobody\" : who.getName(); }
}";

const DATA: &str = "insert into account (id, login, password, role) values (1, 'ada', '{noop}x', 'STAFF'), (2, 'bob', '{noop}y', 'GUEST');";

fn user(name: &str, login: &str) -> User {
    User { name: name.to_owned(), login: login.to_owned(), by: LogsIn::Basic }
}

fn service(more: &[(&str, &str)], users: &[User]) -> Service {
    let java = [
        ("Account", ACCOUNT),
        ("Accounts", ACCOUNTS),
        ("AccountDetails", DETAILS),
        ("Security", SECURITY),
        ("C", CONTROLLER),
    ];
    let mut files = vec![
        ("pom.xml".to_owned(), POM.to_owned()),
        ("src/main/resources/data.sql".to_owned(), DATA.to_owned()),
        (
            "src/main/resources/application.properties".to_owned(),
            "spring.jpa.defer-datasource-initialization=true\n".to_owned(),
        ),
    ];
    files.extend(java.iter().map(|(name, text)| (format!("src/main/java/a/{name}.java"), (*text).to_owned())));
    for (path, text) in more {
        files.retain(|(known, _)| known != path);
        files.push(((*path).to_owned(), (*text).to_owned()));
    }
    Service { users: users.to_vec(), ..Service::of(files) }
}

/// User, status and expected text of every oracle.
fn asked(service: &Service, path: &str) -> Vec<(String, u16, String)> {
    let derived = service.derive(Method::Get, path);
    let of = derived.candidates.iter().map(|one| {
        let expected = one.oracle.assertions.iter().find_map(|assertion| {
            let json = serde_json::to_value(assertion).unwrap();
            (json["op"] == "equals").then(|| json["expected"].to_string())
        });
        (one.oracle.as_user.clone(), one.oracle.statuses()[0], expected.unwrap_or_default())
    });
    of.collect()
}

fn told(all: &[(&str, u16, &str)]) -> Vec<(String, u16, String)> {
    all.iter().map(|(who, status, text)| ((*who).to_owned(), *status, (*text).to_owned())).collect()
}

#[test]
fn a_guarded_operation_is_asked_as_who_is_let_in_as_nobody_and_as_who_is_not() {
    let service = service(&[], &[user("guest", "bob"), user("staff", " ada")]);
    let mut staff = asked(&service, "/staff/count");
    staff.sort();
    assert_eq!(staff, told(&[("anonymous", 401, ""), ("guest", 403, ""), ("staff", 200, "2")]));
    let mut held = asked(&service, "/held");
    held.sort();
    assert_eq!(held, told(&[("anonymous", 401, ""), ("guest", 403, ""), ("staff", 200, "\"ada\"")]));
    // Any authenticated user is allowed: the first one is used.
    let mut me = asked(&service, "/me");
    me.sort();
    assert_eq!(me, told(&[("anonymous", 401, ""), ("guest", 200, "\"bob\"")]));
    // An unprotected operation is called anonymously only.
    assert_eq!(asked(&service, "/open"), told(&[("anonymous", 200, "\"nobody\"")]));
}

#[test]
fn who_a_user_is_stays_open_where_other_code_decides_it() {
    let users = [user("staff", "ada")];
    let only_nobody = told(&[("anonymous", 401, "")]);
    // The user is not found, so the password does not matter.
    assert_eq!(asked(&service(&[], &[user("staff", "eve")]), "/staff/count"), only_nobody);
    let provider = "package a; import org.springframework.security.authentication.AuthenticationProvider;
        public abstract class Base implements AuthenticationProvider {}";
    let own = "package a; @org.springframework.stereotype.Component public class Own extends Base {}";
    let more = [("src/main/java/a/Base.java", provider), ("src/main/java/a/Own.java", own)];
    assert_eq!(asked(&service(&more, &users), "/staff/count"), only_nobody);
    // The chain does not read these credentials.
    let security = SECURITY.replace(".and().httpBasic()", "");
    let form = service(&[("src/main/java/a/Security.java", &security)], &users);
    assert_eq!(asked(&form, "/staff/count"), told(&[("anonymous", 403, "")]));
}

#[test]
fn users_in_memory_are_known_by_the_method_that_makes_them() {
    let makes = "package a; import org.springframework.context.annotation.*; import org.springframework.security.core.userdetails.*;
        import org.springframework.security.provisioning.InMemoryUserDetailsManager;
        @Configuration public class Users { @Bean public UserDetailsService users() {
          UserDetails eve = User.withUsername(\"eve\").password(\"{noop}z\").roles(\"STAFF\", \"AUDIT\").build();
          return new InMemoryUserDetailsManager(eve, User.builder().username(\"Max\").password(\"{noop}w\").authorities(\"mail\").disabled(true).build());
        } }";
    // `AccountDetails` must not be a bean here: with two such services it would be open which one counts.
    let details = DETAILS.replace("@Service ", "");
    let both = [("src/main/java/a/Users.java", makes)];
    let users = [user("max", "max"), user("eve", "EVE")];
    assert_eq!(asked(&service(&both, &users), "/staff/count"), told(&[("anonymous", 401, "")]));
    let service = service(&[both[0], ("src/main/java/a/AccountDetails.java", &details)], &users);
    let mut staff = asked(&service, "/staff/count");
    staff.sort();
    // No oracle uses a disabled user.
    assert_eq!(staff, told(&[("anonymous", 401, ""), ("eve", 200, "2")]));
    let me = asked(&service, "/me");
    assert!(me.contains(&("eve".to_owned(), 200, "\"eve\"".to_owned())), "{me:?}");
}

const FILTER: &str = "package a; import javax.servlet.*; import javax.servlet.http.*; import java.io.IOException;
import org.springframework.stereotype.Component; import org.springframework.web.filter.OncePerRequestFilter;
@Component public class Headers extends OncePerRequestFilter {
  @Override protected void doFilterInternal(HttpServletRequest in, HttpServletResponse out, FilterChain chain)
      throws ServletException, IOException {
    BODY
    chain.doFilter(in, out);
  }
}";

#[test]
fn a_filter_has_a_say_only_where_it_looks_at_credentials() {
    let users = [user("staff", "ada")];
    let with = |body: &str| {
        let filter = FILTER.replace("BODY", body);
        let mut found = asked(&service(&[("src/main/java/a/Headers.java", &filter)], &users), "/staff/count");
        found.sort();
        found
    };
    let both = told(&[("anonymous", 401, ""), ("staff", 200, "2")]);
    assert_eq!(with("out.setHeader(\"X-Frame-Options\", \"DENY\");"), both);
    let reads = "if (in.getHeader(\"Authorization\") != null) { out.sendError(400); return; }";
    assert_eq!(with(reads), told(&[("anonymous", 401, "")]));
}
