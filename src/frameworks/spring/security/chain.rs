//! One security filter chain, as read from its configuration, and its verdict on a request.

use super::caller::Caller;
use super::generation::Generation;
use super::patterns::covers;
use super::words;
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_types::Method;

/// The verdict of a chain on a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The request passes.
    Open,
    /// The chain answers the request itself.
    Refused(Refusal),
    /// Not known, with the reason.
    Unknown(String),
}

/// The answer of a chain to a caller that it rejects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Status.
    pub status: u16,
    /// Redirect target, as a path of the service.
    pub location: Option<String>,
}

impl Refusal {
    /// An answer with a status only.
    pub fn status(status: u16) -> Self {
        Self { status, location: None }
    }

    /// Whether the server's error page writes the body.
    pub fn is_error(&self) -> bool {
        self.status >= 400
    }
}

/// A set of paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Paths {
    /// Every path.
    All,
    /// Paths that match a pattern.
    Pattern(String),
    /// Library paths with these prefixes.
    Library(&'static [&'static str]),
    /// Unknown paths.
    Unknown,
}

impl Paths {
    /// Whether a path is in the set; `None` if that is not known.
    pub fn holds(&self, path: &str) -> Option<bool> {
        match self {
            Self::All => Some(true),
            Self::Pattern(pattern) => covers(pattern, path),
            Self::Library(prefixes) if prefixes.iter().any(|prefix| path.starts_with(prefix)) => None,
            Self::Library(_) => Some(false),
            Self::Unknown => None,
        }
    }
}

/// The requests to which a rule applies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requests {
    /// The method; `None` for all, or if it is not known.
    pub method: Option<Method>,
    /// The sets of paths; one of them must match.
    pub paths: Vec<Paths>,
}

impl Requests {
    /// Whether the rule applies to a request; `None` if that is not known.
    pub fn hold(&self, method: Method, path: &str) -> Option<bool> {
        if self.method.is_some_and(|own| own != method) {
            return Some(false);
        }
        let mut sure = true;
        for paths in &self.paths {
            match paths.holds(path) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => sure = false,
            }
        }
        sure.then_some(false)
    }
}

/// The callers that may send a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// Anyone.
    Everyone,
    /// Authenticated callers.
    Somebody,
    /// Callers for which an expression is true.
    When(String),
    /// Callers with an authority whose name is not known.
    Hidden,
    /// Not known, with the reason.
    Unknown(String),
}

impl Access {
    /// Whether a caller may send the request; the error says why that is not known.
    fn lets(&self, caller: &Caller) -> Result<bool, String> {
        let unclear = || "an access rule is not understood".to_owned();
        match self {
            Self::Everyone => Ok(true),
            Self::Somebody => Ok(*caller != Caller::Nobody),
            Self::When(text) => words::holds(text, caller).ok_or_else(unclear),
            Self::Hidden if *caller == Caller::Nobody => Ok(false),
            Self::Hidden => Err(unclear()),
            Self::Unknown(why) => Err(why.clone()),
        }
    }
}

/// How an unauthenticated caller is asked to log in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entries {
    /// HTTP basic authentication.
    pub basic: bool,
    /// The path of a login page.
    pub form: Option<String>,
    /// OAuth bearer tokens.
    pub bearer: bool,
    /// A status that the configuration sets.
    pub own: Option<u16>,
    /// Whether code of the project answers an authenticated caller without access.
    pub own_denial: bool,
    /// Configuration that is not understood.
    pub unclear: Option<String>,
}

impl Entries {
    /// The answer to a client that accepts any media type.
    pub fn refusal(&self, generation: Generation) -> Result<Refusal, String> {
        if let Some(why) = &self.unclear {
            return Err(why.clone());
        }
        match (self.own, self.basic, &self.form, self.bearer) {
            (Some(status), ..) => Ok(Refusal::status(status)),
            (None, true, None, false) | (None, false, None, true) => Ok(Refusal::status(401)),
            (None, false, Some(page), false) => Ok(Refusal { status: 302, location: Some(page.clone()) }),
            (None, false, None, false) => Ok(Refusal::status(403)),
            // A browser is redirected to the page; any other client gets the basic challenge.
            (None, true, Some(_), false) if generation >= Generation::Five => Ok(Refusal::status(401)),
            _ => Err("how callers are asked who they are is not understood".to_owned()),
        }
    }
}

