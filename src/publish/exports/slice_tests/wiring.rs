//! The wiring of a test class: annotations, mocks, the caller, and beans made by factory methods.

use std::collections::{BTreeMap, BTreeSet};

use super::kit::Kit;
use super::recorded::{BeanMethod, Helper, Recorded};
use super::request::literal;
use mastor_types::OpId;

const BOOT: &str = "org.springframework.boot.";

/// What the tests of a class share.
#[derive(Default)]
pub(super) struct ClassWiring {
    classes: BTreeSet<String>,
    beans: BTreeSet<BeanMethod>,
    properties: BTreeSet<String>,
    missing: BTreeSet<String>,
    mocks: BTreeSet<(String, String)>,
    pub(super) helpers: BTreeMap<String, Helper>,
    pub(super) caller: Option<(String, Vec<String>)>,
}

impl ClassWiring {
    /// Adds the needs of a test, its caller only if `logs_in`. Returns `false` if they conflict with earlier ones:
    /// another helper of the same name, or another caller.
    pub(super) fn take(&mut self, recorded: &Recorded, logs_in: bool) -> bool {
        let fits = |(name, helper): &(String, Helper)| self.helpers.get(name).is_none_or(|known| known == helper);
        let caller = recorded.caller.as_ref().filter(|_| logs_in);
        let is_one = self.caller.is_none() || caller.is_none() || self.caller.as_ref() == caller;
        if !recorded.helpers.iter().all(fits) || !is_one {
            return false;
        }
        self.helpers.extend(recorded.helpers.iter().cloned());
        self.classes.extend(recorded.classes.iter().cloned());
        self.beans.extend(recorded.beans.iter().cloned());
        self.properties.extend(recorded.properties.iter().cloned());
        self.missing.extend(recorded.missing.iter().cloned());
        self.mocks.extend(recorded.mocks.iter().cloned());
        self.caller = self.caller.take().or_else(|| caller.cloned());
        true
    }
}

/// The method that logs in a caller.
pub(super) fn log_in((user, authorities): &(String, Vec<String>)) -> Vec<String> {
    const SECURITY: &str = "org.springframework.security.";
    let all: Vec<String> = authorities.iter().map(|one| literal(one)).collect();
    let user = match user.is_empty() {
        true => format!("new `{SECURITY}core.userdetails|User`(\"user\", \"password\", authorities)"),
        false => user.clone(),
    };
    let list = "`java.util|List`<`org.springframework.security.core|GrantedAuthority`>";
    let token = format!("`{SECURITY}authentication|UsernamePasswordAuthenticationToken`");
    vec![
        String::new(),
        format!("  private static `{SECURITY}core|Authentication` logIn() {{"),
        format!(
            "    {list} authorities = `{SECURITY}core.authority|AuthorityUtils`.createAuthorityList({});",
            all.join(", ")
        ),
        format!("    `{SECURITY}core|Authentication` caller = new {token}({user}, \"password\", authorities);"),
        format!("    `{SECURITY}core.context|SecurityContextHolder`.getContext().setAuthentication(caller);"),
        "    return caller;".to_owned(),
        "  }".to_owned(),
    ]
}

/// The `WebMvcTest` annotation, if the project has it.
fn web_test<'a>(kit: &Kit) -> Option<(&'a str, &'a str)> {
    kit.first(&[
        "org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest",
        "org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest",
    ])
}

