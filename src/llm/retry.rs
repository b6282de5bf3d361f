//! Retry settings: how often a request is retried, and how long to wait.

use std::time::{Duration, SystemTime};

/// How often and how soon a request is retried. Waits double without jitter, so that two runs wait equally long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retries {
    /// Maximum attempts of one request, including the first.
    pub tries: u32,
    /// The first wait.
    pub first: Duration,
    /// Longest wait, unless the endpoint asks for more.
    pub longest: Duration,
    /// Longest wait that an endpoint may ask for; one that asks for more counts as unavailable.
    pub patience: Duration,
    /// Number of consecutive questions without a reply after which an endpoint is no longer asked.
    pub failures: u32,
}

impl Default for Retries {
    fn default() -> Self {
        Self {
            tries: 5,
            first: Duration::from_secs(1),
            longest: Duration::from_secs(20),
            patience: Duration::from_secs(120),
            failures: 3,
        }
    }
}

impl Retries {
    /// The wait after this many attempts, where the endpoint asked for `asked`; `None` where the attempts are used up.
    pub(super) fn wait(&self, tried: u32, asked: Option<Duration>) -> Option<Duration> {
        if tried >= self.tries || asked.is_some_and(|asked| asked > self.patience) {
            return None;
        }
        let own = self.first.saturating_mul(1 << tried.saturating_sub(1).min(16)).min(self.longest);
        Some(asked.map_or(own, |asked| asked.max(self.first.min(own))))
    }
}

/// The wait that a `Retry-After` header asks for, as seconds or as a date.
pub(super) fn retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        return (seconds >= 0.0 && seconds.is_finite()).then(|| Duration::from_secs_f64(seconds.min(1e9)));
    }
    let date = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(value).ok()?;
    let date = SystemTime::from(date);
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_a_limit_and_end() {
        let retries = Retries { tries: 4, longest: Duration::from_secs(3), ..Retries::default() };
        let waits: Vec<_> = (1..6).map(|tried| retries.wait(tried, None).map(|wait| wait.as_secs())).collect();
        assert_eq!(waits, [Some(1), Some(2), Some(3), None, None]);
        assert_eq!(retries.wait(1, Some(Duration::from_secs(7))), Some(Duration::from_secs(7)));
        assert_eq!(retries.wait(1, Some(Duration::from_secs(121))), None);
        assert_eq!(retries.wait(2, Some(Duration::ZERO)), Some(Duration::from_secs(1)));
    }

    #[test]
    fn an_endpoint_names_seconds_or_a_date() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        assert_eq!(retry_after("7", now), Some(Duration::from_secs(7)));
        assert_eq!(retry_after(" 1.5 ", now), Some(Duration::from_millis(1500)));
        assert_eq!(retry_after("Sun, 06 Nov 1994 08:50:00 GMT", now), Some(Duration::from_secs(23)));
        assert_eq!(retry_after("Sun, 06 Nov 1994 08:00:00 GMT", now), Some(Duration::ZERO));
        assert_eq!(retry_after("soon", now), None);
        assert_eq!(retry_after("-1", now), None);
    }
}
