//! Files in an object store, and Parquet in groups of rows.

use crate::{files, in_memory, plans, records, run, write};
use datafusion::object_store::{ObjectStore, ObjectStoreExt, memory::InMemory, path::Path};
use indistinct::{
    frames::{ColumnDomain, FrameDomain, col},
    queries::{Budget, Query},
};
use indistinct_datafusion::DataFusion;
use indistinct_engine::{Engine, Native};
use indistinct_tables::{Arrow, TableJob, TableJobs};
use std::{fs, path::PathBuf, sync::Arc};
use url::Url;

fn put(store: &InMemory, name: &str, bytes: Vec<u8>) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(store.put(&Path::from(name), bytes.into())).unwrap();
}

#[test]
fn an_object_store_is_the_file_system() {
    let place = tempfile::tempdir().unwrap();
    let records = records(2000);
    let whole = place.path().join("all.csv");
    write(&whole, &records);
    let store = InMemory::new();
    let at_store = |(index, path): (usize, &PathBuf)| {
        put(&store, &format!("of/{index}.csv"), fs::read(path).unwrap());
        PathBuf::from(format!("memory://rows/of/{index}.csv"))
    };
    let addresses: Vec<PathBuf> = files(place.path(), &records, 1, 3).iter().enumerate().map(at_store).collect();
    let store: Arc<dyn ObjectStore> = Arc::new(store);
    let engine = DataFusion::new(TableJobs).threads(2).object_store(Url::parse("memory://rows").unwrap(), store);
    for plan in plans::all(2000) {
        assert_eq!(run(&engine, &plan, &addresses).unwrap(), in_memory(&plan, &whole));
    }
}

#[test]
fn parquet_from_a_store_and_from_files() {
    use datafusion::{
        arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray},
        parquet::{arrow::ArrowWriter, file::properties::WriterProperties},
    };
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("a.parquet");
    let persons: StringArray = (0..9000).map(|row| (row % 17 > 0).then(|| format!("p{}", row * 7 % 801))).collect();
    let counts: Int64Array = (0..9000).map(|row| (row % 5 > 0).then_some(row % 12)).collect();
    let columns: [ArrayRef; 2] = [Arc::new(persons), Arc::new(counts)];
    let batch = RecordBatch::try_from_iter(["person", "n"].into_iter().zip(columns)).unwrap();
    let groups = WriterProperties::builder().set_max_row_group_row_count(Some(700)).build();
    let mut writer = ArrowWriter::try_new(fs::File::create(&path).unwrap(), batch.schema(), Some(groups)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let store = InMemory::new();
    put(&store, "a.parquet", fs::read(&path).unwrap());
    let number = ColumnDomain::integer().with_bounds(0.0, 9.0).unwrap();
    let domain = FrameDomain::new([("n", number), ("person", ColumnDomain::text())]).unwrap();
    let engine =
        DataFusion::new(TableJobs).threads(3).object_store(Url::parse("memory://rows").unwrap(), Arc::new(store));
    let reader = Arrow::new().drop_null("person").fill_null("n", 3);
    for domain in [domain.clone(), domain.with_individuals("person").unwrap()] {
        let query = Query::new(&domain).count().sum(col("n"), (0.0, 9.0)).measurement(Budget::Rho(0.5)).unwrap();
        let plan = query.measurement();
        let run = |engine: &dyn Engine, path: PathBuf| {
            engine.run(&TableJob::parquet(&reader, [path], &domain, plan).unwrap()).unwrap()
        };
        let expected = run(&Native::new(), path.clone());
        assert_eq!(run(&engine, path.clone()), expected);
        assert_eq!(run(&engine, "memory://rows/a.parquet".into()), expected);
    }
}
