//! The record of a framework: how it handles a request, as one value with named parts, defined in the framework's
//! folder.
//!
//! Each part states a property; none stands for a particular framework. The runtime reads the record, and names a
//! framework only where a part belongs to one alone, such as Spring Security.

use mastor_java::project::brought::LibraryException;

/// A framework that routes requests, identified by its record.
#[derive(Clone, Copy)]
pub struct Framework(pub &'static Record);

/// How a framework handles requests.
#[derive(Debug)]
pub struct Record {
    /// The name shown to users.
    pub name: &'static str,
    /// How a request reaches the code that serves it.
    pub serving: Serving,
    /// Beans in the container.
    pub beans: Beans,
    /// How routes are matched.
    pub routing: Routing,
    /// How parameters are read.
    pub binding: Binding,
    /// How constraints are checked, and what follows a violation.
    pub validation: Validation,
    /// How exceptions are handled.
    pub failures: Failures,
    /// How return values become answers.
    pub body: Body,
    /// What may run around a handler.
    pub middleware: Middleware,
    /// The threads of handlers.
    pub threads: Threads,
}

/// How a request reaches the code that serves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Serving {
    /// A method is called with bound parameters.
    Method,
    /// A router function is called with the request.
    RouterFunction,
    /// A document names the method, and which of its parameters are checked.
    Document,
    /// A handler receives the exchange and writes the answer to it.
    Exchange,
    /// Not modelled, so that every answer is uncertain. The default of records.
    NotModelled,
}

/// Beans in the container.
#[derive(Debug, Clone, Copy, Default)]
pub struct Beans {
    /// Whether a session of the persistence library stays open for the whole request, unless a property says otherwise.
    pub session_per_request: bool,
    /// Whether the container creates an injected class of the project that has no stereotype.
    pub makes_unmarked: bool,
    /// Simple names of its annotations that make a class a bean, directly or on an annotation of the project.
    pub stereotypes: &'static [&'static str],
    /// Simple names of handler annotations that do not change what a call returns or throws. A call of a method with
    /// any other annotation is uncertain.
    pub marks: &'static [&'static str],
}

/// How routes are matched.
#[derive(Debug, Clone, Copy, Default)]
pub struct Routing {
    /// Whether an entry without a method is assumed to serve only GET and POST.
    pub guesses_methods: bool,
    /// Whether the part of the last segment after a dot may be removed as a file suffix.
    pub cuts_suffixes: bool,
    /// Whether the media types of a mapping are compared even for requests without a body.
    pub compares_media_without_body: bool,
    /// Whether mappings are generated from the document, which then decides whatever the code leaves open.
    pub from_document: bool,
    /// Whether the application is mapped to a servlet path, by code or by a property.
    pub behind_servlet: bool,
    /// Whether a trailing slash of a path is ignored.
    pub ignores_final_slash: bool,
    /// Whether a model named the entry.
    pub named_by_model: bool,
}

/// How parameters are bound.
#[derive(Debug, Clone, Copy)]
pub struct Binding {
    /// How missing and unreadable values are rejected.
    pub refusals: Refusals,
    /// Whether a request without the body that a handler takes is rejected.
    pub requires_body: bool,
    /// Whether a missing parameter of a primitive type is zero.
    pub zero_for_missing: bool,
    /// Whether strings are converted to library classes (`UUID`, `BigDecimal`, dates) by the library's own methods.
    pub converts_texts: bool,
    /// Whether dates and times are read in the ISO form of their class without an annotation.
    pub iso_dates: bool,
    /// Whether a parameter that may be missing may be declared as an `Optional`.
    pub wraps_optionals: bool,
    /// Whether parameter names without an annotation are read from compiled classes.
    pub names_from_classes: bool,
    /// Objects that are filled from several parameters.
    pub objects: Objects,
    /// Whether extensions provide parameters, and may answer instead of the handler.
    pub extensions: bool,
    /// Artifacts with their own converters for enum constants.
    pub constant_converters: &'static [&'static str],
    /// Whether the parameter for the caller is null if nobody has logged in.
    pub nobody_is_null: bool,
}

