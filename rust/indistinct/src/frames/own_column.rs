//! Columns computed by registered functions, which plans name.

use super::{
    batch::Batch,
    cell::{Cell, Kind},
    column::Column,
    computed::Computed,
    domain::{ColumnDomain, FrameDomain},
};
use crate::{
    core::{CALLER_TRUSTED, Error, Fallible, Function, Levels, MetricSpace, Plan, Proof, StabilityMap, Transformation},
    metrics::RowByRowMetric,
};
use std::sync::Arc;

/// A function of some cells of a row.
pub(crate) type OfRow = Arc<dyn Fn(&[Cell]) -> Cell + Send + Sync>;

/// A column that a registered function computes from other columns.
#[derive(Clone)]
pub(crate) struct OwnColumn {
    pub(crate) name: String,
    pub(crate) column: String,
    pub(crate) of: Vec<String>,
    pub(crate) domain: ColumnDomain,
}

/// Adds a column, or replaces the column of the same name, with the values of a function of some cells of each row. A
/// value outside the column's domain becomes missing.
///
/// The map is `d_out = d_in` if the function depends on these cells alone, for which the caller vouches.
pub(crate) fn own_column<M: RowByRowMetric>(
    input_domain: FrameDomain,
    input_metric: M,
    own: &OwnColumn,
    function: OfRow,
) -> Fallible<Transformation<FrameDomain, FrameDomain, M, M>>
where
    (FrameDomain, M): MetricSpace,
    M::Distance: Clone,
{
    let OwnColumn { name, column, of, domain } = own;
    let plan = Plan::new("own_column").parameter("name", name).parameter("column", column).parameter("of", of);
    let plan = plan.parameter("domain", domain).parameter("function", &CALLER_TRUSTED);
    let mut places: Vec<(usize, Option<Arc<[String]>>)> = Vec::new();
    for name in of {
        let place = input_domain.position(name).map_err(|error| Error::parameter("of", error.message()))?;
        if places.iter().any(|(other, _)| *other == place) {
            return Err(Error::parameter("of", format!("the name {name:?} is repeated")));
        }
        places.push((place, input_domain.column(name)?.labels().cloned()));
    }
    let domain = domain.clone().with_missing();
    let one = Ok((column.clone(), (), domain.clone()));
    let computed = Computed::new(&input_domain, [one]).map_err(|error| Error::parameter("column", error.message()));
    let (computed, described) = computed?;
    let output_domain = input_domain.with_columns(described)?;
    let names = output_domain.names().clone();
    Transformation::new(
        (input_domain, input_metric.clone()),
        (output_domain, input_metric),
        Function::batch_by_batch(move |batch: &Batch| {
            let given = |row: usize| -> Vec<Cell> {
                places
                    .iter()
                    .map(|(place, labels)| given(batch.columns().get(*place), row, labels.as_deref()))
                    .collect()
            };
            let columns = computed.put(batch.columns().to_vec(), |()| {
                let cells = (0..batch.rows()).map(|row| kept(function(&given(row)), &domain));
                Column::from_cells(domain.kind(), cells)
            });
            Batch::new(names.clone(), columns, batch.rows())
        }),
        StabilityMap::new(|d_in: &M::Distance| Ok(d_in.clone())),
    )?
    .with_plan(plan, Levels::new(Proof::UNPROVEN, &[]))
}

/// Returns the cell that the function gets: equal for equal cells, and the label for a category.
fn given(column: Option<&Column>, row: usize, labels: Option<&[String]>) -> Cell {
    let cell = column.map_or(Cell::Missing, |column| column.cell(row).canonical());
    match (labels, &cell) {
        (Some(labels), Cell::Integer(position)) => {
            usize::try_from(*position).ok().and_then(|position| labels.get(position)).map(String::as_str).into()
        }
        _ => cell,
    }
}

