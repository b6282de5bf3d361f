//! The sticky comment: one a pull request and key, edited in place, never overwritten by an older run, none while there is nothing to say.

use super::marker::Marker;

/// A comment as far as we look at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// Its id; ids grow.
    pub id: u64,
    /// Login of its author.
    pub author: String,
    /// Its text.
    pub body: String,
}

/// Why a comment could not be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The token may not: read only, of a fork, or without `pull-requests: write`.
    #[error("the token may not do it ({status}: {message})")]
    NoRight {
        /// Status of the answer.
        status: u16,
        /// What the host says.
        message: String,
    },
    /// The pull request or repository is not there for this token.
    #[error("it is not there for this token (404: {message})")]
    NotThere {
        /// What the host says.
        message: String,
    },
    /// The host limits how much may be asked, beyond the time that we wait.
    #[error("the rate limit is reached for {seconds} s more")]
    RateLimit {
        /// Seconds until it is lifted.
        seconds: u64,
    },
    /// No answer, or one that nothing can be made of, after all tries.
    #[error("{0}")]
    Failed(String),
}

/// What the host of a pull request is asked for.
pub trait Comments {
    /// The login that our comments carry.
    fn author(&self) -> Result<String, Trouble>;
    /// Every comment, over all pages, oldest first.
    fn all(&self) -> Result<Vec<Comment>, Trouble>;
    /// One comment as it stands now; none where it was deleted.
    fn one(&self, id: u64) -> Result<Option<Comment>, Trouble>;
    /// Writes a new comment.
    fn create(&self, body: &str) -> Result<Comment, Trouble>;
    /// Replaces the text of a comment.
    fn update(&self, id: u64, body: &str) -> Result<(), Trouble>;
    /// Deletes a comment.
    fn delete(&self, id: u64) -> Result<(), Trouble>;
}

/// What became of the comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Posted {
    /// It is new.
    Created(u64),
    /// The one that was there says it now.
    Updated(u64),
    /// The one that was there said it already.
    Same(u64),
    /// One of a newer run is there, and stays.
    NewerThere(u64),
    /// There is nothing to say, and no comment that says otherwise.
    Silent,
}

/// How often it is begun anew where other runs write at the same time.
const ROUNDS: usize = 4;

/// Brings `text` to the pull request below `marker`. Without news a comment is only edited, never made.
///
/// # Errors
/// Where the host refuses or does not answer.
pub fn post(host: &impl Comments, marker: &Marker, text: &str, news: bool) -> Result<Posted, Trouble> {
    let author = host.author()?;
    let body = format!("{}\n{text}", marker.line());
    let mut created = None;
    for _ in 0..ROUNDS {
        let ours = ours(host.all()?, &author, &marker.key);
        let Some(((first, _), last)) = ours.first().cloned().zip(newest(&ours)) else {
            if !news {
                return Ok(Posted::Silent);
            }
            // Another run may do the same in this moment: the next round finds out, and leaves one of the two.
            created = match host.create(&body) {
                Ok(comment) => Some(comment.id),
                // It may have arrived all the same.
                Err(Trouble::Failed(why)) if !arrived(host, &author, marker)? => return Err(Trouble::Failed(why)),
                Err(Trouble::Failed(_)) => None,
                Err(other) => return Err(other),
            };
            continue;
        };
        if last.stamp > marker.stamp {
            // What this run made in the meantime must not stay beside the newer one's.
            for (comment, own) in ours.iter().skip(1).filter(|(_, own)| own.stamp == marker.stamp) {
                debug_assert_eq!(own.key, marker.key);
                host.delete(comment.id)?;
            }
            return Ok(Posted::NewerThere(first.id));
        }
        for (comment, _) in ours.iter().skip(1) {
            host.delete(comment.id)?;
        }
        if first.body.trim_end() == body.trim_end() {
            return Ok(if created == Some(first.id) { Posted::Created(first.id) } else { Posted::Same(first.id) });
        }
        // Just before writing it is looked at again: a newer run may have been faster.
        match host.one(first.id)? {
            None => continue,
            Some(now) if Marker::read(&now.body).is_some_and(|now| now.stamp > marker.stamp) => {
                return Ok(Posted::NewerThere(first.id));
            }
            Some(_) => {
                host.update(first.id, &body)?;
                return Ok(Posted::Updated(first.id));
            }
        }
    }
    Err(Trouble::Failed("other runs kept writing the same comment".to_owned()))
}

/// Comments of this author and key with their markers, oldest first.
fn ours(all: Vec<Comment>, author: &str, key: &str) -> Vec<(Comment, Marker)> {
    let mut ours: Vec<(Comment, Marker)> = all
        .into_iter()
        .filter(|comment| comment.author.eq_ignore_ascii_case(author))
        .filter_map(|comment| Marker::read(&comment.body).map(|marker| (comment, marker)))
        .filter(|(_, marker)| marker.key == key)
        .collect();
    ours.sort_by_key(|(comment, _)| comment.id);
    ours
}

fn newest(ours: &[(Comment, Marker)]) -> Option<Marker> {
    ours.iter().map(|(_, marker)| marker).max_by_key(|marker| marker.stamp).cloned()
}

