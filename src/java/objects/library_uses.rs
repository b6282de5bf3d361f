//! What library code does with the objects it receives: serialise, fill, print, hash, compare or order them.

/// The methods of an object that an operator or a library may call implicitly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImplicitCalls {
    /// `toString`.
    pub text: bool,
    /// `equals` and `hashCode`.
    pub hash: bool,
    /// `compareTo`.
    pub order: bool,
}

impl ImplicitCalls {
    /// `toString` alone.
    pub const TEXT: Self = Self { text: true, hash: false, order: false };
    /// `equals` and `hashCode`.
    pub const HASH: Self = Self { text: false, hash: true, order: false };
    /// All of them.
    pub const ALL: Self = Self { text: true, hash: true, order: true };

    /// Whether this set contains a method of this name.
    pub fn calls(self, name: &str) -> bool {
        match name {
            "toString" => self.text,
            "equals" | "hashCode" => self.hash,
            "compareTo" => self.order,
            _ => false,
        }
    }

    /// The set with only the method of this name.
    pub fn of(name: &str) -> Self {
        Self { text: name == "toString", hash: matches!(name, "equals" | "hashCode"), order: name == "compareTo" }
    }

    /// The set as bit flags: 1, 2 and 4.
    pub fn bits(self) -> u32 {
        u32::from(self.text) | u32::from(self.hash) << 1 | u32::from(self.order) << 2
    }

    /// The union of both sets.
    pub fn or(self, other: Self) -> Self {
        Self { text: self.text || other.text, hash: self.hash || other.hash, order: self.order || other.order }
    }
}

/// Prefixes of libraries that pass objects on without inspecting them.
const PASSING: [&str; 22] = [
    "org.springframework.http.",
    "org.springframework.data.",
    "org.springframework.web.",
    "org.springframework.hateoas.",
    "org.springframework.ui.",
    "org.springframework.context.",
    "org.springframework.jdbc.",
    "javax.persistence.",
    "jakarta.persistence.",
    "javax.ws.rs.",
    "jakarta.ws.rs.",
    "javax.servlet.",
    "jakarta.servlet.",
    "com.fasterxml.jackson.",
    "com.google.gson.",
    "com.google.inject.",
    "com.mongodb.",
    "reactor.",
    "org.hibernate.",
    "lombok.",
    "org.mapstruct.",
    "javax.validation.",
];

/// Prefixes of libraries whose methods inspect objects but do not read their properties; their classes for beans and
/// reflection are excluded at the call.
const HELPING: [&str; 4] =
    ["org.springframework.util.", "org.apache.commons.lang", "org.apache.commons.collections", "com.google.common."];

/// Whether a library method returns a recording proxy of the class that it receives, which only records the calls on
/// it (Spring HATEOAS, *Building links that point to methods*; Spring's `MvcUriComponentsBuilder`).
pub fn is_recorder(ty: &str, name: &str) -> bool {
    match name {
        "methodOn" => ty.ends_with("LinkBuilder") || ty.ends_with("DummyInvocationUtils"),
        "on" | "controller" => ty.ends_with("MvcUriComponentsBuilder"),
        _ => false,
    }
}

/// The methods that a library member may call on the objects it receives.
pub fn implied(library: &str, name: &str) -> ImplicitCalls {
    let simple = library.rsplit('.').next().unwrap_or(library);
    if simple.contains("Log") || matches!(name, "info" | "debug" | "warn" | "trace") {
        return ImplicitCalls::TEXT;
    }
    if matches!(name, "equals" | "hashCode" | "hash") {
        return ImplicitCalls::HASH;
    }
    if matches!(name, "toString" | "valueOf" | "format" | "append" | "insert" | "println" | "print" | "printf" | "join")
    {
        return ImplicitCalls::TEXT;
    }
    if library.starts_with("java.") {
        return implied_by_jdk(simple, name);
    }
    // An unknown library may call any of them, as fluent builders of links and queries do.
    if is_unknown(library) { ImplicitCalls::ALL } else { ImplicitCalls::default() }
}

/// Whether a library is unknown: it is neither the JDK nor listed in `PASSING`.
fn is_unknown(library: &str) -> bool {
    library != "?" && !library.starts_with("java.") && !PASSING.iter().any(|start| library.starts_with(start))
}

