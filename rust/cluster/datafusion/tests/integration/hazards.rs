//! What goes wrong with engines: each ends the run without a state, in words that quote nothing.

use crate::{FAILED, files, in_memory, plans, reader, records, run, write};
use datafusion::{
    arrow::{
        array::{RecordBatch, UInt32Array},
        compute::concat_batches,
        datatypes::SchemaRef,
    },
    datasource::memory::MemorySourceConfig,
    physical_plan::{ExecutionPlan, collect, collect_partitioned, replace_children_if_necessary},
    prelude::SessionContext,
};
use indistinct_datafusion::{DataFusion, Driver};
use indistinct_engine::{Engine, Files, Folding, Job, Jobs, Piece, Result};
use indistinct_tables::{TableJob, TableJobs};
use std::{
    fs,
    sync::{Arc, Mutex},
    time::Duration,
};

fn engine() -> DataFusion {
    DataFusion::new(TableJobs).threads(3).partitions(5)
}

/// A quoted cell that goes on over lines is one cell wherever files are cut, and what is no number is a missing one,
/// of which nothing is said.
#[test]
fn cells_are_read_as_everywhere() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("a.csv");
    let long = "x\n".repeat(300_000);
    let rows =
        [format!("ann,\"{long}\",1,2,3"), "bob,Bern,secret-cell,hidden,7".into(), "eve,\"a\nb\",2,1e999,1".into()];
    write(&path, &rows);
    for plan in plans::all(3) {
        assert_eq!(run(&engine(), &plan, std::slice::from_ref(&path)).unwrap(), in_memory(&plan, &path));
    }
    // A quote that is not closed would take in all rows after it.
    fs::write(&path, "person,city,n,x,y\nann,\"Bern,1,2,3\nbob,Chur,3,secret-cell,5\n").unwrap();
    for plan in plans::all(3) {
        assert_eq!(run(&engine(), &plan, std::slice::from_ref(&path)).unwrap_err().to_string(), FAILED);
    }
}

#[test]
fn files_that_are_not_there_end_the_run() {
    let place = tempfile::tempdir().unwrap();
    let error = run(&engine(), &plans::bounded_sum(), &[place.path().join("missing.csv")]).unwrap_err();
    assert_eq!(error.to_string(), FAILED);
    let address = "s3://bucket/rows.csv".into();
    assert_eq!(run(&engine(), &plans::bounded_sum(), &[address]).unwrap_err().to_string(), FAILED);
}

/// A pool that is too small: the same job runs again with another one.
#[test]
fn an_exhausted_pool_is_an_error_and_then_none() {
    let place = tempfile::tempdir().unwrap();
    let records: Vec<String> = (0..10_000).map(|row| format!("one,{},{},0.5,1", "a".repeat(2000), row % 9)).collect();
    let paths = files(place.path(), &records, 0, 2);
    let (plan, whole) = (plans::bounded_sum(), place.path().join("all.csv"));
    write(&whole, &records);
    let small = engine().memory(16 << 20).directory(place.path());
    assert_eq!(run(&small, &plan, &paths).unwrap_err().to_string(), FAILED);
    assert!(fs::read_dir(place.path()).unwrap().all(|entry| entry.unwrap().path().is_file()));
    assert_eq!(run(&small.memory(1 << 30), &plan, &paths).unwrap(), in_memory(&plan, &whole));
}

#[test]
fn settings_have_rules() {
    let place = tempfile::tempdir().unwrap();
    let paths = files(place.path(), &records(50), 0, 1);
    let told = |engine: DataFusion| run(&engine, &plans::bounded_sum(), &paths).unwrap_err().to_string();
    assert_eq!(told(engine().threads(0)), "tasks: must be from 1 to 65536");
    assert_eq!(told(engine().partitions(0)), "partitions: must be from 1 to 65536");
    assert_eq!(told(engine().partitions(1 << 17)), "partitions: must be from 1 to 65536");
    assert_eq!(told(engine().memory(1)), "memory: must be at least 16 MiB");
    assert_eq!(told(engine().batch(0)), "batch: must be at least 1");
    assert_eq!(
        told(engine().directory(place.path().join("no/where"))),
        "temporary files cannot be used: entity not found"
    );
}

