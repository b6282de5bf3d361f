//! The ledger: counts usage by agent and subject, and reserves each request's cost within the budget.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use super::ask::{AskError, Limits, Parsed};
use mastor_types::model::{Price, Usage};

/// Usage of one agent for one subject in this run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Spent {
    /// The agent.
    pub agent: String,
    /// The subject.
    pub subject: String,
    /// Usage of the requests sent in this run; for replays, the recorded usage.
    pub usage: Usage,
    /// Number of replies taken from the cache.
    pub kept: u64,
    /// Answers that were parsed directly.
    pub at_once: u64,
    /// Answers that were extracted or repaired.
    pub repaired: u64,
    /// Answers that needed a second question with the error.
    pub re_asked: u64,
    /// Questions without an answer.
    pub failed: u64,
}

/// Budget and usage.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    limits: Limits,
    accounts: Mutex<Accounts>,
    /// Notified when a request ends, since it may have used less than was reserved.
    over: tokio::sync::Notify,
}

#[derive(Debug, Default)]
struct Accounts {
    by: BTreeMap<(String, String), Spent>,
    usd: f64,
    tokens: u64,
    aside_usd: f64,
    aside_tokens: u64,
    in_flight: usize,
    spent_out: Option<String>,
}

/// A reservation for a request in flight; released when dropped.
pub(super) struct Aside<'l> {
    ledger: &'l Ledger,
    usd: f64,
    tokens: u64,
}

impl Drop for Aside<'_> {
    fn drop(&mut self) {
        let mut accounts = self.ledger.lock();
        accounts.aside_usd -= self.usd;
        accounts.aside_tokens -= self.tokens;
        accounts.in_flight -= 1;
        drop(accounts);
        self.ledger.over.notify_waiters();
    }
}

impl Ledger {
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Reserves the maximum cost of a request. Where the budget does not allow it, waits for the requests in flight,
    /// which may use less than reserved.
    ///
    /// # Errors
    /// [`AskError::Budget`], for this and every later request.
    pub(super) async fn put_aside(&self, price: Option<Price>, input: u64, output: u64) -> Result<Aside<'_>, AskError> {
        let usd = price.map_or(0.0, |price| price.of(input, 0, output));
        let tokens = input.saturating_add(output);
        loop {
            let over = self.over.notified();
            tokio::pin!(over);
            over.as_mut().enable();
            {
                let mut accounts = self.lock();
                if let Some(what) = &accounts.spent_out {
                    return Err(AskError::Budget(what.clone()));
                }
                let Some(what) = self.exceeded(&accounts, usd, tokens) else {
                    accounts.aside_usd += usd;
                    accounts.aside_tokens += tokens;
                    accounts.in_flight += 1;
                    return Ok(Aside { ledger: self, usd, tokens });
                };
                if accounts.in_flight == 0 {
                    accounts.spent_out = Some(what.clone());
                    return Err(AskError::Budget(what));
                }
            }
            over.await;
        }
    }

    /// Which limit this additional usage would exceed, if any.
    fn exceeded(&self, accounts: &Accounts, usd: f64, tokens: u64) -> Option<String> {
        if let Some(most) = self.limits.max_tokens
            && accounts.tokens.saturating_add(accounts.aside_tokens).saturating_add(tokens) > most
        {
            return Some(format!("{} of {most} tokens are used, and the next call may take {tokens}", accounts.tokens));
        }
        if let Some(most) = self.limits.max_usd
            && accounts.usd + accounts.aside_usd + usd > most
        {
            return Some(format!("${:.4} of ${most:.2} are used, and the next call may take ${usd:.4}", accounts.usd));
        }
        None
    }

    /// Counts a request. Replayed usage is shown but does not use up the budget.
    pub(super) fn sent(&self, agent: &str, subject: &str, usage: Usage, replayed: bool) {
        let mut accounts = self.lock();
        if !replayed {
            accounts.usd += usage.usd.unwrap_or(0.0);
            accounts.tokens = accounts.tokens.saturating_add(usage.tokens());
        }
        let spent = accounts.of(agent, subject);
        spent.usage = spent.usage.and(usage);
    }

    /// Counts a reply from the cache.
    pub(super) fn kept(&self, agent: &str, subject: &str) {
        self.lock().of(agent, subject).kept += 1;
    }

    /// Counts the end of a question: how its reply was parsed, or that it failed.
    pub(super) fn ended(&self, agent: &str, subject: &str, parsed: Option<Parsed>) {
        let mut accounts = self.lock();
        let spent = accounts.of(agent, subject);
        match parsed {
            Some(Parsed::AtOnce) => spent.at_once += 1,
            Some(Parsed::Repaired) => spent.repaired += 1,
            Some(Parsed::ReAsked) => spent.re_asked += 1,
            None => spent.failed += 1,
        }
    }

    /// All accounts, sorted by agent and subject.
    pub(super) fn accounts(&self) -> Vec<Spent> {
        self.lock().by.values().cloned().collect()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Accounts> {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Accounts {
    fn of(&mut self, agent: &str, subject: &str) -> &mut Spent {
        self.by.entry((agent.to_owned(), subject.to_owned())).or_insert_with(|| Spent {
            agent: agent.to_owned(),
            subject: subject.to_owned(),
            usage: Usage::default(),
            kept: 0,
            at_once: 0,
            repaired: 0,
            re_asked: 0,
            failed: 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_ceiling_holds_with_what_is_in_flight() {
        let ledger = Ledger::new(Limits { max_usd: None, max_tokens: Some(100) });
        let first = ledger.put_aside(None, 40, 20).await.unwrap();
        let waiting = ledger.put_aside(None, 30, 20);
        tokio::pin!(waiting);
        // The first request may use less than reserved, so the second waits.
        assert!(futures_util::future::poll_immediate(waiting.as_mut()).await.is_none());
        ledger.sent("A", "x", Usage { calls: 1, input_tokens: 40, output_tokens: 5, ..Usage::default() }, false);
        drop(first);
        drop(waiting.await.unwrap());
        let error = ledger.put_aside(None, 50, 20).await.err().unwrap();
        assert_eq!(error, AskError::Budget("45 of 100 tokens are used, and the next call may take 70".to_owned()));
        assert!(ledger.put_aside(None, 1, 1).await.is_err(), "once spent, it stays so");
        assert_eq!(ledger.accounts()[0].usage.tokens(), 45);
    }

    #[tokio::test]
    async fn money_is_counted_where_there_is_a_price() {
        let ledger = Ledger::new(Limits { max_usd: Some(1.0), max_tokens: None });
        let price = Some(Price { input: 1.0, cached: 0.1, output: 4.0 });
        drop(ledger.put_aside(price, 200_000, 200_000).await.unwrap());
        assert!(ledger.put_aside(price, 200_001, 200_000).await.is_err());
    }
}