/// The class header with its annotations and fields.
pub(super) fn head(op_id: &OpId, name: &str, shared: &ClassWiring, kit: &Kit) -> Vec<String> {
    const TEST: &str = "org.springframework.test.context";
    let mut lines = vec![format!(
        "/** {{@code {}}}, with mocks at the edge of what stands behind it. */",
        op_id.as_str().replace("*/", "*&#47;")
    )];
    let mut classes: Vec<String> = shared.classes.iter().map(|class| format!("{class}.class")).collect();
    // Once classes are listed, nested configuration classes must be listed too.
    classes.extend((!shared.beans.is_empty()).then(|| format!("{name}.Beans.class")));
    let classes = match classes.as_slice() {
        [one] => one.clone(),
        all => format!("{{{}}}", all.join(", ")),
    };
    let missing: Vec<String> = shared.missing.iter().map(|key| literal(&format!("{key}={key}"))).collect();
    let properties: Vec<String> = shared.properties.iter().map(|class| format!("{class}.class")).collect();
    if let Some((package, web)) = web_test(kit) {
        lines.push(format!("@`{package}|{web}`"));
        let mvc = kit.first(&[
            "org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc",
            "org.springframework.boot.test.autoconfigure.web.servlet.AutoConfigureMockMvc",
        ]);
        if let Some((package, name)) = mvc {
            lines.push(format!("@`{package}|{name}`(addFilters = false)"));
        }
        lines.push(format!("@`{TEST}|ContextConfiguration`(classes = {classes})"));
        if !properties.is_empty() {
            let all = properties.join(", ");
            lines.push(format!("@`{BOOT}context.properties|EnableConfigurationProperties`({{{all}}})"));
        }
    } else {
        lines.push(format!("@`{TEST}.junit.jupiter.web|SpringJUnitWebConfig`"));
    }
    if !missing.is_empty() {
        lines.push(format!("@`{TEST}|TestPropertySource`(properties = {{{}}})", missing.join(", ")));
    }
    lines.push(format!("class {name} {{"));
    let autowired = "@`org.springframework.beans.factory.annotation|Autowired` private";
    let mvc = "`org.springframework.test.web.servlet|MockMvc` mvc;";
    if web_test(kit).is_some() {
        lines.push(format!("  {autowired} {mvc}"));
        let mock = kit.first(&[
            "org.springframework.test.context.bean.override.mockito.MockitoBean",
            "org.springframework.boot.test.mock.mockito.MockBean",
        ]);
        let mock = mock.map_or_else(|| "@Autowired".to_owned(), |(package, name)| format!("@`{package}|{name}`"));
        lines.extend(shared.mocks.iter().map(|(field, ty)| format!("  {mock} private {ty} {field};")));
    } else {
        lines.push(format!("  {autowired} `org.springframework.web.context|WebApplicationContext` context;"));
        lines.extend(shared.mocks.iter().map(|(field, ty)| format!("  {autowired} {ty} {field};")));
        lines.push(format!("  private {mvc}"));
        lines.push(String::new());
        lines.push("  @`org.junit.jupiter.api|BeforeEach`".to_owned());
        lines.push("  void setUp() {".to_owned());
        let all: Vec<&str> = shared.mocks.iter().map(|(field, _)| field.as_str()).collect();
        if !all.is_empty() {
            lines.push(format!("    reset({});", all.join(", ")));
        }
        lines.push("    mvc = webAppContextSetup(context).build();".to_owned());
        lines.push("  }".to_owned());
    }
    if shared.caller.is_some() {
        lines.push(String::new());
        lines.push("  @`org.junit.jupiter.api|AfterEach`".to_owned());
        lines.push("  void logOut() {".to_owned());
        lines.push("    `org.springframework.security.core.context|SecurityContextHolder`.clearContext();".to_owned());
        lines.push("  }".to_owned());
    }
    lines
}

/// The nested configuration class: beans by factory methods; without `WebMvcTest`, all other beans too.
pub(super) fn beans(shared: &ClassWiring, kit: &Kit) -> Vec<String> {
    const CONTEXT: &str = "org.springframework.context.annotation";
    let is_boot = web_test(kit).is_some();
    if is_boot && shared.beans.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![String::new()];
    if is_boot {
        lines.push(format!("  @`{BOOT}test.context|TestConfiguration`"));
    } else {
        let classes: Vec<String> = shared.classes.iter().map(|class| format!("{class}.class")).collect();
        lines.push(format!("  @`{CONTEXT}|Configuration`"));
        lines.push("  @`org.springframework.web.servlet.config.annotation|EnableWebMvc`".to_owned());
        lines.push(format!("  @`{CONTEXT}|Import`({{{}}})", classes.join(", ")));
    }
    lines.push("  static class Beans {".to_owned());
    let mut first = true;
    let mut bean = |ty: &str, name: &str, parameters: &str, made: &str| {
        if !std::mem::take(&mut first) {
            lines.push(String::new());
        }
        lines.push(format!("    @`{CONTEXT}|Bean`"));
        lines.push(format!("    {ty} {name}({parameters}) {{"));
        lines.push(format!("      return {made};"));
        lines.push("    }".to_owned());
    };
    for one in &shared.beans {
        bean(&one.ty, &one.name, &one.parameters, &one.made);
    }
    if !is_boot {
        for (field, ty) in &shared.mocks {
            let raw = ty.split('<').next().unwrap_or(ty);
            bean(ty, field, "", &format!("mock({raw}.class)"));
        }
    }
    lines.push("  }".to_owned());
    lines
}
