//! What a user does and sees: chains, mismatches, explanations, plans, errors without data, threads.

use indistinct::{core::Step, measurements::Scale, prelude::*, sampling::testing::SeededEntropy};

type Floats = VectorDomain<AtomDomain<f64>>;

fn rows() -> Floats {
    VectorDomain::new(AtomDomain::f64())
}

fn noisy_sum() -> Measurement<Floats, f64, SymmetricDistance, MaxDivergence> {
    ((rows(), SymmetricDistance) >> then_clamp((0.0, 10.0)) >> then_sum() >> then_laplace(20.0)).unwrap()
}

#[test]
fn a_chain_is_explained_step_by_step() {
    let people = VectorDomain::new(PairDomain::new(AtomDomain::u64(), AtomDomain::f64()));
    let bounded = ((people, SymmetricIdDistance) >> then_bound_contributions(3)).unwrap();
    let count = (bounded.output_space() >> then_count() >> then_laplace(6.0)).unwrap();
    let sum = (bounded.output_space() >> then_clamp((0.0, 10.0)) >> then_sum() >> then_laplace(60.0)).unwrap();
    let release = (bounded >> make_composition((count, sum)).unwrap()).unwrap();
    let rounded = (release >> Function::new(|(count, sum): &(i64, f64)| (*count, sum.round()))).unwrap();
    assert_eq!(
        rounded.explain(&1).unwrap().to_string(),
        "\
make_bound_contributions(max_rows = 3): 1 individual added or removed -> 3 rows added or removed [B]
make_composition(): 3 rows added or removed -> epsilon 1.0 [A, weakest C]
  make_count(): 3 rows added or removed -> absolute distance 3.0 [B]
  make_laplace(scale = 6.0): absolute distance 3.0 -> epsilon 0.5 [B, run C: sampling/noise.md]
  make_clamp(bounds = [0.0, 10.0]): 3 rows added or removed -> 3 rows added or removed [B]
  make_sum(): 3 rows added or removed -> absolute distance 30.0 [A, run C: numeric/exact_sum.md]
  make_laplace(scale = 60.0): absolute distance 30.0 -> epsilon 0.5 [B, run C: sampling/noise.md]
postprocess(function = caller-trusted): epsilon 1.0 -> epsilon 1.0 [B, if the function does not look at the data]
weakest proof: C (maps: B), if the function does not look at the data
"
    );
}

