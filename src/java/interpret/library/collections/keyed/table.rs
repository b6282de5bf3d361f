//! The state of maps and sets, with Java's iteration order: by the buckets of a `HashMap` of the same capacity, by
//! insertion, or sorted.

use crate::interpret::values::value::{Contents, Heap, Kind, Native, ObjId, Value};

/// The iteration order of the entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// `HashMap`: by bucket.
    Hash,
    /// `LinkedHashMap`: by insertion.
    Linked,
    /// `TreeMap`: sorted.
    Sorted,
    /// Java does not fix the order: `Map.of`, `ConcurrentHashMap`.
    Open,
}

/// An entry.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Key.
    pub key: Value,
    /// Value; null for sets.
    pub value: Value,
    /// Hash code of the key, if it is the same in every run.
    pub hash: Option<i32>,
    /// Sorts the entries of a bucket; negative for an insertion at the head.
    place: i64,
}

/// Where a new key is inserted in its bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Insert {
    /// `put`: at the end.
    Put,
    /// `merge`, `compute` and `computeIfAbsent`: at the head.
    Compute,
}

/// A map, or a set as a map without values.
#[derive(Debug, Clone)]
pub struct Table {
    /// Iteration order.
    pub order: Order,
    /// Entries: sorted, or in insertion order.
    pub entries: Vec<Entry>,
    /// Modification count: number of structural changes.
    pub mods: u32,
    /// Whether it is a set.
    pub is_set: bool,
    /// Whether it is unmodifiable.
    pub fixed: bool,
    /// Whether it rejects null.
    pub no_null: bool,
    /// Whether reading an entry moves it to the end (access order).
    pub access: bool,
    /// Whether it was filled in an unknown order, so that positions within a bucket are unknown.
    pub loose: bool,
    /// The collection it is a part of, and that collection's modification count when the part was copied; later changes are not visible in it.
    pub of: Option<(ObjId, u32)>,
    /// Comparator of a sorted map or set.
    pub comparator: Option<Value>,
    capacity: usize,
    threshold: usize,
    treed: bool,
    counter: i64,
}

impl Native for Table {
    native_state!();

    fn children(&self) -> Vec<Value> {
        self.entries
            .iter()
            .flat_map(|entry| [entry.key.clone(), entry.value.clone()])
            .chain(self.comparator.clone())
            .collect()
    }

    fn contents(&self, heap: &Heap) -> Option<Contents> {
        if let Some((of, mods)) = self.of
            && let Some(Kind::Native(native)) = heap.get(of).map(|object| &object.kind)
            && native.as_any().downcast_ref::<Self>().is_none_or(|table| table.mods != mods)
        {
            return Some(Contents::Unknown("a part of a collection that changed".to_owned()));
        }
        let sequence = self.sequence();
        let fixed = sequence.is_some();
        let order = sequence.unwrap_or_else(|| (0..self.entries.len()).collect());
        let entries = order.into_iter().map(|at| &self.entries[at]);
        Some(if self.is_set {
            let items = entries.map(|entry| entry.key.clone()).collect();
            if fixed { Contents::Set(items) } else { Contents::Bag(items) }
        } else {
            let pairs = entries.map(|entry| (entry.key.clone(), entry.value.clone())).collect();
            if fixed { Contents::Map(pairs) } else { Contents::Pairs(pairs) }
        })
    }

    fn is_frozen(&self) -> bool {
        self.fixed
    }
}

fn power_of_two(n: usize) -> usize {
    n.max(1).next_power_of_two()
}

impl Table {
    /// An empty map or set.
    pub fn new(order: Order, is_set: bool) -> Self {
        Self {
            order,
            entries: Vec::new(),
            mods: 0,
            is_set,
            fixed: false,
            no_null: false,
            access: false,
            loose: false,
            of: None,
            comparator: None,
            capacity: 0,
            threshold: 0,
            treed: false,
            counter: 0,
        }
    }

    /// Models `new HashMap(capacity)`.
    pub fn sized(mut self, capacity: usize) -> Self {
        self.threshold = power_of_two(capacity);
        self
    }

    /// Resizes the buckets as `putAll` and the copy constructor do before they put this many entries.
    pub fn expect(&mut self, count: usize) {
        if count == 0 {
            return;
        }
        if self.capacity == 0 {
            let wanted = (count as f32 / 0.75 + 1.0) as usize;
            if wanted > self.threshold {
                self.threshold = power_of_two(wanted);
            }
        } else {
            while count > self.threshold {
                self.resize();
            }
        }
    }

