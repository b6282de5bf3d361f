//! Rules for secrets that are recognised by their own form, as data.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};

use super::values::{is_placeholder, is_secret};

/// Formats of API keys and tokens by provider: kind and regular expression. The first matching group is the secret,
/// otherwise the whole match.
const TOKENS: &[(&str, &str)] = &[
    ("aws-key", r"\b(?:AKIA|ASIA|AGPA|AIDA|AROA|ABIA|ACCA|ANPA|ANVA)[A-Z2-7]{16}\b"),
    ("aws-secret", r#"(?i)\baws.{0,24}(?:secret|key).{0,24}?['"=:\s>]([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+=]|$)"#),
    ("aws-session", r"\b(?:FwoGZXIvYXdz|IQoJb3JpZ2lu)[A-Za-z0-9/+=]{40,}"),
    ("gcp-key", r"\bAIza[A-Za-z0-9_-]{35}"),
    ("gcp-oauth", r"\bya29\.[A-Za-z0-9_-]{20,}"),
    ("gcp-oauth", r"\bGOCSPX-[A-Za-z0-9_-]{20,}"),
    ("gcp-oauth", r"\b1//0[A-Za-z0-9_-]{30,}"),
    ("azure-key", r"(?i)\b(?:AccountKey|SharedAccessKey|SharedSecretKey)\s*=\s*([A-Za-z0-9+/=%]{20,})"),
    ("azure-sas", r"(?i)[?&;](?:sig|SharedAccessSignature)=([A-Za-z0-9%+/=_-]{20,})"),
    ("azure-secret", r"\b[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}"),
    ("github-token", r"\bgh[pousr]_[A-Za-z0-9]{20,255}"),
    ("github-token", r"\bgithub_pat_[A-Za-z0-9_]{20,255}"),
    ("gitlab-token", r"\bgl(?:pat|ptt|dt|rt|cbt|ft|imt|agent|oas|soat)-[A-Za-z0-9_.-]{16,}"),
    ("gitlab-token", r"\bGR1348941[A-Za-z0-9_-]{20}"),
    ("bitbucket-token", r"\bATBB[A-Za-z0-9]{24,}"),
    ("atlassian-token", r"\bATATT3[A-Za-z0-9_=-]{60,}"),
    ("slack-token", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),
    ("slack-token", r"\bxapp-\d-[A-Za-z0-9-]{10,}"),
    ("slack-hook", r"https://hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/_-]{20,})"),
    ("discord-hook", r"https://(?:ptb\.|canary\.)?discord(?:app)?\.com/api/webhooks/(\d+/[A-Za-z0-9_-]{30,})"),
    ("teams-hook", r"https://[a-z0-9-]+\.webhook\.office\.com/(webhookb2/[A-Za-z0-9@/-]{40,})"),
    ("telegram-token", r"\b\d{8,10}:AA[A-Za-z0-9_-]{32,34}"),
    ("discord-token", r"\b[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}"),
    ("stripe-key", r"\b(?:sk|rk|pk)_(?:live|test|prod)_[A-Za-z0-9]{10,}"),
    ("stripe-key", r"\bwhsec_[A-Za-z0-9+/=]{20,}"),
    ("twilio-key", r"\b(?:SK|AC)[0-9a-f]{32}\b"),
    ("sendgrid-key", r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    ("mailgun-key", r"\bkey-[0-9a-f]{32}\b"),
    ("mailchimp-key", r"\b[0-9a-f]{32}-us\d{1,2}\b"),
    ("brevo-key", r"\bxkeysib-[0-9a-f]{40,}-[A-Za-z0-9]{10,}"),
    ("postmark-key", r"(?i)postmark.{0,30}([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"),
    ("npm-token", r"\bnpm_[A-Za-z0-9]{30,}"),
    ("npm-token", r"(?i)_auth(?:token)?\s*=\s*([A-Za-z0-9+/=_.-]{12,})"),
    ("pypi-token", r"\bpypi-AgE[A-Za-z0-9_-]{40,}"),
    ("rubygems-key", r"\brubygems_[0-9a-f]{40,}"),
    ("crates-token", r"\bcio[A-Za-z0-9]{32}\b"),
    ("nuget-key", r"\boy2[a-z0-9]{43}\b"),
    ("docker-token", r"\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}"),
    ("jfrog-token", r"\b(?:AKCp[A-Za-z0-9]{60,}|cmVmd[A-Za-z0-9]{50,})"),
    ("sonar-token", r"\bsq[uap]_[0-9a-f]{40}\b"),
    ("model-key", r"\bsk-(?:proj-|svcacct-|admin-|ant-|or-v1-|lf-)?[A-Za-z0-9_-]{20,}"),
    ("model-key", r"\b(?:gsk_|xai-|pplx-|r8_|fw_|csk-|nvapi-)[A-Za-z0-9_-]{20,}"),
    ("model-key", r"\bhf_[A-Za-z0-9]{30,}"),
    ("digitalocean-token", r"\bdo[opr]_v1_[0-9a-f]{60,}"),
    ("heroku-key", r"\bHRKU-[A-Za-z0-9_-]{36,}"),
    ("fly-token", r"\bFlyV1 fm\d[A-Za-z0-9+/=_,-]{40,}"),
    ("netlify-token", r"\bnfp_[A-Za-z0-9]{30,}"),
    ("vercel-token", r"\bvc[pkiar]_[A-Za-z0-9]{24,}"),
    ("shopify-token", r"\bshp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}"),
    ("square-token", r"\b(?:EAAA[A-Za-z0-9_-]{50,}|sq0(?:atp|csp)-[A-Za-z0-9_-]{22,})"),
    ("paypal-token", r"\baccess_token\$(?:production|sandbox)\$[a-z0-9]+\$[0-9a-f]{32}"),
    ("facebook-token", r"\bEAA[A-Za-z0-9]{60,}"),
    ("datadog-key", r"(?i)\b(?:dd|datadog).{0,20}(?:api|app).{0,12}([0-9a-f]{32}(?:[0-9a-f]{8})?)\b"),
    ("newrelic-key", r"\bNR(?:AK|II|JS|IQ|RA)-[A-Za-z0-9-]{19,}"),
    ("sentry-token", r"\bsntry[su]_[A-Za-z0-9+/=_-]{40,}"),
    ("sentry-dsn", r"https://([0-9a-f]{32})(?::[0-9a-f]{32})?@[a-z0-9.-]+/\d+"),
    ("grafana-token", r"\bgl(?:sa|c)_[A-Za-z0-9+/=_-]{30,}"),
    ("vault-token", r"\bhv[sbr]\.[A-Za-z0-9_-]{20,}"),
    ("terraform-token", r"\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{40,}"),
    ("pulumi-token", r"\bpul-[0-9a-f]{40}\b"),
    ("databricks-token", r"\bdapi[0-9a-f]{32}(?:-\d)?\b"),
    ("linear-key", r"\blin_(?:api|oauth)_[A-Za-z0-9]{30,}"),
    ("notion-key", r"\b(?:secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,})"),
    ("airtable-key", r"\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}\b"),
    ("figma-token", r"\bfig[do]_[A-Za-z0-9_-]{40,}"),
    ("postman-key", r"\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}\b"),
    ("onepassword-token", r"\bops_eyJ[A-Za-z0-9+/=_-]{40,}"),
    ("age-key", r"\bAGE-SECRET-KEY-1[A-Z0-9]{50,}"),
];

/// Secrets recognised by the text around them, in the same format.
const FORMS: &[(&str, &str)] = &[
    ("jwt", r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?(?:\.[A-Za-z0-9_-]+){0,2}"),
    ("password-hash", r"\$2[abxy]?\$\d\d\$[A-Za-z0-9./]{53}"),
    ("password-hash", r"\$argon2(?:id|i|d)\$v=\d+\$[a-z0-9=,]+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+"),
    ("password-hash", r"\$(?:1|5|6|y|7)\$(?:rounds=\d+\$)?[A-Za-z0-9./]{2,}\$[A-Za-z0-9./]{20,}"),
    (
        "password-hash",
        r"\{(?:bcrypt|pbkdf2|scrypt|argon2|SHA-?256|sha256|SSHA|MD5|ldap|noop)(?:@[A-Za-z0-9_]+)?\}([^\s\x22'<>,;)]{3,})",
    ),
    ("url-password", r#"\b[a-zA-Z][a-zA-Z0-9+.-]*://[^\s:/?#@"'<>{}$]*:([^\s/?#@"'<>]+)@[A-Za-z0-9\[$]"#),
    ("url-password", r#"(?i)\bjdbc:oracle:(?:thin|oci8?):[A-Za-z0-9_$#]+/([^\s@"'<>]+)@"#),
    (
        "authorization",
        r#"(?i)authorization["'\\\s]*(?:[:=,]|\)|=>)\s*["'\\]*\s*(?:bearer|basic|token|digest|negotiate|apikey|key|aws4-hmac-sha256)\s+["'\\]*([A-Za-z0-9+/=._~:-]{6,})"#,
    ),
    ("authorization", r#"(?i)authorization["'\\\s]*[:=,]\s*["'\\]*([A-Za-z0-9+/=._~-]*\d[A-Za-z0-9+/=._~-]{15,})"#),
    ("bearer", r#"(?i)\bbearer\s+([A-Za-z0-9+/=._~-]*\d[A-Za-z0-9+/=._~-]{7,}|[A-Za-z0-9+/=._~-]{40,})"#),
    ("basic", r#"\b[Bb]asic\s+([A-Za-z0-9+/]{6,}={1,2}|[A-Za-z0-9+/]*\d[A-Za-z0-9+/]{11,})"#),
    (
        "cookie",
        r#"(?i)\b(?:JSESSIONID|SESSION|PHPSESSID|connect\.sid|remember-me|sessionid)=([A-Za-z0-9%._+/=-]{12,})"#,
    ),
    ("sql-password", r#"(?i)\bidentified\s+(?:with\s+\w+\s+)?by\s+(?:password\s+)?(?:values\s+)?["']?([^\s"';,]+)"#),
    (
        "sql-password",
        r#"(?i)\b(?:encrypted\s+|with\s+|login\s+|role\s+\w+\s+|user\s+\w+\s+)password\s+(?:=\s*)?["']([^"']+)["']"#,
    ),
    ("sql-password", r#"(?i)\bpassword\s*\(\s*'([^']+)'\s*\)"#),
    ("shell-password", r#"(?:^|[\s"'`])(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n]*?\s-p([^\s"'-][^\s"']*)"#),
    ("shell-password", r#"\bsshpass\s+-p\s*["']?([^\s"']+)"#),
    (
        "shell-password",
        r#"\b(?:curl|wget|http)\b[^\n]*?\s(?:-u|--user|--proxy-user|-a)[\s=]+["']?[^\s:"'$]+:([^\s"'$][^\s"']*)"#,
    ),
    ("shell-password", r#"\blogin\b[^\n]*?\s-p[\s=]+["']?([^\s"'$-][^\s"']*)"#),
    ("shell-password", r#"\bredis-cli\b[^\n]*?\s-a\s+["']?([^\s"'$-][^\s"']*)"#),
    ("shell-password", r"\blogin\s+\S+\s+password\s+(\S+)"),
    ("password-hash", r"\$apr1\$[A-Za-z0-9./]{1,8}\$[A-Za-z0-9./]{22}"),
    (
        "java-password",
        r#"new\s+(?:UsernamePasswordAuthenticationToken|UsernamePasswordCredentials|PasswordAuthentication|UsernameAndPassword|BasicAuthenticationInterceptor|BasicAWSCredentials|BasicAuthRequestInterceptor)\s*\(\s*[^,()]+,\s*"([^"\n]+)""#,
    ),
    (
        "java-password",
        r#"(?:\bgetConnection\s*\([^;\n]*?,\s*[^,;\n]+,\s*|\b(?:setBasicAuth|basicAuthentication|withBasicAuth|httpBasic|basicAuth|encodeBasicAuth|\)\s*\.\s*basic|preemptive\(\)\.basic)\s*\(\s*[^,()\n]+,\s*)"([^"\n]+)""#,
    ),
];

/// The rules as one set (to find which apply to a text) and one by one.
struct Compiled {
    set: RegexSet,
    rules: Vec<(Regex, &'static str)>,
}

static COMPILED_TOKENS: LazyLock<Option<Compiled>> = LazyLock::new(|| compiled(TOKENS));
static COMPILED_FORMS: LazyLock<Option<Compiled>> = LazyLock::new(|| compiled(FORMS));

fn compiled(rules: &[(&'static str, &str)]) -> Option<Compiled> {
    // Unicode word boundaries would be slow on every text that is not ASCII.
    let plain = |form: &str| form.replace(r"\b", r"(?-u:\b)");
    let build = |form: &str| RegexBuilder::new(&plain(form)).size_limit(1 << 26).build().ok();
    let forms = rules.iter().map(|(_, form)| plain(form));
    let set = RegexSetBuilder::new(forms).size_limit(1 << 28).dfa_size_limit(1 << 25).build().ok()?;
    let rules = rules.iter().map(|(name, form)| Some((build(form)?, *name))).collect::<Option<_>>()?;
    Some(Compiled { set, rules })
}

/// Ranges and kinds of providers' keys and tokens.
pub(super) fn tokens(text: &str) -> Vec<(Range<usize>, &'static str)> {
    // Hyphenated words may begin like some keys.
    found(COMPILED_TOKENS.as_ref(), text, |kind, value| {
        !is_placeholder(value) && (kind != "model-key" || value.contains(|c: char| c.is_ascii_digit()))
    })
}

/// Ranges and kinds of secrets recognised by the text around them.
pub(super) fn forms(text: &str) -> Vec<(Range<usize>, &'static str)> {
    found(COMPILED_FORMS.as_ref(), text, |_, value| is_secret(value))
}

fn found(
    rules: Option<&Compiled>,
    text: &str,
    meant: impl Fn(&str, &str) -> bool,
) -> Vec<(Range<usize>, &'static str)> {
    let Some(rules) = rules else { return Vec::new() };
    let mut found = Vec::new();
    for (form, kind) in rules.set.matches(text).iter().filter_map(|at| rules.rules.get(at)) {
        for captures in form.captures_iter(text) {
            let secret = captures.iter().skip(1).flatten().next().or_else(|| captures.get(0));
            if let Some(secret) = secret.filter(|secret| meant(kind, secret.as_str())) {
                found.push((secret.range(), *kind));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_a_regular_expression() {
        for (name, form) in TOKENS.iter().chain(FORMS) {
            assert!(Regex::new(form).is_ok(), "{name}: {:?}", Regex::new(form).err());
        }
        assert!(COMPILED_TOKENS.is_some() && COMPILED_FORMS.is_some());
    }
}
