//! The record of a framework: all that it decides about a request, as one value with named parts, which the framework's folder gives.
//!
//! The runtime asks the record and knows no framework by name. Each part says what holds; none has a value that stands for a framework.

use crate::java::brought::LibraryException;

/// Whoever routes requests to a member: its record.
#[derive(Clone, Copy)]
pub struct Framework(pub &'static Record);

/// All that a framework decides.
#[derive(Debug)]
pub struct Record {
    /// The name that people read.
    pub name: &'static str,
    /// How a request reaches the code that serves it.
    pub serving: Serving,
    /// What the container keeps for code.
    pub beans: Beans,
    /// How routes are told apart.
    pub routing: Routing,
    /// How parameters are read.
    pub binding: Binding,
    /// Who checks constraints, and what a violation comes to.
    pub validation: Validation,
    /// What becomes of exceptions.
    pub failures: Failures,
    /// How what is returned becomes an answer.
    pub body: Body,
    /// What may stand around a handler.
    pub middleware: Middleware,
    /// On which threads handlers run.
    pub threads: Threads,
}

/// How a request reaches the code that serves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Serving {
    /// A method is called with bound parameters.
    Method,
    /// A function is called with the request.
    RouterFunction,
    /// A document says which method, and what of its parameters is checked.
    Document,
    /// A handler gets the exchange and writes the answer to it.
    Exchange,
    /// Otherwise, which is not modelled: every answer is in doubt. So it is where a record does not say.
    NotModelled,
}

/// What the container keeps for code.
#[derive(Debug, Clone, Copy, Default)]
pub struct Beans {
    /// Whether a session of the persistence library stays open for the whole request, unless a property says otherwise.
    pub session_per_request: bool,
    /// Whether the container makes a class of the project that is asked for by itself though nothing marks it.
    pub makes_unmarked: bool,
    /// Simple names of its annotations that make a class a bean, directly or on an annotation of the project.
    pub stereotypes: &'static [&'static str],
    /// Simple names of the annotations that stand on its handlers, and change nothing about what a call returns or throws. A call of a method
    /// with any other annotation is in doubt.
    pub marks: &'static [&'static str],
}

/// How routes are told apart.
#[derive(Debug, Clone, Copy, Default)]
pub struct Routing {
    /// Whether an entry without a method serves GET and POST alone, as far as anyone can tell.
    pub guesses_methods: bool,
    /// Whether what follows a point in the last segment may be cut off as a file's suffix.
    pub cuts_suffixes: bool,
    /// Whether the media types of a mapping are compared for requests without a body too.
    pub compares_media_without_body: bool,
    /// Whether mappings are made from the document, so that what it says counts where code says nothing.
    pub from_document: bool,
    /// Whether the application's path is mapped to a servlet of its own, by code or by a property.
    pub behind_servlet: bool,
    /// Whether a slash at the end of a path says nothing.
    pub ignores_final_slash: bool,
    /// Whether a model named the entry.
    pub named_by_model: bool,
}

/// How parameters are read.
#[derive(Debug, Clone, Copy)]
pub struct Binding {
    /// What is done about a value that is missing or cannot be read.
    pub refusals: Refusals,
    /// Whether a request without the body of a handler is refused.
    pub requires_body: bool,
    /// Whether a parameter of a primitive type is zero where nothing is sent.
    pub zero_for_missing: bool,
    /// Whether texts become values of library classes (`UUID`, `BigDecimal`, dates) by the library's own methods.
    pub converts_texts: bool,
    /// Whether names of parameters that no annotation tells are read from compiled classes.
    pub names_from_classes: bool,
    /// What is filled from several parameters.
    pub objects: Objects,
    /// Whether extensions give parameters, and may answer in the handler's stead.
    pub extensions: bool,
    /// Artifacts that bring converters of their own for constants of enums.
    pub constant_converters: &'static [&'static str],
    /// Whether a parameter for the caller is null where nobody has logged in.
    pub nobody_is_null: bool,
}

/// What is done about a value that is missing or cannot be read.
#[derive(Debug, Clone, Copy)]
pub enum Refusals {
    /// An exception of its own for each kind, which advice may answer.
    ByKind(&'static Kinds),
    /// An exception that carries its status: 404 for path and query, 400 for the rest; what cannot be read comes as the library throws it.
    ByPlace(&'static Places),
    /// What the settings of the dispatcher say.
    ByDocument,
    /// Not known.
    Unknown,
}

/// Full names of the exceptions for each kind of refusal.
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
    /// A text is no value of the parameter's type.
    pub mismatch: &'static str,
}

/// Full names of the exceptions for each place of a refused value.
#[derive(Debug)]
pub struct Places {
    /// For path and query: 404.
    pub not_found: &'static str,
    /// For the rest: 400.
    pub bad_request: &'static str,
    /// What the library throws for a body that it cannot read.
    pub unreadable: &'static str,
}

/// What is filled from several parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Objects {
    /// Properties, by setters or a constructor, and pages of rows.
    Properties,
    /// Fields that are annotated as parameters.
    Fields,
    /// Nothing that is followed.
    No,
}

