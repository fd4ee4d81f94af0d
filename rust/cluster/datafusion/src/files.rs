//! Files in object stores, read through DataFusion.

use datafusion::{
    datasource::object_store::ObjectStoreUrl,
    execution::runtime_env::RuntimeEnv,
    object_store::{ObjectStore, ObjectStoreExt, path::Path},
};
use indistinct_engine::Files;
use std::{fmt, io, sync::Arc};
use tokio::runtime::Handle;

/// The stores that are registered for the beginnings of addresses.
pub(crate) struct ObjectStores {
    runtime: Arc<RuntimeEnv>,
    handle: Handle,
}

impl ObjectStores {
    pub(crate) fn new(runtime: Arc<RuntimeEnv>, handle: Handle) -> Self {
        Self { runtime, handle }
    }

    /// The store of an address, and the place in it.
    fn at(&self, address: &str) -> io::Result<(Arc<dyn ObjectStore>, Path)> {
        let (scheme, rest) = address.split_once("://").ok_or(io::ErrorKind::InvalidInput)?;
        let (host, place) = rest.split_once('/').unwrap_or((rest, ""));
        let url = ObjectStoreUrl::parse(format!("{scheme}://{host}")).map_err(|_| io::ErrorKind::InvalidInput)?;
        let store = self.runtime.object_store(&url).map_err(|_| io::ErrorKind::NotFound)?;
        Ok((store, Path::parse(place).map_err(|_| io::ErrorKind::InvalidInput)?))
    }
}

impl fmt::Debug for ObjectStores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ObjectStores")
    }
}

/// A store's own words may quote what it holds.
fn kind(error: &datafusion::object_store::Error) -> io::Error {
    match error {
        datafusion::object_store::Error::NotFound { .. } => io::ErrorKind::NotFound.into(),
        _ => io::ErrorKind::Other.into(),
    }
}

impl Files for ObjectStores {
    fn size(&self, address: &str) -> io::Result<u64> {
        let (store, place) = self.at(address)?;
        Ok(self.handle.block_on(store.head(&place)).map_err(|error| kind(&error))?.size)
    }

    fn read(&self, address: &str, from: u64, length: usize) -> io::Result<Vec<u8>> {
        let (store, place) = self.at(address)?;
        let until = from.saturating_add(u64::try_from(length).unwrap_or(u64::MAX));
        let bytes = self.handle.block_on(store.get_range(&place, from..until)).map_err(|error| kind(&error))?;
        Ok(bytes.to_vec())
    }
}
