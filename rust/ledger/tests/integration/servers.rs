//! What only a server can do: be killed at any moment, with all of its processes, and be started again; be set so that
//! it loses commits; have an owner.

use crate::{kills::Said, place::Place, writer};
use indistinct_ledger::{Charge, Error, Ledger, Loss};
use std::{
    env, fs,
    os::unix::{
        fs::{MetadataExt, PermissionsExt, chown},
        process::CommandExt,
    },
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};
use tempfile::TempDir;

/// A server of this test's own.
struct Server {
    folder: TempDir,
    process: Child,
    /// The addresses that it listens to.
    listens: &'static str,
}

impl Server {
    fn start() -> Self {
        let folder =
            tempfile::Builder::new().permissions(std::os::unix::fs::PermissionsExt::from_mode(0o755)).tempdir();
        let folder = folder.unwrap();
        let process = serve(folder.path(), "");
        Self { folder, process, listens: "" }
    }

    fn url(&self) -> String {
        format!("host={} user=ledger dbname=postgres", self.folder.path().display())
    }

    /// SIGKILL to the server and all of its processes at once, and another one in its place.
    fn kill_and_restart(&mut self) {
        self.kill();
        self.process = serve(self.folder.path(), self.listens);
    }

    fn kill(&mut self) {
        let group = format!("-{}", self.process.id());
        assert!(Command::new("kill").args(["-KILL", "--", &group]).status().unwrap().success());
        self.process.wait().unwrap();
    }

