//! The sticky comment: one for each pull request and key. It is edited in place, never overwritten by an older run, and
//! not created without news. The text comes ready; `report_md` decides its size.

use super::marker::Marker;

/// A comment on the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// Its id; newer comments have higher ids.
    pub id: u64,
    /// Login of its author.
    pub author: String,
    /// Its text.
    pub body: String,
}

/// Why a comment could not be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The token lacks permission: read-only, from a fork, or without `pull-requests: write`.
    #[error("the token may not do it ({status}: {message})")]
    NoRight {
        /// HTTP status of the answer.
        status: u16,
        /// Message of the host.
        message: String,
    },
    /// The pull request or repository does not exist for this token.
    #[error("it is not there for this token (404: {message})")]
    NotThere {
        /// Message of the host.
        message: String,
    },
    /// A rate limit that lasts longer than mastor waits.
    #[error("the rate limit is reached for {seconds} s more")]
    RateLimit {
        /// Seconds until it ends.
        seconds: u64,
    },
    /// No usable answer after all retries.
    #[error("{0}")]
    Failed(String),
}

/// Operations on the comments of a pull request's host.
pub trait Comments {
    /// The login of the author of mastor's comments.
    fn author(&self) -> Result<String, Trouble>;
    /// All comments on all pages, oldest first.
    fn all(&self) -> Result<Vec<Comment>, Trouble>;
    /// The current state of a comment; `None` if it was deleted.
    fn one(&self, id: u64) -> Result<Option<Comment>, Trouble>;
    /// Creates a comment.
    fn create(&self, body: &str) -> Result<Comment, Trouble>;
    /// Replaces a comment's text.
    fn update(&self, id: u64, body: &str) -> Result<(), Trouble>;
    /// Deletes a comment.
    fn delete(&self, id: u64) -> Result<(), Trouble>;
}

/// What happened to the comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Posted {
    /// It was created.
    Created(u64),
    /// An existing comment was edited.
    Updated(u64),
    /// An existing comment had this text already.
    Same(u64),
    /// A comment of a newer run exists and was kept.
    NewerThere(u64),
    /// There is no news and no existing comment.
    Silent,
}

/// Maximum number of attempts where other runs write at the same time.
const ROUNDS: usize = 4;

/// Creates or updates the comment with `text` below `marker`. Without news, an existing comment is edited but none
/// created.
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
            // Another run may create one at the same time; the next round detects that and deletes one of them.
            created = match host.create(&body) {
                Ok(comment) => Some(comment.id),
                // The comment may have been created although the request failed.
                Err(Trouble::Failed(why)) if !arrived(host, &author, marker)? => return Err(Trouble::Failed(why)),
                Err(Trouble::Failed(_)) => None,
                Err(other) => return Err(other),
            };
            continue;
        };
        if last.stamp > marker.stamp {
            // Delete what this run created meanwhile, so that only the newer run's comment remains.
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
        // Check again just before writing, since a newer run may have written meanwhile.
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

/// Whether this run's comment exists.
fn arrived(host: &impl Comments, author: &str, marker: &Marker) -> Result<bool, Trouble> {
    Ok(ours(host.all()?, author, &marker.key).iter().any(|(_, there)| there.stamp == marker.stamp))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use mastor_types::ci_run::RunStamp;

    /// A fake host that lets other runs write between two requests.
    #[derive(Default)]
    struct Host {
        comments: RefCell<Vec<Comment>>,
        /// Comments that another run writes before the request with this number, counted from 1.
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
        // The newer run's comment is created first while this run creates its own.
        let host = Host::default();
        host.meanwhile.borrow_mut().push((2, by(US, 7, 5, "newer")));
        assert_eq!(post(&host, &marker(4, 1), "older", true), Ok(Posted::NewerThere(7)));
        assert_eq!(host.comments.borrow().len(), 1);
        assert!(host.comments.borrow()[0].body.ends_with("newer"));
        // The older run's comment is created while this newer run creates its own.
        let host = Host::default();
        host.meanwhile.borrow_mut().push((2, by(US, 7, 3, "older")));
        assert!(matches!(post(&host, &marker(4, 1), "newer", true), Ok(Posted::Updated(7))));
        assert_eq!(host.comments.borrow().len(), 1);
        assert!(host.comments.borrow()[0].body.ends_with("newer"));
        // A newer run edits the comment between this run's read and write.
        let host = Host::default();
        host.comments.borrow_mut().push(by(US, 1, 1, "first"));
        host.meanwhile.borrow_mut().push((2, by(US, 1, 9, "newest")));
        assert_eq!(post(&host, &marker(4, 1), "older", true), Ok(Posted::NewerThere(1)));
        assert!(host.comments.borrow()[0].body.ends_with("newest"));
    }
}
