//! What libraries do with the objects they get: write them out, fill them, print, hash, compare or order them.

/// Methods of every object that an operator or a library may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Implied {
    /// `toString`.
    pub text: bool,
    /// `equals` and `hashCode`.
    pub hash: bool,
    /// `compareTo`.
    pub order: bool,
}

impl Implied {
    /// `toString` alone.
    pub const TEXT: Self = Self { text: true, hash: false, order: false };
    /// `equals` and `hashCode`.
    pub const HASH: Self = Self { text: false, hash: true, order: false };
    /// All of them.
    pub const ALL: Self = Self { text: true, hash: true, order: true };

    /// Whether a method of this name is one of them.
    pub fn calls(self, name: &str) -> bool {
        match name {
            "toString" => self.text,
            "equals" | "hashCode" => self.hash,
            "compareTo" => self.order,
            _ => false,
        }
    }

    /// The method of this name alone.
    pub fn of(name: &str) -> Self {
        Self { text: name == "toString", hash: matches!(name, "equals" | "hashCode"), order: name == "compareTo" }
    }

    /// As the flags of a number: one, two and four.
    pub fn bits(self) -> u32 {
        u32::from(self.text) | u32::from(self.hash) << 1 | u32::from(self.order) << 2
    }

    /// What either calls.
    pub fn or(self, other: Self) -> Self {
        Self { text: self.text || other.text, hash: self.hash || other.hash, order: self.order || other.order }
    }
}

/// Libraries that take objects over without looking at what they are, by the start of their names.
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

/// Libraries that look at what they get, and read none of it by names, but for their classes for beans and reflection.
const HELPING: [&str; 4] =
    ["org.springframework.util.", "org.apache.commons.lang", "org.apache.commons.collections", "com.google.common."];

/// Whether a library member gives a stand-in for an object of the class that it gets, which only records what is called on it (Spring HATEOAS,
/// *Building links that point to methods*; Spring's `MvcUriComponentsBuilder`).
pub fn is_recorder(ty: &str, name: &str) -> bool {
    match name {
        "methodOn" => ty.ends_with("LinkBuilder") || ty.ends_with("DummyInvocationUtils"),
        "on" | "controller" => ty.ends_with("MvcUriComponentsBuilder"),
        _ => false,
    }
}

/// What a member of a library, called on a receiver of this type, calls on the objects it gets.
pub fn implied(library: &str, name: &str) -> Implied {
    let simple = library.rsplit('.').next().unwrap_or(library);
    if simple.contains("Log") || matches!(name, "info" | "debug" | "warn" | "trace") {
        return Implied::TEXT;
    }
    if matches!(name, "equals" | "hashCode" | "hash") {
        return Implied::HASH;
    }
    if matches!(name, "toString" | "valueOf" | "format" | "append" | "insert" | "println" | "print" | "printf" | "join")
    {
        return Implied::TEXT;
    }
    if library.starts_with("java.") {
        return implied_by_jdk(simple, name);
    }
    // What an unknown library gave is asked for more by a chain of calls: links, builders, queries.
    if is_unknown(library) { Implied::ALL } else { Implied::default() }
}

/// Whether nothing is known of a library: neither Java's own, nor one that takes objects over without looking at them.
fn is_unknown(library: &str) -> bool {
    library != "?" && !library.starts_with("java.") && !PASSING.iter().any(|start| library.starts_with(start))
}

fn implied_by_jdk(simple: &str, name: &str) -> Implied {
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
    Implied { text: false, hash, order }
}

/// Whether a library member may write out what it gets.
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
    // Scripts, expressions and templates read what they like.
    let engines =
        ["Script", "Bindings", "Invocable", "Velocity", "Template", "EvaluationContext", "Expression", "Jinja"];
    if engines.iter().any(|known| ty.contains(known)) && !ty.contains("JdbcTemplate") && !ty.contains("MongoTemplate") {
        return true;
    }
    let stores = ty.contains("EntityManager") || ty.contains("EntityRepository");
    let helps =
        HELPING.iter().any(|start| library.starts_with(start)) && !ty.contains("Bean") && !ty.contains("Reflect");
    // What nothing is known of may read objects by their accessors, as mappers do.
    if is_unknown(library) && !stores && !helps && !ty.contains("Log") && !library.starts_with("org.slf4j.") {
        return true;
    }
    !stores && (by_type.iter().any(|known| ty.contains(known)) || by_name.contains(&name) || more.contains(&name))
}

/// What a library does with a class object that it gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassUse {
    /// Only its name matters.
    Name,
    /// It may make objects.
    Makes,
    /// It may make objects and fill them.
    Fills,
}

/// What a library member, as simple type and name, does with a class object.
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
