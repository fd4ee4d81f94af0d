//! The same bytes, whatever DataFusion does with the rows.

use crate::{files, in_memory, plans, reader, records, run, write};
use datafusion::{
    execution::{memory_pool::FairSpillPool, runtime_env::RuntimeEnvBuilder},
    physical_plan::{ExecutionPlan, collect_partitioned},
    prelude::{SessionConfig, SessionContext},
};
use indistinct::sampling::testing::SeededEntropy;
use indistinct_datafusion::{DataFusion, Driver};
use indistinct_engine::Engine;
use indistinct_tables::{TableJob, TableJobs};
use std::{fs, sync::Arc};

const ROWS: u32 = 2000;

#[test]
fn every_fold_is_the_table_in_memory() {
    let place = tempfile::tempdir().unwrap();
    let (whole, records) = (place.path().join("all.csv"), records(ROWS));
    write(&whole, &records);
    let spill = tempfile::tempdir().unwrap();
    let mut turn = 0;
    for plan in plans::all(usize::try_from(ROWS).unwrap()) {
        let expected = in_memory(&plan, &whole);
        for partitions in [1, 2, 7, 16] {
            for memory in [16 << 20, 1 << 30] {
                let threads = [1, 2, 3, 5][turn % 4];
                let batch = [1, 3, 128, 8192][turn / 2 % 4];
                let paths = files(place.path(), &records, turn, 1 + turn % 4);
                let engine = DataFusion::new(TableJobs).threads(threads).memory(memory).partitions(partitions);
                let state = run(&engine.batch(batch).directory(spill.path()), &plan, &paths).unwrap();
                assert!(state == expected, "{partitions} {memory} {threads} {batch}: {:?}", plan.plan());
                turn += 1;
            }
        }
        let release = |bytes: &[u8]| {
            let state = plan.read_state(bytes).unwrap();
            format!("{:?}", state.release_with(&mut SeededEntropy::new(3)).unwrap())
        };
        let (domain, _) = plan.input_space();
        let frame = reader(&domain).read(&whole, &domain).unwrap();
        let invoked = plan.invoke_with(&frame, &mut SeededEntropy::new(3)).unwrap();
        assert_eq!(release(&expected), format!("{invoked:?}"));
    }
    assert_eq!(fs::read_dir(spill.path()).unwrap().count(), 0);
}

fn spills(plan: &Arc<dyn ExecutionPlan>) -> usize {
    let own = plan.metrics().and_then(|metrics| metrics.spill_count()).unwrap_or(0);
    own + plan.children().into_iter().map(spills).sum::<usize>()
}

/// Rows that do not fit into the pool go to files, and come back: for every step that needs them together.
#[test]
fn spilled_rows_are_the_same() {
    const MANY: u32 = 100_000;
    let place = tempfile::tempdir().unwrap();
    let records = records(MANY);
    let paths = files(place.path(), &records, 1, 3);
    let whole = place.path().join("all.csv");
    write(&whole, &records);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let mut plans = plans::all(usize::try_from(MANY).unwrap());
    plans.retain(|plan| plan.state().unwrap().needs_individuals());
    assert_eq!(plans.len(), 5);
    for plan in plans {
        let (domain, _) = plan.input_space();
        let reader = reader(&domain);
        let job = TableJob::csv(&reader, &paths, &domain, &plan).unwrap();
        let driver = Driver::new(&job, Arc::new(TableJobs), 1, 1 << 30, Some(16)).unwrap();
        let pool = FairSpillPool::new(6 << 20);
        let environment = RuntimeEnvBuilder::new().with_memory_pool(Arc::new(pool)).build_arc().unwrap();
        let config = SessionConfig::new().with_batch_size(16).with_sort_spill_reservation_bytes(64 << 10);
        let context = SessionContext::new_with_config_rt(config, environment).task_ctx();
        let physical = driver.plan().unwrap();
        let records = runtime.block_on(collect_partitioned(physical.clone(), context)).unwrap();
        assert_eq!(driver.state(&records.concat()).unwrap(), in_memory(&plan, &whole));
        assert!(spills(&physical) > 0);
    }
}

#[test]
fn within_another_runtime() {
    let place = tempfile::tempdir().unwrap();
    let paths = files(place.path(), &records(300), 1, 1);
    let plan = plans::bounded_sum();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let state = runtime.block_on(async { run(&DataFusion::new(TableJobs), &plan, &paths).unwrap() });
    assert_eq!(state, in_memory(&plan, &paths[0]));
    let name = DataFusion::new(TableJobs).name();
    assert!(name.starts_with("indistinct-datafusion 0.1.0, DataFusion 55."), "{name}");
}
