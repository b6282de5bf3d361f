//! Inputs that are not symbols, each stored once and referred to by number: most operations share most of them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use mastor_types::Hash;
use mastor_types::manifest::{Input, InputClass};

/// Inputs by number.
#[derive(Default)]
pub struct Others {
    known: Mutex<InputNumbers>,
}

#[derive(Default)]
struct InputNumbers {
    /// Numbers by the address of the stored name. A new copy of an input may get another number.
    numbers: FxHashMap<(usize, InputClass, Hash), u32>,
    all: Vec<Input>,
}

impl Others {
    /// The numbers of these inputs. They depend on the order of requests, so nothing may be ordered by them.
    pub fn numbers(&self, inputs: impl IntoIterator<Item = Input>) -> Vec<u32> {
        let mut known = self.known();
        let InputNumbers { numbers, all } = &mut *known;
        let number = |input: Input| {
            let (name, class, hash) = &input;
            let at = Arc::as_ptr(name).cast::<u8>() as usize;
            *numbers.entry((at, *class, *hash)).or_insert_with(|| {
                all.push(input);
                all.len() as u32 - 1
            })
        };
        inputs.into_iter().map(number).collect()
    }

    /// The inputs with these numbers, in the same order.
    pub fn of(&self, numbers: &[u32]) -> Vec<Input> {
        let known = self.known();
        numbers.iter().filter_map(|number| known.all.get(*number as usize).cloned()).collect()
    }

    fn known(&self) -> MutexGuard<'_, InputNumbers> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_is_kept_once_and_comes_back_in_the_order_asked() {
        let others = Others::default();
        let (name, hash) = (Arc::<str>::from("global:a"), Hash::of(b"1"));
        let one = (name.clone(), InputClass::Code, hash);
        let two = (name, InputClass::Environment, hash);
        assert_eq!(others.numbers([one.clone(), two.clone(), one.clone()]), [0, 1, 0]);
        assert_eq!(others.of(&[1, 0, 7]), [two, one]);
    }
}
