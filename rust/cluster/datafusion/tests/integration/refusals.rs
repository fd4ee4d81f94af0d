//! Every kind of node that is not on the list, and those that are with other parameters.

use crate::{files, plans, reader, records};
use datafusion::{
    arrow::{compute::SortOptions, record_batch::RecordBatch},
    datasource::memory::MemorySourceConfig,
    physical_expr::{LexOrdering, PhysicalSortExpr, expressions::Column},
    physical_plan::{
        ExecutionPlan, Partitioning, buffer::BufferExec, coalesce_partitions::CoalescePartitionsExec,
        coop::CooperativeExec, repartition::RepartitionExec, replace_children_if_necessary, sorts::sort::SortExec,
        union::InterleaveExec,
    },
    prelude::{SessionConfig, SessionContext},
};
use indistinct_datafusion::{Driver, check, check_with};
use indistinct_tables::{TableJob, TableJobs};
use std::{collections::BTreeSet, sync::Arc};

/// The plan of a job whose rows must be together.
fn ours() -> Arc<dyn ExecutionPlan> {
    let place = tempfile::tempdir().unwrap();
    let plan = plans::bounded_sum();
    let (domain, _) = plan.input_space();
    let reader = reader(&domain);
    let job = TableJob::csv(&reader, files(place.path(), &records(50), 0, 1), &domain, &plan).unwrap();
    Driver::new(&job, Arc::new(TableJobs), 3, 1 << 30, Some(4)).unwrap().plan().unwrap()
}

fn names(plan: &Arc<dyn ExecutionPlan>, all: &mut BTreeSet<String>) {
    all.insert(plan.name().to_owned());
    plan.children().into_iter().for_each(|child| names(child, all));
}

/// Each node of a plan alone, upon a plan that may run.
fn refused(plan: &Arc<dyn ExecutionPlan>, seen: &mut BTreeSet<String>) {
    assert!(check(plan).is_err(), "{}", plan.name());
    let only = |node: &Arc<dyn ExecutionPlan>| Arc::ptr_eq(node, plan);
    if plan.children().is_empty() || plan.children().into_iter().all(|child| check(child).is_ok()) {
        assert!(check_with(plan, &only).is_ok());
    }
    seen.insert(plan.name().to_owned());
    plan.children().into_iter().for_each(|child| refused(child, seen));
}

#[test]
fn a_plan_of_ours_may_run() {
    let plan = ours();
    check(&plan).unwrap();
    let mut all = BTreeSet::new();
    names(&plan, &mut all);
    let expected = ["DataSourceExec", "IndistinctFold", "IndistinctRead", "RepartitionExec", "SortExec"];
    assert!(all.iter().eq(expected), "{all:?}");
    // Neither options nor names of files nor columns are in what is shown of it.
    let shown = format!("{}{plan:?}", datafusion::physical_plan::displayable(plan.as_ref()).indent(true));
    for hidden in ["csv", "person", "city", "laplace", "tmp"] {
        assert!(!shown.contains(hidden), "{shown}");
    }
}

/// What DataFusion's planner makes of questions in SQL: no node of it may run, not even a scan.
#[test]
fn no_node_of_a_question_in_sql_may_run() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let mut seen = BTreeSet::new();
    runtime.block_on(async {
        for (settings, questions) in [
            (SessionConfig::new().with_target_partitions(3), &QUESTIONS[..]),
            (
                SessionConfig::new().with_target_partitions(3).set_bool("datafusion.optimizer.prefer_hash_join", false),
                &["SELECT * FROM t JOIN u ON t.a = u.a"][..],
            ),
        ] {
            let context = SessionContext::new_with_config(settings);
            for create in [
                "CREATE TABLE t (a INT, b DOUBLE, c TEXT) AS VALUES (1, 2.0, 'x'), (2, 3.0, 'y')",
                "CREATE TABLE u (a INT, l INT[]) AS VALUES (1, [1, 2])",
            ] {
                context.sql(create).await.unwrap().collect().await.unwrap();
            }
            for question in questions {
                let plan = context.sql(question).await.unwrap().create_physical_plan().await.unwrap();
                refused(&plan, &mut seen);
            }
        }
    });
    let missing: Vec<_> = PLANNED.into_iter().filter(|name| !seen.contains(*name)).collect();
    assert!(missing.is_empty(), "{missing:?} of {seen:?}");
}