/// How missing and unreadable values are rejected.
#[derive(Debug, Clone, Copy)]
pub enum Refusals {
    /// By a different exception for each kind, which advice may answer.
    ByKind(&'static Kinds),
    /// By an exception with a status: 404 for path and query, 400 for the rest. For an unreadable body the library's
    /// exception is thrown.
    ByPlace(&'static Places),
    /// By the settings of the dispatcher.
    ByDocument,
    /// Not known.
    Unknown,
}

/// Full names of the exceptions for each kind of rejection.
#[derive(Debug)]
pub struct Kinds {
    /// A header is missing.
    pub missing_header: &'static str,
    /// A cookie is missing.
    pub missing_cookie: &'static str,
    /// Another parameter is missing.
    pub missing_parameter: &'static str,
    /// There is no body, or it cannot be read.
    pub unreadable: &'static str,
    /// A string is not a value of the parameter's type.
    pub mismatch: &'static str,
}

/// Full names of the exceptions for each location of a rejected value.
#[derive(Debug)]
pub struct Places {
    /// For path and query: 404.
    pub not_found: &'static str,
    /// For all other locations: 400.
    pub bad_request: &'static str,
    /// The library's exception for an unreadable body.
    pub unreadable: &'static str,
    /// Simple names of exceptions whose mappers may answer an unreadable body before the library does.
    pub shared: &'static [&'static str],
}

/// Objects that are filled from several parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Objects {
    /// Objects filled through setters or a constructor, and page requests.
    Properties,
    /// Objects with fields that are annotated as parameters.
    Fields,
    /// None that are followed.
    No,
}

/// How constraints are checked, and what follows a violation.
#[derive(Debug, Clone, Copy)]
pub struct Validation {
    /// Whether a proxy checks the parameters of methods, for classes that request it.
    pub proxies: bool,
    /// Whether an invalid body gives an exception with an error for each field.
    pub tells_fields: bool,
    /// Full name of the exception for other violations.
    pub violation: &'static str,
    /// The artifact that checks the constraints of every handler, and throws that exception for what a request brings
    /// against one.
    pub checker: Option<&'static str>,
}

/// How exceptions are handled.
#[derive(Debug, Clone, Copy)]
pub struct Failures {
    /// The status if nothing handles an exception.
    pub uncaught: u16,
    /// Full names of exceptions that carry their status.
    pub carriers: &'static [&'static str],
    /// The framework's exceptions, with superclass and status.
    pub exceptions: &'static [LibraryException],
    /// Whether an exception without a handler goes to the handler of its cause.
    pub asks_causes: bool,
    /// Whether error statuses go through an error page of the application.
    pub has_error_page: bool,
    /// Whether the security chain answers if access is denied.
    pub denies_by_chain: bool,
    /// Whether the return value of an exception handler may name a view.
    pub names_views: bool,
    /// Which exception handlers are used.
    pub advice: Advice,
    /// Whether the library that parses bodies answers errors itself.
    pub reader_answers: bool,
    /// Whether a response with a body that an exception carries is the answer, whatever mappers there are.
    pub sends_carried: bool,
}

/// Which exception handlers are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Advice {
    /// `@ExceptionHandler` of controllers and advice classes.
    Controllers,
    /// `@ExceptionHandler` methods, but whether they are used depends on the release.
    Uncertain,
    /// Exception mappers.
    Mappers,
    /// None: no code of the project handles exceptions.
    Nobody,
    /// Not known: any may be used.
    Unknown,
}

impl Advice {
    /// Whether rules of this family may be used here.
    pub fn takes(self, family: Self) -> bool {
        match self {
            Self::Unknown => true,
            Self::Nobody => false,
            Self::Mappers => family == Self::Mappers,
            Self::Controllers | Self::Uncertain => family != Self::Mappers,
        }
    }
}

/// How return values become answers.
#[derive(Debug, Clone, Copy)]
pub struct Body {
    /// The success status if nothing is returned.
    pub empty_status: u16,
    /// The status if a handler that declares a value returns null or an empty `Optional`. If set, an `Optional` is
    /// replaced by its content. If `None`, null is answered like a missing return value.
    pub null_status: Option<u16>,
    /// Whether a null response object gives an empty success answer.
    pub null_is_empty: bool,
    /// Whether a string may name a view.
    pub names_views: bool,
    /// Whether strings are sent as plain text if the mapping names no media type.
    pub labels_texts: bool,
    /// Whether RFC 9457 problems set the answer's status.
    pub knows_problems: bool,
    /// Whether the framework may add a body to an error that a handler answers without one.
    pub fills_errors: bool,
    /// Whether the framework waits for a returned publisher and writes its value.
    pub runs_publishers: bool,
    /// The library that writes JSON.
    pub json: Json,
    /// Whether the build's release decides the format of dates.
    pub boot_writes_dates: bool,
    /// Whether JSON omits null and empty values, unless a setting says otherwise.
    pub omits_empty: bool,
    /// Whether annotations for XML have no effect on JSON.
    pub plain_xml: bool,
    /// Whether a value that is no text is written as JSON if the mapping names no media type.
    pub json_by_default: bool,
    /// The setting that turns dates into numbers, where the JSON library reads and writes them as texts otherwise.
    pub text_dates: Option<&'static str>,
}