    /// Waits until it answers.
    fn ledger<T>(&self, open: impl Fn(&str) -> Result<T, Error>) -> T {
        for _ in 0..600 {
            match open(&self.url()) {
                Ok(ledger) => return ledger,
                Err(Error::Storage(_)) => thread::sleep(Duration::from_millis(50)),
                Err(error) => panic!("{error}"),
            }
        }
        panic!("the server does not start")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

fn serve(folder: &Path, listens: &str) -> Child {
    let mut command = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/server/run.sh"));
    command
        .arg("serve")
        .arg(folder)
        .env("SERVER_LISTENS", listens)
        .process_group(0)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().unwrap()
}

/// Four writers and a server that is killed under them, 10 times (200 with `TEST_DEEP`): all that was acknowledged is
/// there.
#[test]
fn nothing_that_was_acknowledged_is_lost() {
    let mut server = Server::start();
    let loss = Loss::epsilon(0.1).unwrap();
    drop(server.ledger(|url| Ledger::create_on_server(url, "kills", "survey", &Loss::epsilon(1e9).unwrap())));
    let place = Place::on_server(&server.url(), "kills");
    let (mut said, mut seed) = (Said::default(), 11u64);
    for round in 0..if env::var_os("TEST_DEEP").is_some() { 200 } else { 10 } {
        let children: Vec<_> =
            (0..4).map(|one| writer::start(&place, "survey", &format!("{round}-{one}"), 0.1)).collect();
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        thread::sleep(Duration::from_micros(20_000 + (seed >> 33) % 200_000));
        server.kill_and_restart();
        // They end by themselves: without their server, they have an error, and nothing is tried again.
        for child in children {
            said.hear(child.lines().into_iter().filter(|line| !line.starts_with("error")).collect());
        }
        drop(server.ledger(|url| Ledger::open_on_server(url, "kills")));
    }
    said.check(&place, &loss);
}

/// What an owner of the schema may change is found, as it is in a file.
#[test]
fn what_does_not_follow_from_the_entries_is_found() {
    let loss = Loss::epsilon(0.25).unwrap();
    for change in [
        "UPDATE account SET spent = 'epsilon 0'",
        "UPDATE request SET result = 'about 37' WHERE key = 'a'",
        "UPDATE request SET drawn = NULL WHERE key = 'b'",
        "DELETE FROM request WHERE key = 'b'",
        "ALTER TABLE entry DISABLE TRIGGER ALL; UPDATE entry SET body = '{}' WHERE number = 3",
        "ALTER TABLE entry DISABLE TRIGGER ALL; DELETE FROM request WHERE key = 'b'; DELETE FROM entry WHERE number > 5",
    ] {
        let place = Place::server();
        let mut ledger = place.create(&Loss::epsilon(1.0).unwrap());
        for (key, is_released) in [("a", true), ("b", false)] {
            let Charge::Charged(charged) = ledger.charge("survey", key, "plan", &loss).unwrap() else { panic!("new") };
            let drawn = charged.draw().unwrap();
            if is_released {
                drawn.release(b"about 36").unwrap();
            }
        }
        let head = ledger.verify(None).unwrap();
        let (url, name) = place.server_and_name();
        let mut owner = postgres::Client::connect(url, postgres::NoTls).unwrap();
        owner.batch_execute(&format!("SET search_path = {name}; {change}")).unwrap();
        let found = ledger.verify(Some(head));
        assert!(matches!(found, Err(Error::Tampered(_))), "{change}: {found:?}");
    }
}

/// What a program of its own is told of the ledger `tls`, that knows these authorities.
fn asked(authorities: &Path, url: &str) -> Result<String, String> {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", "servers::answers", "--nocapture", "--test-threads", "1"]);
    let output = command.env("SSL_CERT_FILE", authorities).env("ASKED_SERVER", url).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let line = |start: &str| text.lines().find_map(|line| line.strip_prefix(start)).map(str::to_owned);
    line("left: ").ok_or_else(|| line("refused: ").unwrap_or(text.clone()))
}

/// Does nothing unless it is asked.
#[test]
fn answers() {
    let Ok(url) = env::var("ASKED_SERVER") else { return };
    println!();
    match Ledger::open_on_server(&url, "tls").and_then(|ledger| ledger.budget("survey")) {
        Ok(budget) => println!("left: {}", budget.remaining),
        Err(error) => println!("refused: {error}"),
    }
}

/// Encrypted, to a server that shows a certificate of its name, by an authority that is known; and to no other one.
/// A program of its own asks, for authorities are those of its environment.
#[test]
fn a_server_has_to_show_who_it_is() {
    let mut server = Server::start();
    drop(server.ledger(|url| Ledger::create_on_server(url, "tls", "survey", &Loss::epsilon(1.0).unwrap())));
    let place = server.folder.path().to_owned();
    let folder = place.join("data");
    let openssl = |arguments: &[&str]| {
        let done = Command::new("openssl").args(arguments).current_dir(&place).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    openssl(&[
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=authority",
        "-keyout",
        "ca.key",
        "-out",
        "ca.crt",
    ]);
    openssl(&[
        "req",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-subj",
        "/CN=localhost",
        "-keyout",
        "server.key",
        "-out",
        "server.csr",
    ]);
    fs::write(place.join("names"), "subjectAltName=DNS:localhost\n").unwrap();
    openssl(&[
        "x509",
        "-req",
        "-in",
        "server.csr",
        "-CA",
        "ca.crt",
        "-CAkey",
        "ca.key",
        "-CAcreateserial",
        "-days",
        "2",
        "-extfile",
        "names",
        "-out",
        "server.crt",
    ]);
    for file in ["server.key", "server.crt"] {
        fs::copy(place.join(file), folder.join(file)).unwrap();
        // The server's own, as its data are.
        let owner = fs::metadata(folder.join("PG_VERSION")).unwrap();
        chown(folder.join(file), Some(owner.uid()), Some(owner.gid())).unwrap();
        fs::set_permissions(folder.join(file), fs::Permissions::from_mode(0o600)).unwrap();
    }
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let settings = format!("port = {port}\nssl = on\n");
    let mut file = fs::OpenOptions::new().append(true).open(folder.join("postgresql.auto.conf")).unwrap();
    std::io::Write::write_all(&mut file, settings.as_bytes()).unwrap();
    server.listens = "localhost";
    server.kill_and_restart();
    let url = |host: &str, rest: &str| {
        format!("host={host} hostaddr=127.0.0.1 port={port} user=ledger dbname=postgres {rest}")
    };
    let socket = format!("{} port={port}", server.url());
    drop(server.ledger(|_| Ledger::open_on_server(&socket, "tls")));
    let ask = |authority: &str, url: &str| asked(&place.join(authority), url);
    let authority = "ca.crt";
    assert_eq!(ask(authority, &url("localhost", "sslmode=require")), Ok("epsilon 1".into()));
    // Another name; an authority that is not known; none.
    assert!(ask(authority, &url("example.org", "sslmode=require")).unwrap_err().contains("certificate"));
    assert!(ask("server.csr", &url("localhost", "sslmode=require")).is_err());
    openssl(&[
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=other",
        "-keyout",
        "o.key",
        "-out",
        "o.crt",
    ]);
    assert!(ask("o.crt", &url("localhost", "sslmode=require")).unwrap_err().contains("certificate"));
    // In the open, on this machine.
    assert_eq!(ask(authority, &url("localhost", "")), Ok("epsilon 1".into()));
}

/// A connection that is lost is an error, from then on, until the ledger is opened again; the same key tells what was
/// done.
#[test]
fn a_lost_connection_is_an_error() {
    let mut server = Server::start();
    let loss = Loss::epsilon(0.25).unwrap();
    let mut ledger = server.ledger(|url| Ledger::create_on_server(url, "lost", "survey", &Loss::epsilon(1.0).unwrap()));
    let Charge::Charged(charged) = ledger.charge("survey", "a", "plan", &loss).unwrap() else { panic!("new") };
    server.kill_and_restart();
    assert!(matches!(charged.draw(), Err(Error::Storage(_))));
    drop(server.ledger(|url| Ledger::open_on_server(url, "lost")));
    for _ in 0..2 {
        assert!(matches!(ledger.charge("survey", "a", "plan", &loss), Err(Error::Refused(_))));
    }
    let mut again = server.ledger(|url| Ledger::open_on_server(url, "lost"));
    let Charge::Charged(charged) = again.charge("survey", "a", "plan", &loss).unwrap() else { panic!("charged") };
    charged.draw().unwrap().release(b"7").unwrap();
    assert_eq!(again.budget("survey").unwrap().spent, loss);
    again.verify(None).unwrap();
}

/// A server that may lose what it confirms is refused, also where it is set so once the ledger is open.
#[test]
fn a_server_that_loses_commits_is_refused() {
    let server = Server::start();
    let loss = Loss::epsilon(0.25).unwrap();
    let mut ledger =
        server.ledger(|url| Ledger::create_on_server(url, "settings", "survey", &Loss::epsilon(1.0).unwrap()));
    let mut other = postgres::Client::connect(&server.url(), postgres::NoTls).unwrap();
    let mut set = |text: &str| {
        other.batch_execute(&format!("ALTER SYSTEM {text}")).unwrap();
        other.batch_execute("SELECT pg_reload_conf()").unwrap();
        thread::sleep(Duration::from_millis(500));
    };
    // What a transaction can say of itself, it does.
    set("SET synchronous_commit = off");
    assert!(ledger.charge("survey", "a", "plan", &loss).is_ok());
    for setting in ["fsync", "full_page_writes"] {
        set(&format!("SET {setting} = off"));
        let error = ledger.charge("survey", "b", "plan", &loss).unwrap_err();
        assert!(error.to_string().contains(&format!("{setting} = off")), "{error}");
        assert!(matches!(Ledger::open_on_server(&server.url(), "settings"), Err(Error::Refused(_))));
        set(&format!("RESET {setting}"));
    }
    assert!(ledger.charge("survey", "b", "plan", &loss).is_ok());
    let mut client = postgres::Client::connect(&server.url(), postgres::NoTls).unwrap();
    for change in
        ["UPDATE settings.entry SET kind = 'draw'", "DELETE FROM settings.entry", "TRUNCATE settings.entry CASCADE"]
    {
        assert!(client.batch_execute(change).is_err(), "{change}");
    }
    // Names: no ledger, one that is there, one that is none, one of another version.
    let open = |name: &str| Ledger::open_on_server(&server.url(), name);
    assert!(matches!(open("nothing"), Err(Error::Refused(_))));
    for name in ["", "a\"b", "Survey", "pg_ledger", "1a", &"x".repeat(64)] {
        assert!(matches!(open(name), Err(Error::Parameter { name: "ledger", .. })), "{name}");
    }
    let create = || Ledger::create_on_server(&server.url(), "settings", "survey", &loss);
    assert!(matches!(create(), Err(Error::Storage(_))));
    assert_eq!(ledger.verify(None).unwrap().entries, 4);
    client.batch_execute("UPDATE settings.mark SET version = 4").unwrap();
    assert!(open("settings").unwrap_err().to_string().contains("version 4"));
}