/// Converts a value to the form that columns of this domain store, or `Missing` if it is outside the domain.
fn kept(cell: Cell, domain: &ColumnDomain) -> Cell {
    let cell = match (domain.kind(), cell) {
        (Kind::Float, cell) => cell.to_float().into(),
        (Kind::Integer | Kind::Date | Kind::Time, cell) => cell.to_integer().into(),
        (Kind::Category, Cell::Text(label)) => {
            let labels = domain.labels().map(AsRef::as_ref).unwrap_or_default();
            let position = labels.iter().position(|listed| *listed == label);
            position.and_then(|position| i64::try_from(position).ok()).into()
        }
        (Kind::Bool, cell @ Cell::Bool(_)) | (Kind::Text, cell @ Cell::Text(_)) => cell,
        _ => Cell::Missing,
    };
    let is_within = match (domain.bounds(), &cell) {
        (Some((Cell::Float(lower), Cell::Float(upper))), Cell::Float(value)) => lower <= *value && *value <= upper,
        (Some((Cell::Integer(lower), Cell::Integer(upper))), Cell::Integer(value)) => {
            lower <= *value && *value <= upper
        }
        _ => true,
    };
    if is_within { cell } else { Cell::Missing }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    fn people() -> FrameDomain {
        let columns = [
            ("id", ColumnDomain::integer()),
            ("x", ColumnDomain::float().with_missing()),
            ("sex", ColumnDomain::category(["f", "m"]).unwrap()),
        ];
        FrameDomain::new(columns).unwrap().with_individuals("id").unwrap()
    }

    fn made(of: &[&str], column: &str, domain: ColumnDomain, function: OfRow) -> Fallible<Vec<Cell>> {
        let own = OwnColumn {
            name: "own".into(),
            column: column.into(),
            of: of.iter().map(|name| (*name).to_owned()).collect(),
            domain,
        };
        let step = own_column(people(), SymmetricIdDistance, &own, function)?;
        assert_eq!((step.map(&3), step.plan().is_complete()), (Ok(3), false));
        assert_eq!(step.explain(&1).unwrap().weakest_proof(), crate::core::ProofLevel::Unproven);
        let frame = crate::frames::Frame::new([
            ("id", (0..4i64).collect::<Column>()),
            ("x", [-0.0, f64::NAN, 1.5, f64::INFINITY].into_iter().collect()),
            ("sex", Column::from_cells(Kind::Category, [0i64, 1, 0, 1].map(Cell::from))),
        ]);
        let out = step.invoke(&frame.unwrap())?;
        assert!(step.output_domain().member(&out));
        let place = step.output_domain().position(column)?;
        Ok((0..4).map(|row| out[0].columns()[place].cell(row)).collect())
    }

    /// Equal cells are given in one common form, and labels as texts.
    #[test]
    fn equal_cells_are_given_alike() {
        let seen = Arc::new(|cells: &[Cell]| Cell::from(format!("{cells:?}")));
        let texts = made(&["sex", "x"], "seen", ColumnDomain::text(), seen).unwrap();
        let told =
            ["Text(\"f\"), Float(0.0)", "Text(\"m\"), Missing", "Text(\"f\"), Float(1.5)", "Text(\"m\"), Float(inf)"];
        assert_eq!(texts, told.map(|told| Cell::from(format!("[{told}]"))));
    }

    #[test]
    fn what_leaves_the_domain_is_missing() {
        let of = |domain: ColumnDomain, value: Cell| {
            let cells = made(&[], "x", domain, Arc::new(move |_| value.clone())).unwrap();
            assert!(cells.windows(2).all(|pair| pair[0] == pair[1]));
            cells[0].clone()
        };
        let integers = || ColumnDomain::integer().with_bounds(0.0, 9.0).unwrap();
        let floats = || ColumnDomain::float().with_bounds(0.0, 1.5).unwrap();
        let labels = || ColumnDomain::category(["a", "b"]).unwrap();
        for (domain, value, kept) in [
            (integers(), Cell::from(9), Cell::from(9)),
            (integers(), Cell::from(10), Cell::Missing),
            (integers(), Cell::from(-1), Cell::Missing),
            (integers(), Cell::from(3.0), Cell::from(3)),
            (integers(), Cell::from(3.5), Cell::Missing),
            (integers(), Cell::from("3"), Cell::Missing),
            (floats(), Cell::from(1.5), Cell::from(1.5)),
            (floats(), Cell::from(1), Cell::from(1.0)),
            (floats(), Cell::from(1.6), Cell::Missing),
            (floats(), Cell::from(f64::NAN), Cell::Missing),
            (floats(), Cell::from(f64::INFINITY), Cell::Missing),
            (ColumnDomain::float(), Cell::from(f64::INFINITY), Cell::from(f64::INFINITY)),
            (labels(), Cell::from("b"), Cell::from(1)),
            (labels(), Cell::from("c"), Cell::Missing),
            (labels(), Cell::from(1), Cell::Missing),
            (ColumnDomain::bool(), Cell::from(true), Cell::from(true)),
            (ColumnDomain::bool(), Cell::from(1), Cell::Missing),
            (ColumnDomain::text(), Cell::from(true), Cell::Missing),
            (ColumnDomain::date(), Cell::from(7), Cell::from(7)),
            (ColumnDomain::text(), Cell::Missing, Cell::Missing),
        ] {
            assert_eq!(of(domain.clone(), value.clone()), kept, "{domain:?} {value:?}");
        }
    }

    #[test]
    fn names() {
        let refused = |of: &[&str], column: &str| {
            made(of, column, ColumnDomain::text(), Arc::new(|_| Cell::Missing)).unwrap_err().kind()
        };
        assert_eq!(refused(&["x", "x"], "new"), ErrorKind::Parameter("of"));
        assert_eq!(refused(&["y"], "new"), ErrorKind::Parameter("of"));
        assert_eq!(refused(&["x"], "id"), ErrorKind::Parameter("column"));
    }
}