/// An engine's words, a job's words and a job's panic are one error.
#[test]
fn nothing_is_passed_on() {
    #[derive(Debug)]
    struct Fails(bool);
    impl Jobs for Fails {
        fn lend(&self, _: &[u8], _: &Arc<dyn Files>, _: &mut dyn FnMut(&dyn Job) -> Result<()>) -> Result<()> {
            if self.0 {
                panic!("secret-cell");
            }
            Err(indistinct_engine::Error::job("secret-cell"))
        }
    }
    let place = tempfile::tempdir().unwrap();
    let paths = files(place.path(), &records(50), 0, 1);
    for panics in [false, true] {
        for plan in plans::all(50) {
            assert_eq!(run(&DataFusion::new(Fails(panics)), &plan, &paths).unwrap_err().to_string(), FAILED);
        }
    }
}

/// A job whose work takes too long.
#[test]
fn a_run_ends_at_its_deadline() {
    #[derive(Debug)]
    struct Waits;
    impl Jobs for Waits {
        fn lend(&self, _: &[u8], _: &Arc<dyn Files>, _: &mut dyn FnMut(&dyn Job) -> Result<()>) -> Result<()> {
            std::thread::sleep(Duration::from_secs(30));
            Ok(())
        }
    }
    let place = tempfile::tempdir().unwrap();
    let paths = files(place.path(), &records(50), 0, 1);
    let start = std::time::Instant::now();
    let engine = DataFusion::new(Waits).deadline(Duration::from_millis(200));
    assert_eq!(run(&engine, &plans::bounded_sum(), &paths).unwrap_err().to_string(), FAILED);
    assert!(start.elapsed() < Duration::from_secs(10));
}

/// What a run of these jobs comes to, whatever the engine is told of them.
fn with_jobs(jobs: impl Jobs + 'static) -> Result<Vec<u8>> {
    let place = tempfile::tempdir().unwrap();
    let paths = files(place.path(), &records(500), 0, 2);
    run(&DataFusion::new(jobs).threads(2).partitions(3), &plans::bounded_sum(), &paths)
}

/// A process that builds another job than it is told of: its states are of another plan, or its sample differs.
#[test]
fn a_state_of_another_plan_is_refused() {
    #[derive(Debug)]
    struct Other(Vec<u8>);
    impl Jobs for Other {
        fn lend(&self, _: &[u8], files: &Arc<dyn Files>, work: &mut dyn FnMut(&dyn Job) -> Result<()>) -> Result<()> {
            TableJobs.lend(&self.0, files, work)
        }
    }
    let place = tempfile::tempdir().unwrap();
    let paths = files(place.path(), &records(500), 0, 2);
    let mut plans = plans::all(500);
    plans.retain(|plan| plan.state().unwrap().needs_individuals());
    for (plan, told) in plans.iter().zip(plans.iter().skip(1)) {
        let (domain, _) = told.input_space();
        let reader = reader(&domain);
        let told = TableJob::csv(&reader, &paths, &domain, told).unwrap().plan().unwrap();
        assert!(run(&DataFusion::new(Other(told)), plan, &paths).is_err());
    }
    assert!(with_jobs(TableJobs).is_ok());
}

/// A job of ours in which one thing is otherwise.
struct Otherwise<'a> {
    job: &'a dyn Job,
    what: What,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum What {
    Sample,
    Deals,
    Fails,
}

impl Job for Otherwise<'_> {
    fn pieces(&self, part: (u32, u32)) -> Result<Box<dyn Iterator<Item = Result<Piece>> + '_>> {
        let fails = (self.what == What::Fails).then(|| Err(indistinct_engine::Error::job("secret-cell")));
        Ok(Box::new(self.job.pieces(part)?.chain(fails)))
    }

    fn size(&self) -> u64 {
        self.job.size()
    }

    fn needs_partitions(&self) -> bool {
        self.job.needs_partitions()
    }

    fn folding(&self) -> Result<Box<dyn Folding + '_>> {
        self.job.folding()
    }

    fn deal(&self, piece: Piece, partitions: &mut [Vec<u8>]) -> Result<()> {
        self.job.deal(piece, partitions)?;
        if self.what == What::Deals {
            partitions.rotate_left(1);
        }
        Ok(())
    }

    fn sample(&self) -> Result<Vec<u8>> {
        if self.what == What::Sample { Ok(vec![1]) } else { self.job.sample() }
    }
}

#[derive(Debug)]
struct Otherwises(What);

impl Jobs for Otherwises {
    fn lend(&self, plan: &[u8], files: &Arc<dyn Files>, work: &mut dyn FnMut(&dyn Job) -> Result<()>) -> Result<()> {
        TableJobs.lend(plan, files, &mut |job| work(&Otherwise { job, what: self.0 }))
    }
}

