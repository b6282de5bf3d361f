//! A list with inline storage for a few items; it allocates only when it grows beyond them.

/// Capacity of the inline storage.
const FEW: usize = 6;

/// A list that is almost always short. Short lists need no allocation, which matters because millions are created.
#[derive(Clone)]
pub struct SmallList<T: Copy> {
    few: [T; FEW],
    /// All items, once there are more than [`FEW`].
    many: Vec<T>,
    /// Index of the next item; earlier items are already taken.
    at: usize,
    end: usize,
}

impl<T: Copy> SmallList<T> {
    /// An empty list. `any` fills the unused inline slots and is never returned.
    pub fn none(any: T) -> Self {
        Self { few: [any; FEW], many: Vec::new(), at: 0, end: 0 }
    }

    /// Adds an item.
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

impl<T: Copy> std::ops::Deref for SmallList<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        let all: &[T] = if self.end > FEW { &self.many } else { &self.few };
        all.get(self.at..self.end).unwrap_or_default()
    }
}

impl<T: Copy> IntoIterator for SmallList<T> {
    type Item = T;
    type IntoIter = SmallListIter<T>;

    fn into_iter(self) -> SmallListIter<T> {
        SmallListIter(self)
    }
}

/// Iterates over the items of a [`SmallList`].
pub struct SmallListIter<T: Copy>(SmallList<T>);

impl<T: Copy> Iterator for SmallListIter<T> {
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

impl<T: Copy> ExactSizeIterator for SmallListIter<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_are_the_same_list() {
        for count in 0..20 {
            let mut list = SmallList::none(99);
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
