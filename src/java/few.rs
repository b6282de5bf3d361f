//! A list of a few things, which takes room of its own only where they are many.

/// So many are kept in the list itself.
const FEW: usize = 6;

/// A list that is short almost always: to make one takes no room from the allocator, which millions of them would wait for.
#[derive(Clone)]
pub struct Few<T: Copy> {
    few: [T; FEW],
    /// All of them, where they are more than [`FEW`].
    many: Vec<T>,
    /// Those before are taken already.
    at: usize,
    end: usize,
}

impl<T: Copy> Few<T> {
    /// An empty list. `any` stands in the place of those to come, and is never seen.
    pub fn none(any: T) -> Self {
        Self { few: [any; FEW], many: Vec::new(), at: 0, end: 0 }
    }

    /// Adds one.
    pub fn push(&mut self, item: T) {
        if self.end == FEW {
            self.many.extend_from_slice(&self.few);
        }
        match self.few.get_mut(self.end) {
            Some(place) => *place = item,
            None => self.many.push(item),
        }
        self.end += 1;
    }
}

impl<T: Copy> std::ops::Deref for Few<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        let all: &[T] = if self.end > FEW { &self.many } else { &self.few };
        all.get(self.at..self.end).unwrap_or_default()
    }
}

impl<T: Copy> IntoIterator for Few<T> {
    type Item = T;
    type IntoIter = Each<T>;

    fn into_iter(self) -> Each<T> {
        Each(self)
    }
}

/// The things of a [`Few`], one after the other.
pub struct Each<T: Copy>(Few<T>);

impl<T: Copy> Iterator for Each<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let first = self.0.first().copied()?;
        self.0.at += 1;
        Some(first)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl<T: Copy> ExactSizeIterator for Each<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_are_the_same_list() {
        for count in 0..20 {
            let mut list = Few::none(99);
            (0..count).for_each(|n| list.push(n));
            let expected: Vec<usize> = (0..count).collect();
            assert_eq!(*list, *expected);
            let mut each = list.into_iter();
            assert_eq!(each.len(), count);
            assert_eq!(each.next(), expected.first().copied());
            assert_eq!(each.collect::<Vec<_>>(), expected.get(1..).unwrap_or_default());
        }
    }
}
