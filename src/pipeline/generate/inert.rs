//! Code that a bundle leaves out because it decides no answer: documentation annotations, CORS, and empty class declarations.

use mastor_java::ir::facts::{MemberFacts, TypeFacts, TypeKind};

/// Packages whose annotations document an operation.
const DOCUMENTATION: &[&str] = &["io.swagger.", "org.eclipse.microprofile.openapi.", "springfox."];

/// Simple names of the annotations of these packages.
const ANNOTATIONS: &[&str] = &[
    "Api",
    "ApiImplicitParam",
    "ApiImplicitParams",
    "ApiModel",
    "ApiModelProperty",
    "ApiOperation",
    "ApiParam",
    "ApiResponse",
    "ApiResponses",
    "APIResponse",
    "APIResponses",
    "Hidden",
    "OpenAPIDefinition",
    "Operation",
    "Parameter",
    "Parameters",
    "Schema",
    "SecurityRequirement",
    "SecurityScheme",
    "Tag",
    "Tags",
];

/// Return types, and below names, of methods that configure only CORS or documentation.
const RETURNED: &[&str] = &[
    "CorsConfigurationSource",
    "CorsFilter",
    "CorsWebFilter",
    "Docket",
    "GroupedOpenApi",
    "OpenAPI",
    "OpenApiCustomizer",
];
const CALLED: &[&str] = &["addCorsMappings"];

/// The text of a Java file with documentation and CORS annotations blanked out; all other text keeps its position.
pub fn without_documentation(text: &str) -> String {
    let documents = DOCUMENTATION.iter().any(|package| text.contains(package));
    if !documents && !text.contains("@CrossOrigin") {
        return text.to_owned();
    }
    let mut out = text.to_owned();
    let mut from = 0;
    while let Some(at) = out.get(from..).and_then(|rest| rest.find('@')).map(|at| from + at) {
        from = at + 1;
        let rest = out.get(from..).unwrap_or_default();
        let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        if name != "CrossOrigin" && !(documents && ANNOTATIONS.contains(&name)) {
            continue;
        }
        let end = arguments(&out, from + name.len());
        let blank: String = out.get(at..end).unwrap_or_default().chars().map(blank).collect();
        out.replace_range(at..end, &blank);
        from = at + blank.len();
    }
    out
}

/// Replaces a character by a space; line ends stay.
fn blank(c: char) -> char {
    if c == '\n' || c == '\r' { c } else { ' ' }
}

/// The end of the arguments in parentheses that begin at `from`; `from` if there are none.
fn arguments(text: &str, from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    if !rest.trim_start().starts_with('(') {
        return from;
    }
    let (mut depth, mut quoted, mut escaped) = (0_u32, false, false);
    for (at, c) in rest.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && c == ')' && !quoted {
            return from + at + 1;
        }
    }
    from
}

/// Whether a member configures CORS or documentation and nothing else.
pub fn is_inert(member: &MemberFacts) -> bool {
    let returned = member.ty.as_ref().map(|ty| ty.name.rsplit('.').next().unwrap_or_default().to_owned());
    CALLED.contains(&member.name.as_str()) || returned.is_some_and(|name| RETURNED.contains(&name.as_str()))
}

/// Whether the declaration of a type carries no information without its members: a plain class without supertypes and annotations.
pub fn is_shell(facts: &TypeFacts) -> bool {
    facts.kind == TypeKind::Class
        && facts.extends.is_empty()
        && facts.implements.is_empty()
        && facts.annotations.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documentation_is_left_out_and_lines_stay() {
        let text = "import io.swagger.annotations.*;\nclass A {\n  @ApiOperation(value = \"a (b\\\")\",\n    notes = \"c\")\n  @GetMapping(\"/a\") @ApiIgnored int a(@ApiParam String b) { return 1; }\n}\n";
        let plain = without_documentation(text);
        assert_eq!(plain.lines().count(), text.lines().count());
        assert!(!plain.contains("ApiOperation") && !plain.contains("notes") && !plain.contains("ApiParam"), "{plain}");
        assert!(
            plain.contains("@GetMapping(\"/a\") @ApiIgnored int a(") && plain.contains("String b) { return 1; }"),
            "{plain}"
        );
        let own = "import com.acme.Tag;\nclass A { @Tag(\"x\") int a; }";
        assert_eq!(without_documentation(own), own);
    }
}
