//! A plan that travels to another process as bytes, and its records back.

use crate::{FAILED, files, in_memory, plans, reader, records, write};
use datafusion::{
    arrow::{
        array::RecordBatch,
        ipc::{reader::StreamReader, writer::StreamWriter},
    },
    physical_plan::{ExecutionPlan, collect_partitioned},
    prelude::SessionContext,
};
use datafusion_proto::bytes::{
    physical_plan_from_bytes, physical_plan_from_bytes_with_extension_codec,
    physical_plan_to_bytes_with_extension_codec,
};
use indistinct_datafusion::{Codec, Driver, check};
use indistinct_tables::{TableJob, TableJobs};
use std::{env, fs, path::Path, process::Command, sync::Arc};

const PLACE: &str = "INDISTINCT_RUNS_PLAN_IN";

/// What the other process does: it knows no job before it reads the plan.
fn child(place: &Path) {
    let bytes = fs::read(place.join("plan")).unwrap();
    let context = SessionContext::new().task_ctx();
    let codec = Codec::new(Arc::new(TableJobs));
    let plan = physical_plan_from_bytes_with_extension_codec(&bytes, &context, &codec).unwrap();
    check(&plan).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let schema = plan.schema();
    let records = runtime.block_on(collect_partitioned(plan, context)).unwrap().concat();
    let mut writer = StreamWriter::try_new(fs::File::create(place.join("records")).unwrap(), &schema).unwrap();
    records.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap();
}

#[test]
fn plans_travel() {
    if let Some(place) = env::var_os(PLACE) {
        return child(Path::new(&place));
    }
    let place = tempfile::tempdir().unwrap();
    let (whole, records) = (place.path().join("all.csv"), records(1000));
    write(&whole, &records);
    let paths = files(place.path(), &records, 5, 3);
    for plan in plans::all(1000) {
        let (domain, _) = plan.input_space();
        let reader = reader(&domain);
        let job = TableJob::csv(&reader, &paths, &domain, &plan).unwrap();
        let driver = Driver::new(&job, Arc::new(TableJobs), 3, 1 << 30, Some(7)).unwrap();
        let codec = Codec::new(Arc::new(TableJobs));
        let bytes = physical_plan_to_bytes_with_extension_codec(driver.plan().unwrap(), &codec).unwrap();
        assert!(physical_plan_from_bytes(&bytes, &SessionContext::new().task_ctx()).is_err());
        fs::write(place.path().join("plan"), &bytes).unwrap();
        let test = ["--exact", "processes::plans_travel"];
        let done = Command::new(env::current_exe().unwrap()).args(test).env(PLACE, place.path()).output().unwrap();
        assert!(done.status.success(), "{done:?}");
        let read = StreamReader::try_new(fs::File::open(place.path().join("records")).unwrap(), None).unwrap();
        let records: Vec<RecordBatch> = read.map(Result::unwrap).collect();
        assert_eq!(driver.state(&records).unwrap(), in_memory(&plan, &whole));
        // Without one of them, or with one twice, there is no state.
        assert_eq!(driver.state(&records[1..]).unwrap_err().to_string(), FAILED);
        let twice = [&records[..], &records[..1]].concat();
        assert_eq!(driver.state(&twice).unwrap_err().to_string(), FAILED);
    }
}

/// Bytes of no plan, or of another version, are refused.
#[test]
fn other_bytes_are_no_plans() {
    use datafusion_proto::physical_plan::{DefaultPhysicalProtoConverter, PhysicalExtensionCodec};
    let codec = Codec::new(Arc::new(TableJobs));
    let context = SessionContext::new().task_ctx();
    let input = || -> Arc<dyn ExecutionPlan> {
        Arc::new(datafusion::physical_plan::empty::EmptyExec::new(Arc::new(
            datafusion::arrow::datatypes::Schema::empty(),
        )))
    };
    for bytes in [&b""[..], b"indistinct read 2\n", b"indistinct fold 1\n", b"indistinct fold 1\n\0\0\0\x01\0\0"] {
        assert!(codec.try_decode(bytes, &[input()], &context, &DefaultPhysicalProtoConverter {}).is_err());
    }
    let whole = b"indistinct fold 1\n\0\0\0\x01\0\0\0\x01";
    assert!(codec.try_decode(whole, &[input()], &context, &DefaultPhysicalProtoConverter {}).is_ok());
    assert!(codec.try_decode(whole, &[], &context, &DefaultPhysicalProtoConverter {}).is_err());
    assert!(codec.try_encode(input(), &mut Vec::new(), &DefaultPhysicalProtoConverter {}).is_err());
}