fn implied_by_jdk(simple: &str, name: &str) -> ImplicitCalls {
    let order = simple.contains("Sorted")
        || simple.contains("Tree")
        || simple.contains("Navigable")
        || simple.contains("SkipList")
        || simple.starts_with("Priority")
        || matches!(
            name,
            "sort"
                | "sorted"
                | "max"
                | "min"
                | "compare"
                | "compareTo"
                | "naturalOrder"
                | "reverseOrder"
                | "comparing"
                | "thenComparing"
                | "binarySearch"
                | "comparingByKey"
                | "comparingByValue"
        );
    let keyed = simple.contains("Set") || simple.contains("Map");
    let seeks = matches!(
        name,
        "contains"
            | "remove"
            | "indexOf"
            | "lastIndexOf"
            | "containsAll"
            | "removeAll"
            | "retainAll"
            | "distinct"
            | "toSet"
            | "toMap"
            | "groupingBy"
            | "partitioningBy"
            | "toUnmodifiableSet"
            | "toUnmodifiableMap"
            | "toCollection"
            | "frequency"
            | "disjoint"
            | "containsKey"
            | "containsValue"
            | "removeFirstOccurrence"
    );
    let open = matches!(simple, "Collection" | "Iterable") && matches!(name, "add" | "addAll");
    let reads = matches!(
        name,
        "size" | "isEmpty" | "values" | "keySet" | "entrySet" | "iterator" | "stream" | "forEach" | "clear"
    );
    let hash = seeks || open || (keyed && !reads);
    ImplicitCalls { text: false, hash, order }
}

/// Whether a library member may serialise the objects it receives.
pub fn writes_out(library: &str, name: &str) -> bool {
    let ty = library.rsplit('.').next().unwrap_or(library);
    let by_type = [
        "Response",
        "BodyBuilder",
        "ModelAndView",
        "Model",
        "Gson",
        "ObjectMapper",
        "ObjectWriter",
        "Entity",
        "ProblemDetail",
    ];
    let by_name =
        ["ok", "entity", "body", "bodyValue", "write", "writeValue", "writeValueAsString", "writeValueAsBytes"];
    let more = ["toJson", "toJsonTree", "valueToTree", "addAttribute", "addObject", "convertValue", "send", "json"];
    // Scripts, expressions and templates can read any property.
    let engines =
        ["Script", "Bindings", "Invocable", "Velocity", "Template", "EvaluationContext", "Expression", "Jinja"];
    if engines.iter().any(|known| ty.contains(known)) && !ty.contains("JdbcTemplate") && !ty.contains("MongoTemplate") {
        return true;
    }
    let stores = ty.contains("EntityManager") || ty.contains("EntityRepository");
    let helps =
        HELPING.iter().any(|start| library.starts_with(start)) && !ty.contains("Bean") && !ty.contains("Reflect");
    // An unknown library may read objects through their accessors, as mappers do.
    if is_unknown(library) && !stores && !helps && !ty.contains("Log") && !library.starts_with("org.slf4j.") {
        return true;
    }
    !stores && (by_type.iter().any(|known| ty.contains(known)) || by_name.contains(&name) || more.contains(&name))
}

/// What a library does with a class object it receives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassUse {
    /// It uses only the name.
    Name,
    /// It may create instances.
    Makes,
    /// It may create instances and fill their properties.
    Fills,
}

/// What a library member, given as simple type and name, does with a class object.
pub fn class_use(to: &str) -> ClassUse {
    let (ty, name) = to.split_once('.').unwrap_or((to, ""));
    if ty.contains("Log")
        || is_recorder(ty, name)
        || matches!(name, "getName" | "getSimpleName" | "getResource" | "getResourceAsStream" | "getPackage")
    {
        return ClassUse::Name;
    }
    let starts = [
        "read",
        "from",
        "parse",
        "convert",
        "bind",
        "deserialize",
        "map",
        "get",
        "exchange",
        "retrieve",
        "body",
        "unmarshal",
        "create",
        "query",
        "treeTo",
        "post",
        "put",
        "to",
        "find",
        "load",
        "as",
        "receive",
        "collection",
        "aggregate",
    ];
    if starts.iter().any(|start| name.starts_with(start)) { ClassUse::Fills } else { ClassUse::Makes }
}
