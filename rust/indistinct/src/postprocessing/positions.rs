//! The entries of a public list at released positions.

use crate::{
    core::{Error, Function, Postprocessing, Sealed, ToParameter, sealed},
    domains::Atom,
};

/// Positions released by a selection: one position, `usize`, or several, `Vec<usize>`.
#[allow(private_bounds)]
pub trait Positions: Sealed + Sized + 'static {
    /// The entries at these positions: one value, or a list.
    type Of<T: 'static>: 'static;
    /// Returns the entries at these positions, if the list is long enough.
    #[doc(hidden)]
    fn in_list<T: Clone + 'static>(&self, list: &[T]) -> Option<Self::Of<T>>;
}

sealed!(() usize);

impl Positions for usize {
    type Of<T: 'static> = T;

    fn in_list<T: Clone + 'static>(&self, list: &[T]) -> Option<T> {
        list.get(*self).cloned()
    }
}

impl Positions for Vec<usize> {
    type Of<T: 'static> = Vec<T>;

    fn in_list<T: Clone + 'static>(&self, list: &[T]) -> Option<Vec<T>> {
        self.iter().map(|position| list.get(*position).cloned()).collect()
    }
}

/// Replaces released positions with names, after a selection such as
/// [`make_noisy_max`](crate::measurements::make_noisy_max) or
/// [`make_noisy_top_k`](crate::measurements::make_noisy_top_k), without a closure.
///
/// # Parameters
///
/// - `names`: one name for each candidate, in the order of candidates, stated in advance: texts, numbers, or other cell
///   values. The plan records them.
///
/// # Privacy
///
/// The loss is that of the selection: a function of its release costs nothing.
///
/// # Errors
///
/// The release fails if the list is too short for a position. The position depends on the noisy release alone.
///
/// ```
/// use indistinct::prelude::*;
/// let scores = (VectorDomain::new(AtomDomain::i64()).with_size(3), LInfDistance::new());
/// let best = (scores >> then_noisy_max(MaxDivergence, 2.0) >> positions_to_categories(vec!["tea", "milk", "water"]))?;
/// assert_eq!(best.invoke(&[10, 900, 20])?, "milk");
/// assert_eq!(best.map(&1.0)?, 1.0);
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "make_index")]
pub fn positions_to_categories<P: Positions, T: Atom + ToParameter>(names: Vec<T>) -> Postprocessing<P, P::Of<T>> {
    let recorded = names.clone();
    let named = Function::new_fallible(move |positions: &P| {
        let rule = "must have one name for each candidate";
        positions.in_list(&names).ok_or_else(|| Error::parameter("names", rule))
    });
    Postprocessing::new("positions_to_categories", ("names", &recorded), named)
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    fn scores() -> (VectorDomain<AtomDomain<i64>>, LInfDistance) {
        (VectorDomain::new(AtomDomain::i64()).with_size(3), LInfDistance::new())
    }

    #[test]
    fn positions_become_names_and_the_plan_says_so() {
        let names = || vec!["a", "b", "c"];
        let best = (scores() >> then_noisy_max(MaxDivergence, 0.0) >> positions_to_categories(names())).unwrap();
        assert_eq!(best.clone().accept_infinite_loss().invoke(&[1, 9, 3]), Ok("b"));
        let two = (scores() >> then_noisy_top_k(MaxDivergence, 2, 0.0) >> positions_to_categories(names())).unwrap();
        assert_eq!(two.accept_infinite_loss().invoke(&[1, 9, 3]), Ok(vec!["b", "c"]));
        assert!(best.plan().is_complete() && format!("{:?}", best.plan()).contains("positions_to_categories"));
        let best = (scores() >> then_noisy_max(MaxDivergence, 4.0) >> positions_to_categories(names())).unwrap();
        let explanation = best.explain(&1.0).unwrap();
        assert!(best.map(&1.0) == Ok(0.5) && !explanation.to_string().contains("look"), "{explanation}");
        let other =
            (scores() >> then_noisy_max(MaxDivergence, 4.0) >> positions_to_categories(vec!["x", "b", "c"])).unwrap();
        assert_ne!(best.plan(), other.plan());
    }

    #[test]
    fn a_list_that_is_too_short_is_named() {
        let best = (scores() >> then_noisy_max(MaxDivergence, 0.0) >> positions_to_categories(vec!["a"])).unwrap();
        let error = best.accept_infinite_loss().invoke(&[1, 9, 3]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Parameter("names"));
    }
}
