//! Values that the closures of one project share and refer to by number; each is computed on first use.

use std::hash::Hash;
use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

/// A shared value with its number.
#[derive(Debug)]
pub struct Numbered<V> {
    /// Its number among the values of its kind, from 0, without gaps. It depends on the order of requests, so nothing
    /// may be ordered by it.
    pub id: u32,
    /// The value.
    pub value: V,
}

/// Shared values of one kind, by key.
#[derive(Debug)]
pub struct Shared<K, V> {
    known: RwLock<FxHashMap<K, Arc<Numbered<V>>>>,
}

impl<K, V> Default for Shared<K, V> {
    fn default() -> Self {
        Self { known: RwLock::default() }
    }
}

impl<K: Hash + Eq + Clone, V> Shared<K, V> {
    /// The value for this key. Several threads may call `make` at once; the first result is kept.
    pub fn get(&self, key: &K, make: impl FnOnce() -> V) -> Arc<Numbered<V>> {
        if let Some(known) = self.known.read().unwrap_or_else(PoisonError::into_inner).get(key) {
            return known.clone();
        }
        let value = make();
        let mut all = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let id = all.len() as u32;
        all.entry(key.clone()).or_insert_with(|| Arc::new(Numbered { id, value })).clone()
    }
}
