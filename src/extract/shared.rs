//! Things that closures of one project share and know by number: each is made when it is first asked for.

use std::hash::Hash;
use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

/// One of the things, with its number.
#[derive(Debug)]
pub struct Known<V> {
    /// Its number among those of its kind, from 0, without gaps. Which it is depends on who asked first: it may decide no order.
    pub id: u32,
    /// What it is.
    pub value: V,
}

/// Things of one kind, by key.
#[derive(Debug)]
pub struct Shared<K, V> {
    known: RwLock<FxHashMap<K, Arc<Known<V>>>>,
}

impl<K, V> Default for Shared<K, V> {
    fn default() -> Self {
        Self { known: RwLock::default() }
    }
}

impl<K: Hash + Eq + Clone, V> Shared<K, V> {
    /// The thing of this key. `make` may be called by several threads at once; the first result stays.
    pub fn get(&self, key: &K, make: impl FnOnce() -> V) -> Arc<Known<V>> {
        if let Some(known) = self.known.read().unwrap_or_else(PoisonError::into_inner).get(key) {
            return known.clone();
        }
        let value = make();
        let mut all = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let id = all.len() as u32;
        all.entry(key.clone()).or_insert_with(|| Arc::new(Known { id, value })).clone()
    }
}
