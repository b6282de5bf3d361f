//! HTTP status codes and the constant names that Java frameworks give them.

/// Constants of `org.springframework.http.HttpStatus` and of `Response.Status` in `javax.ws.rs` and `jakarta.ws.rs`,
/// with their codes.
const NAMES: [(&str, u16); 66] = [
    ("CONTINUE", 100),
    ("SWITCHING_PROTOCOLS", 101),
    ("PROCESSING", 102),
    ("OK", 200),
    ("CREATED", 201),
    ("ACCEPTED", 202),
    ("NON_AUTHORITATIVE_INFORMATION", 203),
    ("NO_CONTENT", 204),
    ("RESET_CONTENT", 205),
    ("PARTIAL_CONTENT", 206),
    ("MULTI_STATUS", 207),
    ("ALREADY_REPORTED", 208),
    ("IM_USED", 226),
    ("MULTIPLE_CHOICES", 300),
    ("MOVED_PERMANENTLY", 301),
    ("FOUND", 302),
    ("MOVED_TEMPORARILY", 302),
    ("SEE_OTHER", 303),
    ("NOT_MODIFIED", 304),
    ("USE_PROXY", 305),
    ("TEMPORARY_REDIRECT", 307),
    ("PERMANENT_REDIRECT", 308),
    ("BAD_REQUEST", 400),
    ("UNAUTHORIZED", 401),
    ("PAYMENT_REQUIRED", 402),
    ("FORBIDDEN", 403),
    ("NOT_FOUND", 404),
    ("METHOD_NOT_ALLOWED", 405),
    ("NOT_ACCEPTABLE", 406),
    ("PROXY_AUTHENTICATION_REQUIRED", 407),
    ("REQUEST_TIMEOUT", 408),
    ("CONFLICT", 409),
    ("GONE", 410),
    ("LENGTH_REQUIRED", 411),
    ("PRECONDITION_FAILED", 412),
    ("PAYLOAD_TOO_LARGE", 413),
    ("CONTENT_TOO_LARGE", 413),
    ("REQUEST_ENTITY_TOO_LARGE", 413),
    ("URI_TOO_LONG", 414),
    ("REQUEST_URI_TOO_LONG", 414),
    ("UNSUPPORTED_MEDIA_TYPE", 415),
    ("REQUESTED_RANGE_NOT_SATISFIABLE", 416),
    ("EXPECTATION_FAILED", 417),
    ("I_AM_A_TEAPOT", 418),
    ("METHOD_FAILURE", 420),
    ("DESTINATION_LOCKED", 421),
    ("UNPROCESSABLE_ENTITY", 422),
    ("UNPROCESSABLE_CONTENT", 422),
    ("LOCKED", 423),
    ("FAILED_DEPENDENCY", 424),
    ("TOO_EARLY", 425),
    ("UPGRADE_REQUIRED", 426),
    ("PRECONDITION_REQUIRED", 428),
    ("TOO_MANY_REQUESTS", 429),
    ("REQUEST_HEADER_FIELDS_TOO_LARGE", 431),
    ("UNAVAILABLE_FOR_LEGAL_REASONS", 451),
    ("INTERNAL_SERVER_ERROR", 500),
    ("NOT_IMPLEMENTED", 501),
    ("BAD_GATEWAY", 502),
    ("SERVICE_UNAVAILABLE", 503),
    ("GATEWAY_TIMEOUT", 504),
    ("HTTP_VERSION_NOT_SUPPORTED", 505),
    ("VARIANT_ALSO_NEGOTIATES", 506),
    ("INSUFFICIENT_STORAGE", 507),
    ("LOOP_DETECTED", 508),
    ("NETWORK_AUTHENTICATION_REQUIRED", 511),
];

/// The code of a constant.
pub fn of_name(name: &str) -> Option<u16> {
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, code)| *code)
}

/// The constant of a code; `None` where framework versions name it differently.
pub fn only_name(code: u16) -> Option<&'static str> {
    let mut names = NAMES.iter().filter(|(_, known)| *known == code);
    let (name, _) = names.next()?;
    names.next().is_none().then_some(*name)
}

/// Reason phrase of a status: `Not Found`.
pub fn phrase(code: u16) -> String {
    let Some((name, _)) = NAMES.iter().find(|(_, known)| *known == code) else { return format!("Status {code}") };
    let word = |word: &str| match word {
        "OK" | "URI" | "HTTP" | "IM" => word.to_owned(),
        _ => {
            let (first, rest) = word.split_at(1);
            format!("{first}{}", rest.to_lowercase())
        }
    };
    name.split('_').map(word).collect::<Vec<_>>().join(" ")
}

/// The code of the first name that is a known constant.
pub fn of_names(names: &[String]) -> Option<u16> {
    names.iter().find_map(|name| of_name(name))
}
