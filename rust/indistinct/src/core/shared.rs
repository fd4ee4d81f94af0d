//! First steps that several functions of the same rows have in common, evaluated once.

use std::{any::Any, cell::RefCell, collections::HashMap, rc::Rc};

/// The identity of a function, by its address: clones have the same one, and two functions alive at the same time
/// differ.
pub(super) type Id = usize;

/// The prefixes of a function of rows: `f`, then `f` and `g`, then `f`, `g` and `h`.
pub(super) type Beginnings = Vec<Id>;

/// The values, at some rows, of first steps that several functions have in common.
///
/// The caller must ensure that all functions evaluated between two calls of `forget` have the same rows.
#[derive(Default)]
pub(super) struct Shared {
    ids: Vec<Id>,
    values: RefCell<Vec<(Id, Rc<dyn Any>)>>,
}

impl Shared {
    /// Shares nothing.
    pub(super) fn none() -> Self {
        Self::default()
    }

    /// Collects the first steps that several of these functions have in common, except where all of them also share the
    /// next step.
    pub(super) fn of(functions: &[Beginnings]) -> Self {
        if functions.len() < 2 {
            return Self::none();
        }
        let mut uses: HashMap<Id, usize> = HashMap::new();
        for id in functions.iter().flatten() {
            *uses.entry(*id).or_default() += 1;
        }
        let several = |id: &Id| uses.get(id).is_some_and(|uses| *uses > 1);
        let last = |beginnings: &Beginnings| {
            let next = beginnings.iter().skip(1).map(Some).chain([None]);
            let is_last = |(id, next): &(&Id, Option<&Id>)| next.is_none_or(|next| uses.get(id) != uses.get(next));
            beginnings.iter().zip(next).filter(is_last).map(|(id, _)| *id).collect::<Vec<_>>()
        };
        let mut ids: Vec<Id> = functions.iter().flat_map(last).filter(several).collect();
        ids.sort_unstable();
        ids.dedup();
        Self { ids, values: RefCell::default() }
    }

    /// Returns the value of a function: if it is shared, the stored value or the result of `value`, which is then
    /// stored.
    pub(super) fn value<T: 'static>(&self, id: Id, value: impl FnOnce() -> T) -> Result<Rc<T>, impl FnOnce() -> T> {
        if !self.is_shared(id) {
            return Err(value);
        }
        if let Some(Ok(found)) = self.found(id).map(Rc::downcast) {
            return Ok(found);
        }
        let value = Rc::new(value());
        self.keep(id, value.clone());
        Ok(value)
    }

    fn is_shared(&self, id: Id) -> bool {
        self.ids.binary_search(&id).is_ok()
    }

    fn found(&self, id: Id) -> Option<Rc<dyn Any>> {
        self.values.borrow().iter().find(|(other, _)| *other == id).map(|(_, value)| value.clone())
    }

    fn keep(&self, id: Id, value: Rc<dyn Any>) {
        self.values.borrow_mut().push((id, value));
    }

    /// Forgets all values, before other rows.
    pub(super) fn forget(&self) {
        self.values.borrow_mut().clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_beginnings_of_several_are_shared() {
        assert!(Shared::of(&[vec![1, 2]]).ids.is_empty());
        assert!(Shared::of(&[vec![1, 2], vec![3]]).ids.is_empty());
        assert_eq!(Shared::of(&[vec![1, 2, 3], vec![1, 2, 4]]).ids, [2]);
        assert_eq!(Shared::of(&[vec![1, 2, 3], vec![1, 2], vec![1, 5], vec![]]).ids, [1, 2]);
        let shared = Shared::of(&[vec![1, 2], vec![1, 2]]);
        let value = |id: Id, value: i32| shared.value(id, || value).map(|value| *value).unwrap_or_else(|value| value());
        assert_eq!([value(2, 5), value(2, 6), value(1, 7), value(1, 8)], [5, 5, 7, 8]);
        shared.forget();
        assert_eq!(value(2, 6), 6);
    }
}
