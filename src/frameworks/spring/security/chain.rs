//! One chain of security filters, as read from its configuration, and what it makes of a request.

use super::caller::Caller;
use super::generation::Generation;
use super::patterns::covers;
use super::words;
use crate::java::ids::{MemberId, TypeId};
use crate::types::Method;

/// What a chain makes of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It goes through.
    Open,
    /// It is answered by the chain.
    Refused(Refusal),
    /// That is not known, and why.
    Unknown(String),
}

/// How a chain answers a caller whom it does not let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Status.
    pub status: u16,
    /// Where it sends the caller, as a path of the service.
    pub location: Option<String>,
}

impl Refusal {
    /// A status alone.
    pub fn status(status: u16) -> Self {
        Self { status, location: None }
    }

    /// Whether the server's error page is asked for the body.
    pub fn is_error(&self) -> bool {
        self.status >= 400
    }
}

/// A set of paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Paths {
    /// Every path.
    All,
    /// Paths that a pattern covers.
    Pattern(String),
    /// Paths of libraries, below these prefixes.
    Library(&'static [&'static str]),
    /// It is not known which.
    Unknown,
}

impl Paths {
    /// Whether a path is one of them.
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

/// Which requests a rule is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requests {
    /// The method; `None` for all, and where it is not known.
    pub method: Option<Method>,
    /// The paths, any of them.
    pub paths: Vec<Paths>,
}

impl Requests {
    /// Whether a request is one of them.
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

/// Who may send a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// Anyone.
    Everyone,
    /// Only callers who are somebody.
    Somebody,
    /// Callers for whom an expression holds.
    When(String),
    /// Callers with an authority whose name is not in sight.
    Hidden,
    /// That is not known, and why.
    Unknown(String),
}

impl Access {
    /// Whether a caller may send it; the error says why that is not known.
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

/// How a caller who is nobody is asked to say who it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entries {
    /// HTTP basic authentication.
    pub basic: bool,
    /// A page to log in at.
    pub form: Option<String>,
    /// Tokens of OAuth.
    pub bearer: bool,
    /// A status that the configuration sets.
    pub own: Option<u16>,
    /// Whether somebody who may not is answered by code of the project.
    pub own_denial: bool,
    /// What is not understood.
    pub unclear: Option<String>,
}

impl Entries {
    /// What is answered; the client takes any media type.
    pub fn refusal(&self, generation: Generation) -> Result<Refusal, String> {
        if let Some(why) = &self.unclear {
            return Err(why.clone());
        }
        match (self.own, self.basic, &self.form, self.bearer) {
            (Some(status), ..) => Ok(Refusal::status(status)),
            (None, true, None, false) | (None, false, None, true) => Ok(Refusal::status(401)),
            (None, false, Some(page), false) => Ok(Refusal { status: 302, location: Some(page.clone()) }),
            (None, false, None, false) => Ok(Refusal::status(403)),
            // A browser is sent to the page, any other client is asked for a password.
            (None, true, Some(_), false) if generation >= Generation::Five => Ok(Refusal::status(401)),
            _ => Err("how callers are asked who they are is not understood".to_owned()),
        }
    }
}

/// One chain.
#[derive(Debug, Clone)]
pub struct Chain {
    /// The class that configures it.
    pub owner: TypeId,
    /// The method that does; `None` for what the framework makes by itself.
    pub member: Option<MemberId>,
    /// The requests that it is for; `None` for all.
    pub scope: Option<Requests>,
    /// Whether requests that write need a token against forgery.
    pub csrf: bool,
    /// Paths where they need none.
    pub unforged: Vec<Paths>,
    /// Rules, the first that fits counts.
    pub rules: Vec<(Requests, Access)>,
    /// Whether what no rule fits is refused.
    pub is_closed: bool,
    /// How callers are asked.
    pub entries: Entries,
    /// What of it is not understood.
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

    /// What the rules say of a request, the token against forgery aside.
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

    /// What the chain makes of a request.
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
            // Who logs in by a form may have been given a token, and send it.
            Some(false) if *caller != Caller::Nobody => {
                Verdict::Unknown("whether a user sends a token against forgery is not known".to_owned())
            }
            // What is forbidden goes to the error page, which may be guarded itself.
            Some(false) => match self.lets(Method::Post, "/error", generation, caller) {
                Verdict::Open => Verdict::Refused(Refusal::status(403)),
                Verdict::Refused(_) if generation == Generation::Four => Verdict::Refused(Refusal::status(403)),
                other => other,
            },
            None => Verdict::Unknown("whether a token against forgery is needed is not known".to_owned()),
        }
    }

    /// The answer to a caller who may not: who is nobody is asked who it is.
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