/// The library that reads and writes JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Json {
    /// Jackson, unless the project configures another library.
    Jackson,
    /// The JSON provider in the build.
    OfBuild,
}

/// What may run around a handler.
#[derive(Debug, Clone, Copy)]
pub struct Middleware {
    /// Whether security chains that the project configures guard requests.
    pub security: bool,
    /// Whether the security library, if present and not configured, guards every path.
    pub guards_by_default: bool,
    /// Whether interceptors run before handlers.
    pub interceptors: bool,
    /// Whether the project's argument resolvers are used after the framework's own.
    pub resolvers: bool,
    /// Whether the build may contain another library for JSON.
    pub chooses_json: bool,
    /// How JAX-RS request filters apply.
    pub request_filters: RequestFilters,
    /// What decides who may call a handler, where that is assumed and not followed.
    pub guards: Guards,
    /// Simple names of library types whose project subtypes run around requests, with what they do.
    pub around: &'static [(&'static str, &'static str)],
}

/// What decides who may call a handler.
#[derive(Debug, Clone, Copy)]
pub struct Guards {
    /// Simple names of annotations on handlers or their classes that ask who calls.
    pub asking: &'static [&'static str],
    /// Simple names of annotations that let everybody in.
    pub open: &'static [&'static str],
    /// Prefix of the settings that guard paths: `<prefix><name>.paths` and `<prefix><name>.policy`.
    pub permissions: &'static str,
    /// Settings that guard handlers without an annotation.
    pub otherwise: &'static [&'static str],
}

/// How JAX-RS request filters apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestFilters {
    /// They run before the handler.
    Run,
    /// They do not apply.
    Apart,
    /// Not known.
    Unknown,
}

/// The threads of handlers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threads {
    /// One thread for each request.
    OfRequest,
    /// One thread for each request, unless the build contains only the reactive library.
    ByBuild,
}

/// A record without any known property: for frameworks that are not modelled, and the base of other records.
pub const NOT_MODELLED: Record = Record {
    name: "a framework that is not known",
    serving: Serving::NotModelled,
    beans: Beans { session_per_request: false, makes_unmarked: false, stereotypes: &[], marks: &[] },
    routing: Routing {
        guesses_methods: false,
        cuts_suffixes: false,
        compares_media_without_body: false,
        from_document: false,
        behind_servlet: false,
        ignores_final_slash: false,
        named_by_model: false,
    },
    binding: Binding {
        refusals: Refusals::Unknown,
        requires_body: false,
        zero_for_missing: false,
        converts_texts: false,
        iso_dates: false,
        wraps_optionals: false,
        names_from_classes: false,
        objects: Objects::No,
        extensions: false,
        constant_converters: &[],
        nobody_is_null: false,
    },
    validation: Validation {
        proxies: false,
        tells_fields: false,
        violation: "jakarta.validation.ConstraintViolationException",
        checker: None,
    },
    failures: Failures {
        uncaught: 500,
        carriers: &[],
        exceptions: &[],
        asks_causes: true,
        has_error_page: false,
        denies_by_chain: false,
        names_views: false,
        advice: Advice::Unknown,
        reader_answers: false,
        sends_carried: false,
    },
    body: Body {
        empty_status: 200,
        null_status: None,
        null_is_empty: false,
        names_views: false,
        labels_texts: false,
        knows_problems: false,
        fills_errors: false,
        runs_publishers: false,
        json: Json::OfBuild,
        boot_writes_dates: false,
        omits_empty: false,
        plain_xml: false,
        json_by_default: false,
        text_dates: None,
    },
    middleware: Middleware {
        security: true,
        guards_by_default: false,
        interceptors: false,
        resolvers: false,
        chooses_json: false,
        request_filters: RequestFilters::Unknown,
        guards: Guards { asking: &[], open: &[], permissions: "", otherwise: &[] },
        around: &[],
    },
    threads: Threads::OfRequest,
};

/// An entry that a model named, and of which nothing else is known.
pub static NAMED: Record = Record { routing: Routing { named_by_model: true, ..NOT_MODELLED.routing }, ..NOT_MODELLED };

impl std::ops::Deref for Framework {
    type Target = Record;

    fn deref(&self) -> &Record {
        self.0
    }
}

impl PartialEq for Framework {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for Framework {}

impl std::fmt::Debug for Framework {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.name)
    }
}

impl std::fmt::Display for Framework {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.0.name)
    }
}