/// Another program on a machine of a cluster: rows that it makes up come to something else; rows that it deals to other
/// partitions are not of these.
#[test]
fn a_process_that_computes_otherwise_is_refused() {
    for what in [What::Sample, What::Deals, What::Fails] {
        assert_eq!(with_jobs(Otherwises(what)).unwrap_err().to_string(), FAILED, "{what:?}");
    }
}

/// What the fold of a plan of ours makes of chunks that the engine has handed on in its own way.
fn fold_of(meddle: impl Fn(RecordBatch) -> RecordBatch) -> Option<Vec<u8>> {
    let place = tempfile::tempdir().unwrap();
    let paths = files(place.path(), &records(3000), 0, 2);
    let plan = plans::bounded_sum();
    let (domain, _) = plan.input_space();
    let reader = reader(&domain);
    let job = TableJob::csv(&reader, &paths, &domain, &plan).unwrap();
    let driver = Driver::new(&job, Arc::new(TableJobs), 2, 1 << 30, Some(2)).unwrap();
    let fold = driver.plan().unwrap();
    let sort = fold.children()[0].clone();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let context = SessionContext::new().task_ctx();
        let sorted = collect_partitioned(sort, context.clone()).await.unwrap();
        let schema: SchemaRef = sorted[0].first().or_else(|| sorted[1].first()).unwrap().schema();
        let all = concat_batches(&schema, sorted.iter().flatten()).unwrap();
        let input = MemorySourceConfig::try_new_exec(&[vec![meddle(all)]], schema, None).unwrap();
        let fold: Arc<dyn ExecutionPlan> = replace_children_if_necessary(fold, vec![input]).unwrap();
        let records = collect(fold, context).await.ok()?;
        driver.state(&records).ok()
    })
}

/// Chunks that are lost, come twice, in another order, or of another part.
#[test]
fn each_chunk_comes_once() {
    let whole = fold_of(|chunks| chunks).unwrap();
    assert!(fold_of(|chunks| chunks).unwrap() == whole);
    let some = |chunks: &RecordBatch, rows: Vec<u32>| {
        datafusion::arrow::compute::take_record_batch(chunks, &UInt32Array::from(rows)).unwrap()
    };
    let kept = Mutex::new(None);
    fold_of(|chunks| {
        *kept.lock().unwrap() = Some(chunks.clone());
        chunks
    });
    let chunks = kept.into_inner().unwrap().unwrap();
    let partitions = chunks.column(0).as_any().downcast_ref::<UInt32Array>().unwrap().clone();
    let rows = u32::try_from(chunks.num_rows()).unwrap();
    assert!(rows >= 8, "{rows}");
    let of = |row: u32| partitions.value(usize::try_from(row % rows).unwrap());
    for row in 0..rows {
        let lost = (0..rows).filter(|other| *other != row).collect::<Vec<_>>();
        let twice_at_the_end = (0..rows).chain([row]).collect();
        let twice = (0..=row).chain(row..rows).collect();
        // A whole partition may come before another.
        let is_end = of(row) != of(row + 1);
        let turned = (row + 1..rows).chain(0..=row).collect();
        for (rows, may_be) in [(lost, false), (twice_at_the_end, false), (twice, false), (turned, is_end)] {
            let state = fold_of(|chunks| some(&chunks, rows.clone()));
            assert!(if may_be { state.as_ref() == Some(&whole) } else { state.is_none() }, "{row}");
        }
    }
    assert!(fold_of(|chunks| chunks.slice(0, 0)).is_none());
}

/// A task that an engine runs again gives the same chunks.
#[test]
fn a_task_may_run_again() {
    let place = tempfile::tempdir().unwrap();
    let paths = files(place.path(), &records(500), 0, 3);
    let plan = plans::bounded_sum();
    let (domain, _) = plan.input_space();
    let reader = reader(&domain);
    let job = TableJob::csv(&reader, &paths, &domain, &plan).unwrap();
    let read = Driver::new(&job, Arc::new(TableJobs), 3, 1 << 30, Some(4)).unwrap().plan().unwrap();
    let read = read.children()[0].children()[0].children()[0].clone();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let run = || runtime.block_on(collect_partitioned(read.clone(), SessionContext::new().task_ctx())).unwrap();
    assert_eq!(run(), run());
    let name = engine().name();
    assert!(!name.is_empty());
}