const QUESTIONS: [&str; 22] = [
    "SELECT a FROM t",
    "SELECT a + 1 FROM t WHERE b > 2",
    "SELECT c, SUM(b) FROM t GROUP BY c",
    "SELECT MAX(b) FROM t",
    "SELECT * FROM t JOIN u ON t.a = u.a",
    "SELECT * FROM t CROSS JOIN u",
    "SELECT * FROM t JOIN u ON t.a < u.a AND t.b > u.a + 1",
    "SELECT * FROM t WHERE a IN (SELECT a FROM u)",
    "SELECT a FROM t UNION ALL SELECT a FROM u",
    "SELECT a FROM t LIMIT 1",
    "SELECT a FROM t ORDER BY b",
    "SELECT a FROM t ORDER BY b LIMIT 1",
    "SELECT c, ROW_NUMBER() OVER (PARTITION BY a ORDER BY b) FROM t",
    "SELECT SUM(b) OVER (PARTITION BY a ORDER BY b ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM t",
    "SELECT UNNEST(l) FROM u",
    "SELECT 1",
    "SELECT a FROM t WHERE false",
    "EXPLAIN SELECT a FROM t",
    "EXPLAIN ANALYZE SELECT a FROM t",
    "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT n FROM r",
    "INSERT INTO t VALUES (3, 4.0, 'z')",
    "SELECT DISTINCT a FROM t",
];

const PLANNED: [&str; 18] = [
    "AggregateExec",
    "AnalyzeExec",
    "BoundedWindowAggExec",
    "CrossJoinExec",
    "DataSinkExec",
    "DataSourceExec",
    "EmptyExec",
    "ExplainExec",
    "FilterExec",
    "HashJoinExec",
    "NestedLoopJoinExec",
    "PlaceholderRowExec",
    "ProjectionExec",
    "RecursiveQueryExec",
    "RepartitionExec",
    "SortExec",
    "UnionExec",
    "UnnestExec",
];

/// The parts of a plan of ours, from above.
fn parts() -> [Arc<dyn ExecutionPlan>; 4] {
    let fold = ours();
    let below = |plan: &Arc<dyn ExecutionPlan>| plan.children()[0].clone();
    let (sort, shuffle) = (below(&fold), below(&below(&fold)));
    let read = below(&shuffle);
    [fold, sort, shuffle, read]
}

#[test]
fn nodes_on_the_list_with_other_parameters_are_refused() {
    let [fold, sort, shuffle, read] = parts();
    let column =
        |place| -> Arc<Column> { Arc::new(Column::new(["partition", "part", "number", "rows"][place], place)) };
    let rising = SortOptions { descending: false, nulls_first: false };
    let by = |places: &[usize], options| {
        LexOrdering::new(places.iter().map(|place| PhysicalSortExpr::new(column(*place), options))).unwrap()
    };
    let sorted = |by: LexOrdering| SortExec::new(by, shuffle.clone());
    let hashed = |place| Partitioning::Hash(vec![column(place)], 3);
    let moved = |by| -> Arc<dyn ExecutionPlan> { Arc::new(RepartitionExec::try_new(read.clone(), by).unwrap()) };
    let source = || {
        let mut source = read.clone();
        while let Some(child) = source.children().first() {
            source = Arc::clone(child);
        }
        source
    };
    let numbers = source().schema();
    let refused: Vec<Arc<dyn ExecutionPlan>> = vec![
        moved(Partitioning::RoundRobinBatch(3)),
        moved(Partitioning::UnknownPartitioning(3)),
        moved(hashed(1)),
        moved(Partitioning::Hash(vec![column(0), column(1)], 3)),
        moved(Partitioning::Hash(vec![], 3)),
        Arc::new(sorted(by(&[0, 1, 2], rising))),
        Arc::new(sorted(by(&[0, 1, 2], rising)).with_preserve_partitioning(true).with_fetch(Some(9))),
        Arc::new(sorted(by(&[0, 1], rising)).with_preserve_partitioning(true)),
        Arc::new(sorted(by(&[1, 0, 2], rising)).with_preserve_partitioning(true)),
        Arc::new(sorted(by(&[0, 1, 2], SortOptions { descending: true, ..rising })).with_preserve_partitioning(true)),
        MemorySourceConfig::try_new_exec(&[vec![]], numbers.clone(), Some(vec![0])).unwrap(),
        MemorySourceConfig::try_new_exec(&[vec![RecordBatch::new_empty(fold.schema())]], fold.schema(), None).unwrap(),
        source().with_fetch(Some(1)).unwrap(),
        Arc::new(CoalescePartitionsExec::new(fold.clone())),
        Arc::new(CooperativeExec::new(fold.clone())),
        Arc::new(BufferExec::new(fold.clone(), 1 << 20)),
        Arc::new(InterleaveExec::try_new(vec![shuffle.clone(), moved(hashed(0))]).unwrap()),
    ];
    for plan in refused {
        assert!(check(&plan).is_err(), "{}", plan.name());
        // Nor below a node that may run.
        let above = replace_children_if_necessary(sort.clone(), vec![plan.clone()]);
        assert!(above.map_or(true, |above| check(&above).is_err()), "{}", plan.name());
    }
    assert!(check(&moved(hashed(0))).is_ok());
    let may_run: Arc<dyn ExecutionPlan> = Arc::new(sorted(by(&[0, 1, 2], rising)).with_preserve_partitioning(true));
    assert!(check(&may_run).is_ok());
}
