//! Certificates of both sides.

use crate::{FAILED, cluster::Cluster, files, native, plans, run};
use indistinct_ballista::Tls;
use std::{fs, path::Path, process::Command, time::Duration};

/// An authority, and a certificate of a name that it has signed, as anybody makes them.
fn certificates(place: &Path, authority: &str, name: &str) {
    let openssl = |arguments: &[&str]| {
        let done = Command::new("openssl").args(arguments).current_dir(place).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    let [key, certificate] = ["key", "crt"].map(|ending| format!("{authority}.{ending}"));
    if !place.join(&certificate).exists() {
        let new = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=authority"];
        openssl(&[&new[..], &["-keyout", &key, "-out", &certificate]].concat());
    }
    fs::write(place.join("names"), "subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n").unwrap();
    let [own_key, request, own] = ["key", "csr", "crt"].map(|ending| format!("{name}.{ending}"));
    openssl(&["req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout", &own_key, "-out", &request]);
    let sign = ["x509", "-req", "-days", "2", "-CAcreateserial", "-extfile", "names"];
    openssl(&[&sign[..], &["-in", &request, "-CA", &certificate, "-CAkey", &key, "-out", &own]].concat());
}

#[test]
fn who_has_no_certificate_gets_nothing() {
    let (place, work) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let paths = files(place.path(), 500, 3);
    certificates(place.path(), "authority", "member");
    certificates(place.path(), "stranger", "other");
    let at = |name: &str| place.path().join(name);
    let text = |name: &str| at(name).to_str().unwrap().to_owned();
    let arguments = ["--authority", "authority.crt", "--certificate", "member.crt", "--key", "member.key"];
    let arguments: Vec<String> =
        arguments.iter().map(|word| if word.starts_with('-') { (*word).to_owned() } else { text(word) }).collect();
    let cluster = Cluster::new(work.path(), 2, &arguments);
    let tls = |authority: &str, name: &str| {
        let [certificate, key] = ["crt", "key"].map(|ending| at(&format!("{name}.{ending}")));
        Tls::read(&at(authority), &certificate, &key).unwrap()
    };
    let engine = || cluster.engine().deadline(Duration::from_secs(20)).attempts(1);
    for plan in plans() {
        let expected = native(&plan, &paths);
        assert_eq!(run(&engine().tls(tls("authority.crt", "member")), &plan, &paths).unwrap(), expected);
    }
    let plan = plans().swap_remove(1);
    let refused = [
        engine(),
        // A certificate of another authority; and an authority that has not signed the scheduler's.
        engine().tls(tls("authority.crt", "other")),
        engine().tls(tls("stranger.crt", "member")),
    ];
    for engine in refused {
        assert_eq!(run(&engine, &plan, &paths).unwrap_err().to_string(), FAILED);
    }
    assert!(Tls::read(&at("missing"), &at("member.crt"), &at("member.key")).is_err());
}