/// One security filter chain.
#[derive(Debug, Clone)]
pub struct Chain {
    /// The class that configures it.
    pub owner: TypeId,
    /// The method that configures it; `None` for the framework's default.
    pub member: Option<MemberId>,
    /// The requests that it handles; `None` for all.
    pub scope: Option<Requests>,
    /// Whether writing requests need a CSRF token.
    pub csrf: bool,
    /// Paths that need no CSRF token.
    pub unforged: Vec<Paths>,
    /// Rules; the first that matches counts.
    pub rules: Vec<(Requests, Access)>,
    /// Whether a request that matches no rule is rejected.
    pub is_closed: bool,
    /// How callers are asked to log in.
    pub entries: Entries,
    /// Configuration that is not understood.
    pub unclear: Option<String>,
}

impl Chain {
    /// A chain without rules.
    pub fn new(owner: TypeId, member: Option<MemberId>) -> Self {
        Self {
            owner,
            member,
            scope: None,
            csrf: true,
            unforged: Vec::new(),
            rules: Vec::new(),
            is_closed: false,
            entries: Entries::default(),
            unclear: None,
        }
    }

    /// The verdict of the rules on a request, without the CSRF check.
    pub fn lets(&self, method: Method, path: &str, generation: Generation, caller: &Caller) -> Verdict {
        if let Some(why) = &self.unclear {
            return Verdict::Unknown(why.clone());
        }
        for (requests, access) in &self.rules {
            match requests.hold(method, path) {
                Some(false) => {}
                Some(true) => {
                    return match access.lets(caller) {
                        Ok(true) => Verdict::Open,
                        Ok(false) => self.refused(generation, caller),
                        Err(why) => Verdict::Unknown(why),
                    };
                }
                None => {
                    return Verdict::Unknown("which rule of the security configuration counts is not known".to_owned());
                }
            }
        }
        if self.is_closed { self.refused(generation, caller) } else { Verdict::Open }
    }

    /// The verdict of the chain on a request.
    pub fn verdict(&self, method: Method, path: &str, generation: Generation, caller: &Caller) -> Verdict {
        if let Some(why) = &self.unclear {
            return Verdict::Unknown(why.clone());
        }
        let writes = !method.is_safe();
        if !self.csrf || !writes {
            return self.lets(method, path, generation, caller);
        }
        let free = Requests { method: None, paths: self.unforged.clone() };
        match free.hold(method, path) {
            Some(true) => self.lets(method, path, generation, caller),
            // A caller that logs in by a form may have received a token, and may send it.
            Some(false) if *caller != Caller::Nobody => {
                Verdict::Unknown("whether a user sends a token against forgery is not known".to_owned())
            }
            // A rejected request goes to the error page, which may be guarded too.
            Some(false) => match self.lets(Method::Post, "/error", generation, caller) {
                Verdict::Open => Verdict::Refused(Refusal::status(403)),
                Verdict::Refused(_) if generation == Generation::Four => Verdict::Refused(Refusal::status(403)),
                other => other,
            },
            None => Verdict::Unknown("whether a token against forgery is needed is not known".to_owned()),
        }
    }

    /// The answer to a caller without access: an unauthenticated one is asked to log in.
    pub fn refused(&self, generation: Generation, caller: &Caller) -> Verdict {
        let refusal = match caller {
            Caller::Nobody => self.entries.refusal(generation),
            Caller::Somebody(_) if self.entries.own_denial => {
                Err("who may not is answered by code that is not followed".to_owned())
            }
            Caller::Somebody(_) => Ok(Refusal::status(403)),
        };
        match refusal {
            Ok(refusal) => Verdict::Refused(refusal),
            Err(why) => Verdict::Unknown(why),
        }
    }
}
