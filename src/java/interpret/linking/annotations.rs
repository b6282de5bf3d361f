//! Annotations on methods: a list of those that do not affect calls, and the doubt that any other annotation raises.

use crate::ir::facts::{Annotation, MemberFacts};
use crate::ir::ids::MemberId;
use crate::ir::named::Named;
use crate::project::index::Project;

/// Simple names of annotations on bean methods that change neither the result nor the exceptions of a call.
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
    // The framework calls these methods too; a direct call is not affected.
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

/// Security annotations on methods. The framework checks them before it calls a handler.
const GUARDS: &[&str] = &["Secured", "PreAuthorize", "PostAuthorize", "RolesAllowed", "PermitAll", "DenyAll"];

/// Whether a method is a request handler.
fn is_handler(facts: &MemberFacts) -> bool {
    facts.annotations.iter().any(|annotation| {
        let name = annotation.simple();
        name.ends_with("Mapping") || matches!(name, "Path" | "GET" | "POST" | "PUT" | "DELETE" | "PATCH" | "HEAD")
    })
}

/// Whether an annotation of the project only names a handler's HTTP method: apart from meta-annotations of Java, it
/// carries only `@HttpMethod`.
fn names_method(project: &Project, member: MemberId, annotation: &Annotation) -> bool {
    const OF_JAVA: &[&str] = &["HttpMethod", "Target", "Retention", "Documented", "Inherited"];
    let Named::Project(ty) = project.resolve(member.ty, &annotation.name) else { return false };
    let on_it = &project.ty(ty).annotations;
    on_it.iter().any(|one| one.simple() == "HttpMethod") && on_it.iter().all(|one| OF_JAVA.contains(&one.simple()))
}

/// The reason why a call of a method may do more than its body says. `marks` are further annotations of the framework
/// without effect on calls.
pub fn doubt(project: &Project, member: MemberId, name: &str, marks: &[&str]) -> Option<String> {
    let facts = project.member(member);
    // The mapping may be on the interface method that it implements.
    let handler = is_handler(facts)
        || (facts.annotations.iter().any(|annotation| GUARDS.contains(&annotation.simple()))
            && project.overridden(member).into_iter().any(|declared| is_handler(project.member(declared))));
    let harmless =
        |name: &str| HARMLESS.contains(&name) || marks.contains(&name) || (handler && GUARDS.contains(&name));
    let mut annotations = facts.annotations.iter();
    let annotation = annotations.find(|one| !harmless(one.simple()) && !names_method(project, member, one))?;
    Some(format!("@{} on {name} may change what a call does", annotation.simple()))
}
