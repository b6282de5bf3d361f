//! A bit set of small numbers: indices into a list that the operations of a revision share.

/// A set of numbers.
#[derive(Debug, Clone, Default)]
pub struct IndexSet {
    words: Vec<u64>,
}

impl IndexSet {
    /// Adds a number.
    pub fn insert(&mut self, at: u32) {
        let word = at as usize / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (at % 64);
    }

    /// Removes a number; returns whether it was in the set.
    pub fn remove(&mut self, at: u32) -> bool {
        let was = self.has(at);
        if was {
            self.words[at as usize / 64] &= !(1 << (at % 64));
        }
        was
    }

    /// Whether a number is in the set.
    pub fn has(&self, at: u32) -> bool {
        self.words.get(at as usize / 64).is_some_and(|word| word & (1 << (at % 64)) != 0)
    }

    /// Adds all numbers of another set.
    pub fn join(&mut self, other: &Self) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        self.words.iter_mut().zip(&other.words).for_each(|(own, other)| *own |= other);
    }

    /// The numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        numbers(self.words.iter().copied())
    }

    /// The numbers that both sets hold, ascending.
    pub fn common(&self, other: &Self) -> impl Iterator<Item = u32> {
        numbers(self.words.iter().zip(&other.words).map(|(own, other)| own & other))
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }
}

fn numbers(words: impl Iterator<Item = u64>) -> impl Iterator<Item = u32> {
    words.zip(0..).flat_map(|(word, at): (u64, u32)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros())?;
            left &= left - 1;
            Some(at * 64 + bit)
        })
    })
}

impl FromIterator<u32> for IndexSet {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        let mut places = Self::default();
        numbers.into_iter().for_each(|at| places.insert(at));
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_there_once_and_ascend() {
        let mut places: IndexSet = [200, 3, 64, 63, 3].into_iter().collect();
        assert_eq!(places.iter().collect::<Vec<_>>(), [3, 63, 64, 200]);
        assert!(places.has(64) && !places.has(65) && !places.has(1_000) && places.len() == 4);
        places.join(&[0, 300].into_iter().collect());
        assert!(places.remove(200) && !places.remove(200) && !places.remove(9_000));
        assert_eq!(places.iter().collect::<Vec<_>>(), [0, 3, 63, 64, 300]);
        assert_eq!(places.common(&[3, 4, 64, 999].into_iter().collect()).collect::<Vec<_>>(), [3, 64]);
        let none: IndexSet = [].into_iter().collect();
        assert!(none.is_empty() && !places.is_empty());
    }
}
