//! The nodes that may run.

use crate::{
    layout::{CHUNKS, PARTS, broken},
    node::Node,
};
use datafusion::{
    arrow::compute::SortOptions,
    datasource::{memory::MemorySourceConfig, source::DataSourceExec},
    error::Result,
    physical_expr::{LexOrdering, PhysicalExpr, PhysicalSortExpr, expressions::Column},
    physical_plan::{ExecutionPlan, Partitioning, repartition::RepartitionExec, sorts::sort::SortExec},
};
use std::{any::Any, sync::Arc};

/// Checks that a plan has only nodes that pass rows on unchanged, each once.
///
/// # Errors
///
/// Returns an error for any other node, and for these nodes with parameters that differ from a plan of a
/// [`Driver`](crate::Driver).
pub fn check(plan: &Arc<dyn ExecutionPlan>) -> Result<()> {
    check_with(plan, &|_| false)
}

/// Like [`check`], but also allows an engine's own nodes, such as nodes that read and write shuffles.
///
/// # Errors
///
/// Returns the errors of [`check`], except for nodes that `others` allows.
pub fn check_with(plan: &Arc<dyn ExecutionPlan>, others: &dyn Fn(&Arc<dyn ExecutionPlan>) -> bool) -> Result<()> {
    let is_allowed = is_node(plan) || is_source(plan) || is_shuffle(plan) || is_sort(plan) || others(plan);
    if !is_allowed {
        return Err(broken());
    }
    plan.children().into_iter().try_for_each(|child| check_with(child, others))
}

fn is_node(plan: &Arc<dyn ExecutionPlan>) -> bool {
    plan.downcast_ref::<Node>().is_some()
}

/// Numbers of parts.
fn is_source(plan: &Arc<dyn ExecutionPlan>) -> bool {
    let Some(source) = plan.downcast_ref::<DataSourceExec>() else { return false };
    let source: &dyn Any = source.data_source().as_ref();
    source.downcast_ref::<MemorySourceConfig>().is_some_and(|source| {
        source.original_schema() == *PARTS && source.projection().is_none() && plan.fetch().is_none()
    })
}

/// By partitions of individuals.
fn is_shuffle(plan: &Arc<dyn ExecutionPlan>) -> bool {
    plan.downcast_ref::<RepartitionExec>()
        .is_some_and(|shuffle| is_by_partition(shuffle.partitioning()) && !shuffle.preserve_order())
}

/// Returns true if rows are divided by the number of their partition of individuals.
pub fn is_by_partition(partitioning: &Partitioning) -> bool {
    match partitioning {
        Partitioning::Hash(keys, _) => matches!(&keys[..], [key] if is_column(key, 0)),
        _ => false,
    }
}

fn is_sort(plan: &Arc<dyn ExecutionPlan>) -> bool {
    plan.downcast_ref::<SortExec>().is_some_and(|sort| {
        sort.preserve_partitioning() && sort.fetch().is_none() && ordering().is_some_and(|all| *sort.expr() == all)
    })
}

fn is_column(key: &Arc<dyn PhysicalExpr>, place: usize) -> bool {
    key.downcast_ref::<Column>().is_some_and(|column| *column == self::column(place))
}

/// A column of chunks.
pub(crate) fn column(place: usize) -> Column {
    Column::new(CHUNKS.fields().get(place).map_or("", |field| field.name()), place)
}

/// By partition, part and number.
pub(crate) fn ordering() -> Option<LexOrdering> {
    let rising = SortOptions { descending: false, nulls_first: false };
    LexOrdering::new([0, 1, 2].map(|place| PhysicalSortExpr::new(Arc::new(column(place)), rising)))
}