    /// Resizes the buckets as `computeIfAbsent`, `compute` and `merge` do before they look for the key.
    pub fn prepare(&mut self) {
        if matches!(self.order, Order::Hash | Order::Linked)
            && (self.capacity == 0 || self.entries.len() > self.threshold)
        {
            self.resize();
        }
    }

    fn resize(&mut self) {
        if self.capacity > 0 {
            let old = self.capacity;
            self.capacity *= 2;
            self.threshold = if old >= 16 { self.threshold * 2 } else { (self.capacity as f32 * 0.75) as usize };
        } else {
            self.capacity = if self.threshold > 0 { self.threshold } else { 16 };
            self.threshold = (self.capacity as f32 * 0.75) as usize;
        }
    }

    fn bucket(&self, hash: i32) -> usize {
        let spread = (hash as u32) ^ ((hash as u32) >> 16);
        spread as usize & (self.capacity.max(1) - 1)
    }

    /// The entries in iteration order; `None` if Java does not fix it.
    pub fn sequence(&self) -> Option<Vec<usize>> {
        let mut order: Vec<usize> = (0..self.entries.len()).collect();
        if order.len() < 2 {
            return Some(order);
        }
        match self.order {
            Order::Linked | Order::Sorted => {}
            Order::Open => return None,
            Order::Hash => {
                if self.treed || self.entries.iter().any(|entry| entry.hash.is_none()) {
                    return None;
                }
                order.sort_by_key(|at| {
                    let entry = &self.entries[*at];
                    (self.bucket(entry.hash.unwrap_or_default()), entry.place)
                });
                let bucket = |at: usize| self.bucket(self.entries[at].hash.unwrap_or_default());
                if self.loose && order.windows(2).any(|pair| bucket(pair[0]) == bucket(pair[1])) {
                    return None;
                }
            }
        }
        Some(order)
    }

    /// Inserts an entry with a new key. `at` is its position in a sorted map or set.
    pub fn insert(&mut self, key: Value, value: Value, hash: Option<i32>, how: Insert, at: usize) {
        self.mods += 1;
        self.counter += 1;
        let place = match how {
            Insert::Put => self.counter,
            Insert::Compute => -self.counter,
        };
        let entry = Entry { key, value, hash, place };
        if self.order == Order::Sorted {
            self.entries.insert(at, entry);
            return;
        }
        if matches!(self.order, Order::Hash | Order::Linked) {
            if self.capacity == 0 {
                self.resize();
            }
            if let Some(hash) = hash {
                let bucket = self.bucket(hash);
                let there = self
                    .entries
                    .iter()
                    .filter(|entry| entry.hash.is_some_and(|hash| self.bucket(hash) == bucket))
                    .count();
                let limit = if how == Insert::Put { 8 } else { 7 };
                if there >= limit {
                    if self.capacity < 64 {
                        self.resize();
                    } else {
                        self.treed = true;
                    }
                }
            }
        }
        self.entries.push(entry);
        if how == Insert::Put
            && matches!(self.order, Order::Hash | Order::Linked)
            && self.entries.len() > self.threshold
        {
            self.resize();
        }
    }

    /// Removes an entry.
    pub fn remove(&mut self, at: usize) -> Entry {
        self.mods += 1;
        self.entries.remove(at)
    }

    /// Removes all entries; the capacity stays.
    pub fn clear(&mut self) {
        self.mods += 1;
        self.entries.clear();
        self.treed = false;
    }

    /// Moves an entry to the end if the map is in access order.
    pub fn touch(&mut self, at: usize) {
        if self.access {
            let entry = self.entries.remove(at);
            self.entries.push(entry);
            self.mods += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(table: &Table) -> Vec<String> {
        let order = table.sequence().unwrap_or_default();
        order.into_iter().filter_map(|at| table.entries[at].key.scalar()?.to_java_string()).collect()
    }

    #[test]
    fn integers_stand_by_their_buckets() {
        let mut table = Table::new(Order::Hash, true);
        for key in [100, 33, 17, 1, 16] {
            table.insert(Value::int(key), Value::NULL, Some(key), Insert::Put, 0);
        }
        assert_eq!(keys(&table), ["16", "33", "17", "1", "100"]);
    }
}
