//! Annotations on methods: those that change nothing about what a call returns or throws, and the doubt that any other one raises.

use crate::java::facts::{Annotation, MemberFacts};
use crate::java::ids::MemberId;
use crate::java::named::Named;
use crate::java::project::Project;

/// Annotations on a method of a bean that change nothing about what a call returns or throws, by their simple names.
const HARMLESS: &[&str] = &[
    "Override",
    "Deprecated",
    "SuppressWarnings",
    "SafeVarargs",
    "Transactional",
    "Bean",
    "Named",
    "Nullable",
    "NonNull",
    "NotNull",
    "Nonnull",
    "CheckForNull",
    "RequestMapping",
    "GetMapping",
    "PostMapping",
    "PutMapping",
    "DeleteMapping",
    "PatchMapping",
    "ResponseBody",
    "ResponseStatus",
    "ExceptionHandler",
    "ApiOperation",
    "ApiResponses",
    "ApiResponse",
    "ApiImplicitParams",
    "ApiImplicitParam",
    "Operation",
    "Parameter",
    "Parameters",
    "Tag",
    "Tags",
    "Hidden",
    "SecurityRequirement",
    "Path",
    "GET",
    "POST",
    "PUT",
    "DELETE",
    "PATCH",
    "HEAD",
    "OPTIONS",
    "Produces",
    "Consumes",
    "JsonIgnore",
    "JsonProperty",
    "JsonGetter",
    "JsonSetter",
    "JsonCreator",
    "JsonAnyGetter",
    "JsonAnySetter",
    "VisibleForTesting",
    "Autowired",
    "Inject",
    "PostConstruct",
    "Generated",
    "Context",
    "Timed",
    "Counted",
    "Metered",
    "CrossOrigin",
    "SneakyThrows",
    // Something else calls the method too.
    "EventListener",
    "JmsListener",
    "KafkaListener",
    "RabbitListener",
    "Scheduled",
    "SqsListener",
    "StreamListener",
    "TransactionalEventListener",
    "Valid",
    "Column",
    "Id",
    "Transient",
    "Basic",
    "XmlElement",
    "XmlAttribute",
    "XmlTransient",
    "JsonValue",
    "JsonFormat",
    "JsonInclude",
    "JsonAlias",
    "JsonPropertyDescription",
    "Schema",
    "ArraySchema",
    "ApiModelProperty",
    "XmlElementWrapper",
    "XmlElements",
    "XmlElementRef",
    "XmlList",
    "GeneratedValue",
    "Enumerated",
    "Temporal",
    "OneToMany",
    "ManyToOne",
    "OneToOne",
    "ManyToMany",
    "JoinColumn",
    "Expose",
    "SerializedName",
];

/// Annotations that guard a method; of a handler they are looked at before it is called.
const GUARDS: &[&str] = &["Secured", "PreAuthorize", "PostAuthorize", "RolesAllowed", "PermitAll", "DenyAll"];

/// Whether a method is a handler of requests.
fn is_handler(facts: &MemberFacts) -> bool {
    facts.annotations.iter().any(|annotation| {
        let name = annotation.simple();
        name.ends_with("Mapping") || matches!(name, "Path" | "GET" | "POST" | "PUT" | "DELETE" | "PATCH" | "HEAD")
    })
}

/// Whether an annotation of the project only names the HTTP method of a handler: nothing but `@HttpMethod` and what Java says of annotations stands on it.
fn names_method(project: &Project, member: MemberId, annotation: &Annotation) -> bool {
    const OF_JAVA: &[&str] = &["HttpMethod", "Target", "Retention", "Documented", "Inherited"];
    let Named::Project(ty) = project.resolve(member.ty, &annotation.name) else { return false };
    let on_it = &project.ty(ty).annotations;
    on_it.iter().any(|one| one.simple() == "HttpMethod") && on_it.iter().all(|one| OF_JAVA.contains(&one.simple()))
}

/// Why a call of a method may do something else than what stands in its body; `marks` are annotations of the framework that change nothing.
pub fn doubt(project: &Project, member: MemberId, name: &str, marks: &[&str]) -> Option<String> {
    let facts = project.member(member);
    // A mapping may stand on what it implements.
    let handler = is_handler(facts)
        || (facts.annotations.iter().any(|annotation| GUARDS.contains(&annotation.simple()))
            && project.overridden(member).into_iter().any(|declared| is_handler(project.member(declared))));
    let harmless =
        |name: &str| HARMLESS.contains(&name) || marks.contains(&name) || (handler && GUARDS.contains(&name));
    let mut annotations = facts.annotations.iter();
    let annotation = annotations.find(|one| !harmless(one.simple()) && !names_method(project, member, one))?;
    Some(format!("@{} on {name} may change what a call does", annotation.simple()))
}
