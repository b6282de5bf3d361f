//! Rate limits: waits so that no minute has more requests or tokens than the endpoint allows; requests are served in
//! order.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The window over which limits are counted.
const MINUTE: Duration = Duration::from_secs(60);

/// Requests of the last minute, and the limits.
#[derive(Debug)]
pub(super) struct Pace {
    requests: Option<usize>,
    tokens: Option<u64>,
    sent: Mutex<Sent>,
    /// Held by the request that waits at the head of the queue.
    turn: tokio::sync::Mutex<()>,
    /// Notified when a request used fewer tokens than expected.
    smaller: tokio::sync::Notify,
}

#[derive(Debug, Default)]
struct Sent {
    /// Time, tokens and id of each request.
    requests: VecDeque<(Instant, u64, u64)>,
    next: u64,
}

/// The id of a request that was let through; `None` without limits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ticket(Option<u64>);

impl Pace {
    pub(super) fn new(requests: Option<u32>, tokens: Option<u64>) -> Self {
        Self {
            requests: requests.map(|requests| requests.max(1) as usize),
            tokens,
            sent: Mutex::default(),
            turn: tokio::sync::Mutex::default(),
            smaller: tokio::sync::Notify::new(),
        }
    }

    /// Waits until a request of this many tokens may be sent.
    pub(super) async fn enter(&self, tokens: u64) -> Ticket {
        if self.requests.is_none() && self.tokens.is_none() {
            return Ticket(None);
        }
        let _turn = self.turn.lock().await;
        loop {
            let changed = self.smaller.notified();
            let wait = match self.try_enter(Instant::now(), tokens) {
                Ok(ticket) => return ticket,
                Err(wait) => wait,
            };
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = changed => {}
            }
        }
    }

    fn try_enter(&self, now: Instant, tokens: u64) -> Result<Ticket, Duration> {
        let mut sent = self.lock();
        while sent.requests.front().is_some_and(|(at, ..)| now.duration_since(*at) >= MINUTE) {
            sent.requests.pop_front();
        }
        let many = self.requests.is_some_and(|most| sent.requests.len() >= most);
        let used: u64 = sent.requests.iter().map(|(_, tokens, _)| *tokens).sum();
        // A request that exceeds the limit by itself is let through when the window is empty, since it would otherwise
        // wait for ever.
        let large = self.tokens.is_some_and(|most| !sent.requests.is_empty() && used.saturating_add(tokens) > most);
        if let Some((first, ..)) = sent.requests.front().filter(|_| many || large) {
            return Err((*first + MINUTE).duration_since(now).max(Duration::from_millis(1)));
        }
        let id = sent.next;
        sent.next += 1;
        sent.requests.push_back((now, tokens, id));
        Ok(Ticket(Some(id)))
    }

    /// Corrects the tokens of a request to the number it really used.
    pub(super) fn had(&self, ticket: Ticket, tokens: u64) {
        let Some(id) = ticket.0 else { return };
        let mut sent = self.lock();
        if let Some(request) = sent.requests.iter_mut().find(|(.., other)| *other == id) {
            request.1 = tokens;
        }
        drop(sent);
        self.smaller.notify_one();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Sent> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The time at which a request is let through, in seconds from `start`, on a simulated clock.
    fn enters(pace: &Pace, start: Instant, now: &mut u64, tokens: u64) -> (u64, Ticket) {
        loop {
            match pace.try_enter(start + Duration::from_secs(*now), tokens) {
                Ok(ticket) => return (*now, ticket),
                Err(wait) => *now += wait.as_secs_f64().ceil() as u64,
            }
        }
    }

    #[test]
    fn never_more_requests_than_allowed_within_any_minute() {
        let pace = Pace::new(Some(3), None);
        let (start, mut now) = (Instant::now(), 0);
        let at: Vec<u64> = (0..7).map(|_| enters(&pace, start, &mut now, 1).0).collect();
        assert_eq!(at, [0, 0, 0, 60, 60, 60, 120]);
    }

    #[test]
    fn tokens_count_as_they_turn_out_and_a_giant_goes_alone() {
        let pace = Pace::new(None, Some(100));
        let (start, mut now) = (Instant::now(), 0);
        let (_, first) = enters(&pace, start, &mut now, 80);
        pace.had(first, 20);
        let at: Vec<u64> = [80, 30, 1000].map(|tokens| enters(&pace, start, &mut now, tokens).0).into();
        assert_eq!(at, [0, 60, 120]);
    }

    #[tokio::test]
    async fn who_waits_goes_on_when_another_turns_out_smaller() {
        let pace = Pace::new(None, Some(100));
        let first = pace.enter(100).await;
        let waiting = pace.enter(50);
        tokio::pin!(waiting);
        assert!(futures_util::future::poll_immediate(waiting.as_mut()).await.is_none());
        pace.had(first, 10);
        assert!(futures_util::future::poll_immediate(waiting.as_mut()).await.is_some());
    }
}
