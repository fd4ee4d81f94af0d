//! Processes of a cluster, which end with this value.

use indistinct_ballista::Ballista;
use indistinct_tables::TableJobs;
use std::{
    fs,
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

pub(crate) struct Cluster {
    pub(crate) port: u16,
    pub(crate) scheduler: Child,
    pub(crate) executors: Vec<Child>,
    pub(crate) place: PathBuf,
    tls: Vec<String>,
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

pub(crate) fn wait_until(mut is_so: impl FnMut() -> bool, what: &str) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        thread::sleep(Duration::from_millis(50));
    }
}

fn answers(port: u16) -> bool {
    TcpStream::connect(("127.0.0.1", port)).is_ok()
}

fn program(arguments: &[&str], tls: &[String]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_indistinct-cluster"));
    command.args(arguments).args(tls).stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap()
}

impl Cluster {
    /// A scheduler and so many executors, whose shuffle files are in this place.
    pub(crate) fn new(place: &Path, executors: usize, tls: &[String]) -> Self {
        let port = free_port();
        let listen = format!("127.0.0.1:{port}");
        let scheduler = program(&["scheduler", "--listen", &listen, "--keep", "2", "--patience", "3"], tls);
        wait_until(|| answers(port), "no scheduler");
        let mut cluster = Self { port, scheduler, executors: Vec::new(), place: place.to_owned(), tls: tls.to_vec() };
        (0..executors).for_each(|_| cluster.start());
        cluster
    }

    /// One more executor.
    pub(crate) fn start(&mut self) {
        let (port, scheduler) = (free_port(), format!("localhost:{}", self.port));
        let listen = format!("127.0.0.1:{port}");
        let directory = self.place.to_str().unwrap().to_owned();
        let arguments = ["executor", "--scheduler", &scheduler, "--listen", &listen, "--directory", &directory];
        self.executors.push(program(&arguments, &self.tls));
        wait_until(|| answers(port), "no executor");
    }

    pub(crate) fn engine(&self) -> Ballista {
        Ballista::new(format!("localhost:{}", self.port), TableJobs).tasks(4).deadline(Duration::from_secs(60))
    }

    /// The files of shuffles.
    pub(crate) fn shuffle_files(&self) -> usize {
        fn of(place: &Path) -> usize {
            let Ok(entries) = fs::read_dir(place) else { return 0 };
            let of = |path: PathBuf| if path.is_dir() { of(&path) } else { usize::from(!path.ends_with("lock")) };
            entries.filter_map(|entry| Some(of(entry.ok()?.path()))).sum()
        }
        of(&self.place)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for child in self.executors.iter_mut().chain([&mut self.scheduler]) {
            drop(child.kill());
            drop(child.wait());
        }
    }
}