#[test]
fn an_explanation_says_how_well_each_step_is_proved() {
    let explanation = noisy_sum().explain(&1).unwrap();
    let least = |level: fn(&Step) -> ProofLevel| explanation.steps.iter().map(level).min().unwrap();
    let (map, run) = (least(|step| step.proof.map), least(|step| step.proof.run));
    assert_eq!((explanation.weakest_map(), explanation.weakest_proof()), (map, run));
    assert!(ProofLevel::Unproven < run && run < map, "the sampler is argued in prose");
    // A function of the caller's is as good as its caller, wherever it stands.
    let rows = ((rows(), SymmetricDistance) >> then_map(AtomDomain::f64(), 0.0, |x: &f64| x / 2.0)).unwrap();
    let release = (rows >> then_clamp((0.0, 1.0)) >> then_sum() >> then_laplace(1.0)).unwrap();
    let both = make_composition((release.clone(), release)).unwrap().explain(&1).unwrap();
    assert_eq!((both.weakest_proof(), both.weakest_map()), (ProofLevel::Unproven, ProofLevel::Unproven));
    assert_eq!(both.steps[0].children[0].proof.run, ProofLevel::Unproven);
    assert!(both.steps[0].proof.run > ProofLevel::Unproven && both.to_string().contains(", weakest unproven]\n"));
    let json = serde_json::to_string(&both).unwrap();
    assert!(json.contains(r#""proof":{"map":"unproven","run":"unproven"}"#), "{json}");
}

#[test]
fn a_plan_survives_json() {
    let plan = noisy_sum().plan().clone();
    let json = serde_json::to_string(&plan).unwrap();
    let input = r#"{"input":"VectorDomain(AtomDomain<f64>), SymmetricDistance","output":"MaxDivergence"}"#;
    assert!(
        json.starts_with(&format!(r#"{{"name":"chain","space":{input},"children":[{{"name":"make_clamp","#)),
        "{json}"
    );
    let (bounds, scale) = (r#"[["bounds",[{"float":"0.0"},{"float":"10.0"}]]]"#, r#"[["scale",{"float":"20.0"}]]"#);
    assert!(json.contains(bounds) && json.contains(scale), "{json}");
    assert_eq!(serde_json::from_str::<Plan>(&json).unwrap(), plan);
}

#[test]
fn what_does_not_fit_is_refused_when_it_is_chained() {
    let narrow = make_clamp(rows(), SymmetricDistance, (0.0, 1.0)).unwrap();
    let wide = AtomDomain::f64().with_bounds((0.0, 2.0)).unwrap();
    let sum = make_sum(VectorDomain::new(wide), SymmetricDistance).unwrap();
    let error = (narrow.clone() >> sum).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Mismatch);
    // An error at the start of a chain is the error of the whole chain.
    let error = ((rows(), SymmetricDistance) >> then_sum() >> then_laplace(1.0)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Parameter("input_domain"));
    let sized = make_count(rows().with_size(3), SymmetricDistance).unwrap();
    assert_eq!((narrow >> sized).unwrap_err().kind(), ErrorKind::Mismatch);
}

#[test]
fn post_processing_costs_nothing_and_may_fail() {
    let rounded = (noisy_sum() >> Function::new(|sum: &f64| sum.round())).unwrap();
    assert_eq!(rounded.map(&1), noisy_sum().map(&1));
    assert_eq!(rounded.invoke(&[1.0]).unwrap().fract(), 0.0);
    let failing = Function::new_fallible(|_: &f64| "x".parse::<UnknownCategories>());
    assert!((noisy_sum() >> failing).unwrap().invoke(&[1.0]).is_err());
}

#[test]
fn errors_and_debug_texts_contain_no_data() {
    let canary = 123_456.789;
    let bounded = VectorDomain::new(AtomDomain::f64().with_bounds((0.0, 1.0)).unwrap());
    let release = ((bounded, SymmetricDistance) >> then_sum() >> then_laplace(1.0)).unwrap();
    let other = release.invoke(&[f64::NAN, 0.5]).unwrap_err();
    let error = release.invoke(&[canary]).unwrap_err();
    assert_eq!(error, other, "the error depends on the data");
    for text in [error.to_string(), format!("{error:?}"), format!("{release:?}")] {
        assert!(!text.contains("123456"), "{text}");
    }
}

#[test]
fn releases_are_reproducible_for_the_same_bits_and_fresh_otherwise() {
    let draw = |seed| noisy_sum().invoke_with(&[1.0, 2.0], &mut SeededEntropy::new(seed)).unwrap();
    assert_eq!(draw(1).to_bits(), draw(1).to_bits());
    assert_ne!(draw(1).to_bits(), draw(2).to_bits());
    let fresh: Vec<u64> = (0..20).map(|_| noisy_sum().invoke(&[1.0]).unwrap().to_bits()).collect();
    assert!(fresh.windows(2).all(|pair| pair[0] != pair[1]));
}

#[test]
fn every_value_can_be_shared_by_threads() {
    fn assert_shareable<T: Send + Sync + 'static>() {}
    assert_shareable::<Measurement<Floats, f64, SymmetricDistance, MaxDivergence>>();
    assert_shareable::<Transformation<Floats, Floats, SymmetricDistance, SymmetricDistance>>();
    assert_shareable::<Function<[f64], f64>>();
    assert_shareable::<(Error, Plan, Explanation, Scale, UnknownCategories)>();
    assert_shareable::<(AbsoluteDistance, L1Distance, L2Distance, LInfDistance, DiscreteDistance)>();
    assert_shareable::<(Approximate<ZeroConcentratedDivergence>, Floats, PairDomain<AtomDomain<String>, Floats>)>();
    let release = std::sync::Arc::new(noisy_sum());
    let threads: Vec<_> =
        (0..4).map(|_| release.clone()).map(|r| std::thread::spawn(move || r.invoke(&[1.0]))).collect();
    assert!(threads.into_iter().all(|thread| thread.join().unwrap().is_ok()));
}

#[test]
fn a_slice_a_vector_and_an_array_are_all_data() {
    let (vector, release) = (vec![1.0, 2.0], noisy_sum());
    assert!(release.invoke(&vector).is_ok() && release.invoke(&vector[..1]).is_ok() && release.invoke(&[]).is_ok());
}

#[test]
fn a_failing_source_of_entropy_releases_nothing() {
    use indistinct::sampling::testing::BitTape;
    // Whatever the number of bits before it fails, the error is the same.
    let bits: Vec<bool> = (0..200).map(|bit| bit % 3 == 0).collect();
    for length in 0..60 {
        let release = noisy_sum().invoke_with(&[1.0], &mut BitTape::new(&bits[..length]));
        assert_eq!(release.unwrap_err().kind(), ErrorKind::Entropy, "{length}");
    }
    assert!(noisy_sum().invoke_with(&[1.0], &mut BitTape::new(&bits)).is_ok());
}

#[test]
fn a_construction_too_deep_for_the_stack_is_refused() {
    let clamp = || make_clamp(rows(), SymmetricDistance, (0.0, 1.0)).unwrap();
    let same = || make_clamp(clamp().output_domain().clone(), SymmetricDistance, (0.0, 1.0)).unwrap();
    let mut chain = Ok(clamp());
    let mut links = 1;
    while chain.is_ok() && links < 100_000 {
        chain = chain >> same();
        links += 1;
    }
    assert_eq!((chain.unwrap_err().kind(), links), (ErrorKind::Depth, 257));
    let mut nested = Ok(noisy_sum());
    while let Ok(inner) = nested {
        nested = make_composition(vec![inner]).and_then(|all| all >> Function::new(|all: &Vec<f64>| all[0]));
    }
    assert_eq!(nested.unwrap_err().kind(), ErrorKind::Depth);
}
