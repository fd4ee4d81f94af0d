//! Which constructors were called, and which of them built something.

use indistinct::prelude::Fallible;
use std::{cell::RefCell, collections::BTreeMap};

thread_local! {
    /// How often each constructor has built something in this thread.
    static BUILT: RefCell<BTreeMap<&'static str, u64>> = const { RefCell::new(BTreeMap::new()) };
}

/// Calls a constructor: what it builds, or nothing. That it was called is recorded under its name.
macro_rules! make {
    ($name:ident $(::<$($type:ty),+>)? ($($argument:expr),* $(,)?)) => {
        $crate::record::built(stringify!($name), $name $(::<$($type),+>)? ($($argument),*))
    };
}
pub(crate) use make;

pub(crate) fn built<T>(name: &'static str, result: Fallible<T>) -> Option<T> {
    let built = told(result);
    BUILT.with_borrow_mut(|table| *table.entry(name).or_default() += u64::from(built.is_some()));
    built
}

/// An error names a rule.
pub(crate) fn told<T>(result: Fallible<T>) -> Option<T> {
    result.inspect_err(|error| assert!(!error.to_string().ends_with(": "), "no rule: {error:?}")).ok()
}

/// That all targets together build something with every constructor, on the bytes of `cargo test`.
#[cfg(not(fuzzing))]
#[test]
fn every_constructor_is_called() {
    use std::collections::BTreeSet;
    let levels = include_str!("../../derive/src/levels.rs");
    let constructors: BTreeSet<&str> = levels.split('"').filter(|name| name.starts_with("make_")).collect();
    assert!(constructors.len() > 40);
    for (target, cases) in crate::TARGETS {
        (0..cases / 4).for_each(|seed| target(&mut crate::Source::new(&crate::run::bytes_of(seed))));
    }
    let table = BUILT.take();
    let missing: Vec<_> = constructors.iter().filter(|name| !table.contains_key(*name)).collect();
    assert!(missing.is_empty(), "called by no target: {missing:?}");
    let refused: Vec<_> = table.iter().filter(|(_, built)| **built < 10).collect();
    assert!(refused.is_empty(), "hardly ever built, so that hardly a map was tried: {refused:?}");
    let unknown: Vec<_> = table.keys().filter(|name| !constructors.contains(*name)).collect();
    assert!(unknown.is_empty(), "no constructors: {unknown:?}");
}
