//! Reads a chain's configuration from the calls on `HttpSecurity`: fluent (`http.csrf().disable().and()…`), with
//! lambdas, or statement by statement. An unknown call makes the whole chain unclear, never wrong.

use super::chain::{Access, Chain, Paths, Requests};
use super::matchers::{access, matchers};
use crate::code::expressions::{dotted, string_of};
use mastor_java::ir::body::{Body, ExprId, ExprKind, LambdaBody, Root, StmtId, StmtKind};
use mastor_java::ir::ids::{MemberId, TypeId};
use mastor_java::project::index::Project;
use mastor_types::status;

const UNCLEAR: &str = "the security configuration is not understood";

/// The part of the configuration that receives the next call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ConfigPart {
    /// The chain builder.
    Http,
    /// The access rules.
    Rules,
    /// CSRF protection.
    Csrf,
    /// Basic authentication.
    Basic,
    /// Form login.
    Form,
    /// Exception handling.
    Exceptions,
    /// The request matchers of the chain.
    Scope,
    /// Anonymous users.
    Nobody,
    /// A part without an effect on statuses.
    Aside,
}

/// Reads the chain that a method configures; without a method, the adapter's default.
pub fn chain(project: &Project, owner: TypeId, member: Option<MemberId>) -> Chain {
    let mut chain = Chain::new(owner, member);
    match member {
        Some(member) => {
            let mut reader = ChainReader { project, chain: &mut chain, at: ConfigPart::Http, pending: None, depth: 0 };
            if reader.member(member).is_none() {
                chain.unclear = Some(UNCLEAR.to_owned());
            }
        }
        None => by_adapter(&mut chain),
    }
    chain
}

/// The default of `WebSecurityConfigurerAdapter.configure`: everything is guarded, by form login or basic
/// authentication.
fn by_adapter(chain: &mut Chain) {
    chain.rules.push((Requests { method: None, paths: vec![Paths::All] }, Access::Somebody));
    chain.entries.basic = true;
    chain.entries.form = Some("/login".to_owned());
}

/// The requests that `web.ignoring()` excludes from all chains.
pub fn ignored(project: &Project, member: MemberId) -> Requests {
    let mut requests = Requests { method: None, paths: Vec::new() };
    let Some(body) = project.body(member) else {
        return Requests { method: None, paths: vec![Paths::Unknown] };
    };
    for expr in &body.exprs {
        let ExprKind::Call { name, args, .. } = &expr.kind else { continue };
        if matches!(name.as_str(), "antMatchers" | "mvcMatchers" | "requestMatchers" | "regexMatchers") {
            match matchers(project, member.ty, &body, name, args) {
                Some(own) if own.method.is_none() => requests.paths.extend(own.paths),
                // A matcher with a method is not followed.
                _ => requests.paths.push(Paths::Unknown),
            }
        }
    }
    requests
}

struct ChainReader<'a> {
    project: &'a Project,
    chain: &'a mut Chain,
    at: ConfigPart,
    pending: Option<Requests>,
    depth: u32,
}