/// Who checks constraints, and what a violation comes to.
#[derive(Debug, Clone, Copy)]
pub struct Validation {
    /// Whether a proxy around a class that says so checks its methods' parameters.
    pub proxies: bool,
    /// Whether a violated body comes to an exception with an error for each field.
    pub tells_fields: bool,
    /// The exception that a violated body comes to elsewhere, by full name.
    pub violation: &'static str,
}

/// What becomes of exceptions.
#[derive(Debug, Clone, Copy)]
pub struct Failures {
    /// The status where nothing answers an exception.
    pub uncaught: u16,
    /// Exceptions that carry their status, by full name.
    pub carriers: &'static [&'static str],
    /// Its exceptions: what they extend, and what they carry.
    pub exceptions: &'static [LibraryException],
    /// Whether statuses of errors pass an error page of the application.
    pub has_error_page: bool,
    /// Whether denied access is answered by the security chain.
    pub denies_by_chain: bool,
    /// Whether what an exception handler returns may name a view.
    pub names_views: bool,
    /// Whose advice is asked.
    pub advice: Advice,
    /// Whether the library that reads bodies answers what it refuses by itself.
    pub reader_answers: bool,
}

/// Whose advice is asked for an exception.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Advice {
    /// `@ExceptionHandler` of controllers and advice classes.
    Controllers,
    /// The same, but whether it is asked depends on the release.
    Uncertain,
    /// Exception mappers.
    Mappers,
    /// Nobody's: nothing of the project answers an exception.
    Nobody,
    /// Not known: all may be.
    Unknown,
}

impl Advice {
    /// Whether rules of this family may be asked here.
    pub fn takes(self, family: Self) -> bool {
        match self {
            Self::Unknown => true,
            Self::Nobody => false,
            Self::Mappers => family == Self::Mappers,
            Self::Controllers | Self::Uncertain => family != Self::Mappers,
        }
    }
}

/// How what is returned becomes an answer.
#[derive(Debug, Clone, Copy)]
pub struct Body {
    /// The status of success where nothing is returned.
    pub empty_status: u16,
    /// Whether a null in place of a whole response is an empty answer of success.
    pub null_is_empty: bool,
    /// Whether a text may name a view.
    pub names_views: bool,
    /// Whether texts are labelled as plain text where the mapping names no media type.
    pub labels_texts: bool,
    /// Whether problems of RFC 9457 carry their status.
    pub knows_problems: bool,
    /// Which library writes JSON.
    pub json: Json,
    /// Whether the build's release decides how dates are written.
    pub boot_writes_dates: bool,
    /// Whether annotations of XML say nothing of JSON.
    pub plain_xml: bool,
}

/// Which library reads and writes JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Json {
    /// Jackson, unless the project configures another one.
    Jackson,
    /// The provider that the build names.
    OfBuild,
}

/// What may stand around a handler.
#[derive(Debug, Clone, Copy)]
pub struct Middleware {
    /// Whether security chains that the project configures guard requests.
    pub security: bool,
    /// Whether the security library guards every path where it is there and nothing is configured.
    pub guards_by_default: bool,
    /// Whether interceptors run before handlers.
    pub interceptors: bool,
    /// Whether the project's argument resolvers are asked after the framework's own.
    pub resolvers: bool,
    /// Whether the build may bring another library for JSON.
    pub chooses_json: bool,
    /// What becomes of request filters of resources.
    pub request_filters: RequestFilters,
    /// Simple names of library types whose project subtypes run around requests, with what they do.
    pub around: &'static [(&'static str, &'static str)],
}

/// What becomes of request filters of resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestFilters {
    /// They run before the handler.
    Run,
    /// They have no part in it.
    Apart,
    /// Not known.
    Unknown,
}

/// On which threads handlers run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threads {
    /// One for each request.
    OfRequest,
    /// One for each request, unless the build brings the reactive library alone.
    ByBuild,
}

/// A record in which nothing is decided: what is not modelled, and what records are made of.
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
    },
    failures: Failures {
        uncaught: 500,
        carriers: &[],
        exceptions: &[],
        has_error_page: false,
        denies_by_chain: false,
        names_views: false,
        advice: Advice::Unknown,
        reader_answers: false,
    },
    body: Body {
        empty_status: 200,
        null_is_empty: false,
        names_views: false,
        labels_texts: false,
        knows_problems: false,
        json: Json::OfBuild,
        boot_writes_dates: false,
        plain_xml: false,
    },
    middleware: Middleware {
        security: true,
        guards_by_default: false,
        interceptors: false,
        resolvers: false,
        chooses_json: false,
        request_filters: RequestFilters::Unknown,
        around: &[],
    },
    threads: Threads::OfRequest,
};

/// What a model named, of which nothing else is known.
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