/// Whether a comment of this very run is there.
fn arrived(host: &impl Comments, author: &str, marker: &Marker) -> Result<bool, Trouble> {
    Ok(ours(host.all()?, author, &marker.key).iter().any(|(_, there)| there.stamp == marker.stamp))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::types::ci_run::RunStamp;

    /// A host that holds comments, and lets others write between our requests.
    #[derive(Default)]
    struct Host {
        comments: RefCell<Vec<Comment>>,
        /// Done before the request of this number, from 1: what another run does at that moment.
        meanwhile: RefCell<Vec<(usize, Comment)>>,
        asked: RefCell<usize>,
    }

    const US: &str = "github-actions[bot]";

    impl Host {
        fn tick(&self) {
            *self.asked.borrow_mut() += 1;
            let now = *self.asked.borrow();
            for (_, comment) in self.meanwhile.borrow().iter().filter(|(at, _)| *at == now) {
                let mut comments = self.comments.borrow_mut();
                match comments.iter_mut().find(|there| there.id == comment.id) {
                    Some(there) => *there = comment.clone(),
                    None => comments.push(comment.clone()),
                }
            }
        }
    }

    impl Comments for Host {
        fn author(&self) -> Result<String, Trouble> {
            Ok(US.to_owned())
        }
        fn all(&self) -> Result<Vec<Comment>, Trouble> {
            self.tick();
            Ok(self.comments.borrow().clone())
        }
        fn one(&self, id: u64) -> Result<Option<Comment>, Trouble> {
            self.tick();
            Ok(self.comments.borrow().iter().find(|comment| comment.id == id).cloned())
        }
        fn create(&self, body: &str) -> Result<Comment, Trouble> {
            self.tick();
            let id = self.comments.borrow().iter().map(|comment| comment.id).max().unwrap_or(0) + 1;
            let comment = Comment { id, author: US.to_owned(), body: body.to_owned() };
            self.comments.borrow_mut().push(comment.clone());
            Ok(comment)
        }
        fn update(&self, id: u64, body: &str) -> Result<(), Trouble> {
            self.tick();
            self.comments.borrow_mut().iter_mut().find(|comment| comment.id == id).unwrap().body = body.to_owned();
            Ok(())
        }
        fn delete(&self, id: u64) -> Result<(), Trouble> {
            self.tick();
            self.comments.borrow_mut().retain(|comment| comment.id != id);
            Ok(())
        }
    }

    fn marker(run: u64, attempt: u64) -> Marker {
        Marker { key: "mastor".to_owned(), head: format!("h{run}"), stamp: RunStamp { run, attempt } }
    }

    fn by(author: &str, id: u64, run: u64, text: &str) -> Comment {
        Comment { id, author: author.to_owned(), body: format!("{}\n{text}", marker(run, 1).line()) }
    }

    #[test]
    fn the_first_run_makes_it_and_the_next_edits_it() {
        let host = Host::default();
        assert_eq!(post(&host, &marker(1, 1), "one", true), Ok(Posted::Created(1)));
        assert_eq!(post(&host, &marker(2, 1), "two", true), Ok(Posted::Updated(1)));
        assert_eq!(post(&host, &marker(2, 1), "two", true), Ok(Posted::Same(1)));
        assert_eq!(post(&host, &marker(1, 9), "old", true), Ok(Posted::NewerThere(1)));
        assert_eq!(post(&host, &marker(2, 2), "again", false), Ok(Posted::Updated(1)));
        let comments = host.comments.borrow();
        assert_eq!(comments.len(), 1);
        assert!(comments[0].body.ends_with("again"));
    }

    #[test]
    fn nothing_new_makes_no_comment() {
        let host = Host::default();
        assert_eq!(post(&host, &marker(1, 1), "fine", false), Ok(Posted::Silent));
        assert!(host.comments.borrow().is_empty());
    }

    #[test]
    fn another_bots_comment_with_our_marker_is_left_alone() {
        let host = Host::default();
        host.comments.borrow_mut().push(by("other[bot]", 1, 99, "forged"));
        assert_eq!(post(&host, &marker(2, 1), "ours", true), Ok(Posted::Created(2)));
        assert!(host.comments.borrow()[0].body.ends_with("forged"));
    }

    #[test]
    fn two_runs_at_once_leave_one_comment_with_the_newer_text() {
        // The newer run's comment arrives while ours is being made: it came first on the host.
        let host = Host::default();
        host.meanwhile.borrow_mut().push((2, by(US, 7, 5, "newer")));
        assert_eq!(post(&host, &marker(4, 1), "older", true), Ok(Posted::NewerThere(7)));
        assert_eq!(host.comments.borrow().len(), 1);
        assert!(host.comments.borrow()[0].body.ends_with("newer"));
        // The older run's comment arrives while ours, the newer's, is being made.
        let host = Host::default();
        host.meanwhile.borrow_mut().push((2, by(US, 7, 3, "older")));
        assert!(matches!(post(&host, &marker(4, 1), "newer", true), Ok(Posted::Updated(7))));
        assert_eq!(host.comments.borrow().len(), 1);
        assert!(host.comments.borrow()[0].body.ends_with("newer"));
        // A newer run edits between our look and our write.
        let host = Host::default();
        host.comments.borrow_mut().push(by(US, 1, 1, "first"));
        host.meanwhile.borrow_mut().push((2, by(US, 1, 9, "newest")));
        assert_eq!(post(&host, &marker(4, 1), "older", true), Ok(Posted::NewerThere(1)));
        assert!(host.comments.borrow()[0].body.ends_with("newest"));
    }
}
