//! Marks: sets of small numbers that are cleared in time proportional to their size, so that one allocation serves many
//! closures.

/// A set of numbers from 0.
#[derive(Debug, Default)]
pub struct Marks {
    marked: Vec<bool>,
    list: Vec<u32>,
}

impl Marks {
    /// Adds a number; returns whether it is new.
    pub fn insert(&mut self, at: u32) -> bool {
        let place = at as usize;
        if self.marked.len() <= place {
            self.marked.resize((place + 1).next_power_of_two(), false);
        }
        let new = !std::mem::replace(&mut self.marked[place], true);
        if new {
            self.list.push(at);
        }
        new
    }

    /// Whether a number is in the set.
    pub fn has(&self, at: u32) -> bool {
        self.marked.get(at as usize).copied().unwrap_or(false)
    }

    /// The numbers, in order of insertion.
    pub fn list(&self) -> &[u32] {
        &self.list
    }

    /// Removes every number.
    pub fn clear(&mut self) {
        for at in self.list.drain(..) {
            self.marked[at as usize] = false;
        }
    }
}

/// Flags of numbers from 0.
#[derive(Debug, Default)]
pub struct Flags {
    flags: Vec<u32>,
    list: Vec<u32>,
}

impl Flags {
    /// Sets flags; returns whether one of them was not set before.
    pub fn set(&mut self, at: u32, flags: u32) -> bool {
        let place = at as usize;
        if self.flags.len() <= place {
            self.flags.resize((place + 1).next_power_of_two(), 0);
        }
        let old = self.flags[place];
        if old == 0 && flags != 0 {
            self.list.push(at);
        }
        self.flags[place] = old | flags;
        old | flags != old
    }

    /// Whether one of these flags is set.
    pub fn has(&self, at: u32, flags: u32) -> bool {
        self.flags.get(at as usize).is_some_and(|known| known & flags != 0)
    }

    /// The flags of a number.
    pub fn of(&self, at: u32) -> u32 {
        self.flags.get(at as usize).copied().unwrap_or(0)
    }

    /// Every number that has a flag, with its flags, in the order of its first flag.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        self.list.iter().map(|at| (*at, self.of(*at)))
    }

    /// Numbers with one of these flags, in the order of their first flag.
    pub fn with(&self, flags: u32) -> impl Iterator<Item = u32> {
        self.list.iter().copied().filter(move |at| self.has(*at, flags))
    }

    /// Removes every flag.
    pub fn clear(&mut self) {
        for at in self.list.drain(..) {
            self.flags[at as usize] = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cleared_set_is_as_a_new_one() {
        let mut marks = Marks::default();
        assert!(marks.insert(7) && !marks.insert(7) && marks.insert(0));
        assert!(marks.has(7) && !marks.has(6) && !marks.has(1_000));
        marks.clear();
        assert!(!marks.has(7) && marks.insert(7));
        let mut flags = Flags::default();
        assert!(flags.set(3, 1) && flags.set(3, 2) && !flags.set(3, 3));
        assert_eq!(flags.with(2).collect::<Vec<_>>(), [3]);
        flags.clear();
        assert!(!flags.has(3, 3) && flags.set(3, 1));
    }
}
