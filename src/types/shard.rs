//! Shards: contiguous parts of a run's work, computed alike by every job that knows the operations and the cut.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Maximum number of shards: GitHub's limit of jobs in a matrix.
pub const MOST: u16 = 256;

/// One part of a run, written `2/8`, or `2/8@3-7-…` where the work is not cut evenly: behind the `@` stands, for each shard, the number of
/// operations up to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Shard {
    number: u16,
    of: u16,
    ends: Vec<usize>,
}

/// Why a text is not a shard, or a shard does not fit the work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// The text does not have the form of a shard.
    #[error("`{0}` is no shard: it is written `2/8`, or as `mastor plan --format matrix` gives it")]
    Form(String),
    /// The shard was cut for another number of operations.
    #[error(
        "the shards were cut for {cut} operations, and here are {here}: take the matrix of a plan over the same two commits"
    )]
    OtherWork {
        /// Number of operations it was cut for.
        cut: usize,
        /// Number of operations of this run.
        here: usize,
    },
}

impl Shard {
    /// The whole run as a single shard.
    pub fn whole() -> Self {
        Self { number: 1, of: 1, ends: Vec::new() }
    }

    /// Cuts the work into at most `most` shards, keeping the order and minimising the largest cost of a shard. Each
    /// shard holds at least one operation; without operations there is one empty shard.
    pub fn cut(costs: &[u64], most: u16) -> Vec<Self> {
        let of = usize::from(most.clamp(1, MOST)).min(costs.len()).max(1);
        let fits = |cap: u64| ends(costs, cap).len() <= of;
        let (mut low, mut high) = (costs.iter().copied().max().unwrap_or(0), costs.iter().sum::<u64>());
        while low < high {
            let middle = low + (high - low) / 2;
            if fits(middle) { high = middle } else { low = middle + 1 }
        }
        let mut ends = ends(costs, high);
        // The minimal cap may need fewer shards than allowed; the longest ones are then halved.
        while ends.len() < of {
            let starts = std::iter::once(0).chain(ends.iter().copied());
            let widest = starts.zip(&ends).enumerate().max_by_key(|(at, (from, to))| (**to - from, usize::MAX - at));
            let Some((at, (from, to))) = widest.filter(|(_, (from, to))| **to - from > 1) else { break };
            let middle = from.midpoint(*to);
            ends.insert(at, middle);
        }
        let of = u16::try_from(ends.len().max(1)).unwrap_or(MOST);
        let shard = |number| Self { number, of, ends: if of > 1 { ends.clone() } else { Vec::new() } };
        (1..=of).map(shard).collect()
    }

    /// Number of this shard, from 1.
    pub fn number(&self) -> u16 {
        self.number
    }

    /// Number of all shards.
    pub fn of(&self) -> u16 {
        self.of
    }

    /// The name without the cut, such as `2/8`.
    pub fn name(&self) -> String {
        format!("{}/{}", self.number, self.of)
    }

    /// Whether both shards belong to the same cut.
    pub fn is_of_the_same_cut(&self, other: &Self) -> bool {
        (self.of, &self.ends) == (other.of, &other.ends)
    }

    /// The part of `work` that this shard covers; `work` is in the order in which it was cut.
    ///
    /// # Errors
    /// [`ShardError::OtherWork`] where the shard was cut for another number of operations.
    pub fn part<'w, T>(&self, work: &'w [T]) -> Result<&'w [T], ShardError> {
        let (number, of) = (usize::from(self.number), usize::from(self.of));
        let range = match self.ends.last() {
            None => work.len() * (number - 1) / of..work.len() * number / of,
            Some(last) if *last == work.len() => {
                number.checked_sub(2).map_or(0, |before| self.ends[before])..self.ends[number - 1]
            }
            Some(last) => return Err(ShardError::OtherWork { cut: *last, here: work.len() }),
        };
        Ok(&work[range])
    }
}

/// Ends of shards that are filled in order up to the cost `cap`.
fn ends(costs: &[u64], cap: u64) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut filled = 0_u64;
    for (at, cost) in costs.iter().enumerate() {
        if at > 0 && filled + cost > cap {
            ends.push(at);
            filled = 0;
        }
        filled += cost;
    }
    ends.push(costs.len());
    ends
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)?;
        for (at, end) in self.ends.iter().enumerate() {
            write!(f, "{}{end}", if at == 0 { '@' } else { '-' })?;
        }
        Ok(())
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let wrong = || ShardError::Form(text.chars().take(60).collect());
        let (name, ends) = text.split_once('@').map_or((text, None), |(name, ends)| (name, Some(ends)));
        let (number, of) = name.split_once('/').ok_or_else(wrong)?;
        let plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !plain(number) || !plain(of) {
            return Err(wrong());
        }
        let (number, of): (u16, u16) = (number.parse().map_err(|_| wrong())?, of.parse().map_err(|_| wrong())?);
        let read = |end: &str| if plain(end) { end.parse().map_err(|_| wrong()) } else { Err(wrong()) };
        let ends: Vec<usize> = ends.map(|ends| ends.split('-').map(read).collect()).transpose()?.unwrap_or_default();
        let counted = ends.is_empty() || ends.len() == usize::from(of);
        if number == 0 || number > of || of > MOST || !counted || !ends.is_sorted() {
            return Err(wrong());
        }
        Ok(Self { number, of, ends })
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardError;

    fn try_from(text: String) -> Result<Self, ShardError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_shard_reads_back_as_it_is_written() {
        for text in ["1/1", "2/8", "2/3@1-1-9", "256/256"] {
            assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
        }
        for text in
            ["", "1", "0/2", "3/2", "1/257", "-1/2", "+1/2", "1/2@", "1/2@3", "1/2@4-3", "1/2@a-3", "1/2 ", "1/65536"]
        {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

    #[test]
    fn costs_are_balanced_and_the_order_is_kept() {
        let cut = Shard::cut(&[9, 1, 1, 1, 9, 1], 3);
        let parts: Vec<&[u64]> = cut.iter().map(|shard| shard.part(&[9, 1, 1, 1, 9, 1]).unwrap()).collect();
        assert_eq!(parts, [&[9_u64, 1][..], &[1, 1], &[9, 1]]);
        assert_eq!(Shard::cut(&[], 8), [Shard::whole()]);
        assert_eq!(Shard::cut(&[5], 8), [Shard::whole()]);
        assert_eq!(Shard::cut(&[0, 0, 0], 8).len(), 3);
    }

    #[test]
    fn a_shard_of_other_work_is_refused() {
        let cut = Shard::cut(&[1, 1, 1, 1], 2);
        let error = cut[1].part(&[1, 1, 1]).unwrap_err();
        assert!(error.to_string().contains("cut for 4 operations, and here are 3"), "{error}");
    }

    proptest! {
        #[test]
        fn every_operation_is_in_exactly_one_shard(costs in prop::collection::vec(0_u64..50, 0..80), most in 1_u16..40, even in any::<bool>()) {
            let work: Vec<usize> = (0..costs.len()).collect();
            let shards = if even {
                (1..=most).map(|number| format!("{number}/{most}").parse().unwrap()).collect()
            } else {
                Shard::cut(&costs, most)
            };
            prop_assert!(shards.len() <= usize::from(most));
            let joined: Vec<usize> = shards.iter().flat_map(|shard: &Shard| shard.part(&work).unwrap().to_vec()).collect();
            prop_assert_eq!(joined, work);
        }
    }
}