impl ChainReader<'_> {
    fn member(&mut self, member: MemberId) -> Option<()> {
        self.depth += 1;
        if self.depth > 6 {
            return None;
        }
        let body = self.project.body(member)?;
        let Some(Root::Stmt(root)) = body.root else { return None };
        self.statement(member.ty, &body, root)
    }

    fn statement(&mut self, scope: TypeId, body: &Body, at: StmtId) -> Option<()> {
        match &body.stmt(at).kind {
            StmtKind::Block(all) => all.iter().try_for_each(|one| self.statement(scope, body, *one)),
            StmtKind::Expr(expr) => {
                self.at = ConfigPart::Http;
                self.calls(scope, body, *expr)
            }
            StmtKind::Return(Some(expr)) => self.calls(scope, body, *expr),
            StmtKind::Return(None) | StmtKind::Empty => Some(()),
            // An initialiser that uses the builder configures it.
            StmtKind::Local(locals) => locals.iter().filter_map(|local| local.init).try_for_each(|init| {
                let touched = crate::code::expressions::below(body, init)
                    .iter()
                    .any(|id| matches!(&body.expr(*id).kind, ExprKind::Name(name) if is_builder(name)));
                if touched { self.calls(scope, body, init) } else { Some(()) }
            }),
            _ => None,
        }
    }

    /// Follows a chain of calls such as `http.a(…).b(…)`, in order.
    fn calls(&mut self, scope: TypeId, body: &Body, at: ExprId) -> Option<()> {
        match &body.expr(at).kind {
            ExprKind::Name(_) | ExprKind::This(_) => Some(()),
            ExprKind::Call { target: Some(target), name, args, .. } => {
                if let ExprKind::Super(_) = &body.expr(*target).kind {
                    return self.above(scope, name, args.len());
                }
                self.calls(scope, body, *target)?;
                self.call(scope, body, name, args)
            }
            // A helper method that receives the builder.
            ExprKind::Call { target: None, name, args, .. } => {
                let found = self.project.find_method(scope, name, args.len());
                let [only] = found.as_slice() else { return None };
                self.member(*only)
            }
            _ => None,
        }
    }

    fn above(&mut self, scope: TypeId, name: &str, arity: usize) -> Option<()> {
        let inherited = self.project.all_supers(scope).into_iter().find_map(|above| {
            let own = self.project.members(above).find(|member| {
                let facts = self.project.member(*member);
                facts.name == name
                    && facts.params.len() == arity
                    && facts.params.iter().all(|p| p.ty.simple() == "HttpSecurity")
            });
            own.filter(|member| self.project.member(*member).body.is_some())
        });
        match inherited {
            Some(member) => self.member(member),
            None if name == "configure" => {
                by_adapter(self.chain);
                Some(())
            }
            None => None,
        }
    }

    fn call(&mut self, scope: TypeId, body: &Body, name: &str, args: &[ExprId]) -> Option<()> {
        if name == "and" {
            self.at = ConfigPart::Http;
            self.pending = None;
            return Some(());
        }
        if self.at == ConfigPart::Rules && self.rule(scope, body, name, args)? {
            return Some(());
        }
        // A call on the current part; any other call goes to the builder.
        let own = match self.at {
            ConfigPart::Csrf => self.csrf(scope, body, name, args)?,
            ConfigPart::Basic | ConfigPart::Form => self.entry(scope, body, name, args),
            ConfigPart::Exceptions => self.exceptions(scope, body, name, args)?,
            ConfigPart::Scope => match matchers(self.project, scope, body, name, args) {
                Some(requests) => {
                    self.scope(requests);
                    true
                }
                None => false,
            },
            ConfigPart::Nobody if name == "disable" => return None,
            _ => false,
        };
        if own {
            return Some(());
        }
        match self.http(scope, body, name, args) {
            Some(()) => Some(()),
            // A detail of a part that does not affect the status.
            None if matches!(
                self.at,
                ConfigPart::Aside | ConfigPart::Nobody | ConfigPart::Basic | ConfigPart::Form
            ) =>
            {
                Some(())
            }
            None => None,
        }
    }

    fn scope(&mut self, requests: Requests) {
        match &mut self.chain.scope {
            Some(own) if own.method == requests.method => own.paths.extend(requests.paths),
            Some(own) => own.paths.push(Paths::Unknown),
            none => *none = Some(requests),
        }
    }

    /// A call on the builder.
    fn http(&mut self, scope: TypeId, body: &Body, name: &str, args: &[ExprId]) -> Option<()> {
        let part = match name {
            "authorizeRequests" => ConfigPart::Rules,
            "authorizeHttpRequests" | "authorizeExchange" => {
                self.chain.is_closed = true;
                ConfigPart::Rules
            }
            "csrf" => ConfigPart::Csrf,
            "httpBasic" => {
                self.chain.entries.basic = true;
                ConfigPart::Basic
            }
            "formLogin" => {
                self.chain.entries.form = Some("/login".to_owned());
                ConfigPart::Form
            }
            "exceptionHandling" => ConfigPart::Exceptions,
            "anonymous" => ConfigPart::Nobody,
            "oauth2ResourceServer" => {
                self.chain.entries.bearer = true;
                ConfigPart::Aside
            }
            "requestMatchers" | "securityMatchers" if args.is_empty() || is_lambda(body, args) => ConfigPart::Scope,
            "antMatcher" | "mvcMatcher" | "securityMatcher" | "securityMatchers" | "requestMatcher" => {
                let requests = matchers(self.project, scope, body, name, args)?;
                self.scope(requests);
                return Some(());
            }
            "headers" | "sessionManagement" | "cors" | "logout" | "rememberMe" | "requestCache" | "securityContext"
            | "servletApi" => ConfigPart::Aside,
            "build"
            | "disable"
            | "addFilterBefore"
            | "addFilterAfter"
            | "addFilterAt"
            | "addFilter"
            | "authenticationProvider"
            | "userDetailsService"
            | "authenticationManager" => {
                // Filters of the project are handled like all other filters; providers only see credentials.
                self.at = ConfigPart::Http;
                return Some(());
            }
            _ => return None,
        };
        self.at = part;
        self.pending = None;
        for arg in args {
            match &body.expr(*arg).kind {
                ExprKind::Lambda { body: LambdaBody::Expr(inner), .. } => self.calls(scope, body, *inner)?,
                ExprKind::Lambda { body: LambdaBody::Block(block), .. } => {
                    let StmtKind::Block(all) = &body.stmt(*block).kind else { return None };
                    for statement in all {
                        self.at = part;
                        match &body.stmt(*statement).kind {
                            StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) => self.calls(scope, body, *expr)?,
                            _ => return None,
                        }
                    }
                }
                ExprKind::MethodRef { name, .. } => {
                    self.at = part;
                    self.call(scope, body, name, &[])?;
                }
                ExprKind::Call { name, .. } if name == "withDefaults" => {}
                // The configuration in a variable is not visible here.
                _ if part == ConfigPart::Aside => {}
                _ => return None,
            }
        }
        if !args.is_empty() {
            self.at = ConfigPart::Http;
            self.pending = None;
        }
        Some(())
    }

    /// A call on the access rules; `Some(false)` if it is not one of their methods.
    fn rule(&mut self, scope: TypeId, body: &Body, name: &str, args: &[ExprId]) -> Option<bool> {
        if let Some(requests) = self.pending.take() {
            let access = access(self.project, scope, body, name, args)?;
            self.chain.rules.push((requests, access));
            return Some(true);
        }
        match name {
            "anyRequest" | "anyExchange" => self.pending = Some(Requests { method: None, paths: vec![Paths::All] }),
            "antMatchers" | "mvcMatchers" | "requestMatchers" | "pathMatchers" | "regexMatchers" => {
                self.pending = Some(matchers(self.project, scope, body, name, args)?);
            }
            // Rules for other kinds of dispatch than the request itself.
            "dispatcherTypeMatchers" | "shouldFilterAllDispatcherTypes" => {
                if name == "dispatcherTypeMatchers" {
                    let paths = vec![Paths::Pattern("/error".to_owned())];
                    self.pending = Some(Requests { method: None, paths });
                }
            }
            "expressionHandler" | "withObjectPostProcessor" | "filterSecurityInterceptorOncePerRequest" => {}
            _ => return Some(false),
        }
        Some(true)
    }

    fn csrf(&mut self, scope: TypeId, body: &Body, name: &str, args: &[ExprId]) -> Option<bool> {
        match name {
            "disable" => {
                self.chain.csrf = false;
                self.at = ConfigPart::Http;
            }
            "ignoringAntMatchers" | "ignoringRequestMatchers" => {
                let requests = matchers(self.project, scope, body, "antMatchers", args)?;
                self.chain.unforged.extend(requests.paths);
            }
            "requireCsrfProtectionMatcher" => self.chain.unforged.push(Paths::Unknown),
            "csrfTokenRepository" | "csrfTokenRequestHandler" | "sessionAuthenticationStrategy" | "spa" => {}
            _ => return Some(false),
        }
        Some(true)
    }

    /// A call on an authentication mechanism.
    fn entry(&mut self, scope: TypeId, body: &Body, name: &str, args: &[ExprId]) -> bool {
        match (name, self.at) {
            ("disable", ConfigPart::Basic) => self.chain.entries.basic = false,
            ("disable", _) => self.chain.entries.form = None,
            ("loginPage", ConfigPart::Form) => {
                match args.first().and_then(|arg| string_of(self.project, scope, body, *arg)) {
                    Some((page, _)) => self.chain.entries.form = Some(page),
                    None => self.chain.entries.unclear = Some(UNCLEAR.to_owned()),
                }
            }
            ("authenticationEntryPoint", _) => self.own_entry(scope, body, args),
            _ => return false,
        }
        if name == "disable" {
            self.at = ConfigPart::Http;
        }
        true
    }

    fn exceptions(&mut self, scope: TypeId, body: &Body, name: &str, args: &[ExprId]) -> Option<bool> {
        match name {
            "authenticationEntryPoint" => self.own_entry(scope, body, args),
            "defaultAuthenticationEntryPointFor" => self.chain.entries.unclear = Some(UNCLEAR.to_owned()),
            // Unauthenticated callers are asked to log in instead.
            "accessDeniedHandler" | "accessDeniedPage" | "defaultAccessDeniedHandlerFor" => {
                self.chain.entries.own_denial = true;
            }
            _ => return Some(false),
        }
        Some(true)
    }

    /// A configured entry point: those of the framework answer with a fixed status.
    fn own_entry(&mut self, scope: TypeId, body: &Body, args: &[ExprId]) {
        let mut known = None;
        if let Some(arg) = args.first()
            && let ExprKind::New { ty, args, .. } = &body.expr(*arg).kind
        {
            let first = args.first().copied();
            match ty.simple() {
                "HttpStatusEntryPoint" => {
                    let name = first.and_then(|arg| dotted(body, arg));
                    known = name.and_then(|name| status::of_name(name.rsplit('.').next()?));
                }
                "Http403ForbiddenEntryPoint" => known = Some(403),
                "BasicAuthenticationEntryPoint"
                | "BearerTokenAuthenticationEntryPoint"
                | "DigestAuthenticationEntryPoint" => known = Some(401),
                "LoginUrlAuthenticationEntryPoint" => {
                    if let Some((page, _)) = first.and_then(|arg| string_of(self.project, scope, body, arg)) {
                        self.chain.entries.form = Some(page);
                        self.chain.entries.basic = false;
                        return;
                    }
                }
                _ => {}
            }
        }
        match known {
            Some(status) => self.chain.entries.own = Some(status),
            None => {
                self.chain.entries.unclear =
                    Some("callers are asked who they are by code that is not followed".to_owned());
            }
        }
    }
}

fn is_builder(name: &str) -> bool {
    matches!(name, "http" | "httpSecurity" | "security")
}

fn is_lambda(body: &Body, args: &[ExprId]) -> bool {
    matches!(args, [only] if matches!(body.expr(*only).kind, ExprKind::Lambda { .. }))
}
