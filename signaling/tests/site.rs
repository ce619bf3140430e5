//! The static site, as a browser gets it.

#![allow(clippy::unwrap_used)]

mod running;

use std::fs;
use std::path::{Path, PathBuf};

use running::{Answer, Running};
use signaling::{CONTENT_SECURITY_POLICY, Config, Server, Site, StartError};

const SCRIPT: &str = "app-0123456789abcdef.js";
const WASM: &str = "app-0123456789abcdef_bg.wasm";
const FOREVER: &str = "public, max-age=31536000, immutable";

/// A built site in a directory of its own, with a secret beside it.
fn built(name: &str) -> PathBuf {
    let around = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&around);
    let site = around.join("dist");
    fs::create_dir_all(site.join("icons")).unwrap();
    fs::create_dir_all(site.join(".git")).unwrap();
    for (file, text) in [
        ("index.html", "<!doctype html><title>the page</title>"),
        (SCRIPT, "plain script"),
        ("app-0123456789abcdef.js.br", "brotli script"),
        ("app-0123456789abcdef.js.gz", "gzip script"),
        (WASM, "\0asm"),
        ("config.json", "{}"),
        ("config.json.gz", "gzip config"),
        ("manifest.webmanifest", "{\"name\":\"Zari\"}"),
        ("sw.js", "worker"),
        ("style-fedcba9876543210.css", "body{}"),
        ("noto.woff2", "font"),
        ("icons/icon.svg", "<svg/>"),
        ("icons/icon.png", "png"),
        (".git/config", "secret"),
        (".env", "secret"),
        ("../secret.txt", "secret"),
    ] {
        fs::write(site.join(file), text).unwrap();
    }
    site
}

async fn served(name: &str, base: &str) -> Running {
    Running::serving(Site::new(built(name), base).unwrap()).await
}

fn text(answer: &Answer) -> &str {
    std::str::from_utf8(&answer.body).unwrap()
}

#[tokio::test]
async fn the_page_is_served_with_strict_headers() {
    let server = served("headers", "/").await;
    for path in ["/", "/index.html", &format!("/{SCRIPT}"), "/icons/icon.svg", "/missing", "/icons"]
    {
        let answer = server.get(path, &[]).await;
        assert_eq!(answer.header("content-security-policy"), CONTENT_SECURITY_POLICY, "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
        assert_eq!(answer.header("vary"), "accept-encoding", "{path}");
    }
    let answer = server.get("/", &[]).await;
    assert_eq!((answer.status, text(&answer)), (200, "<!doctype html><title>the page</title>"));
    assert_eq!(answer.header("cache-control"), "no-cache");
}

#[test]
fn the_policy_allows_nothing_inline() {
    assert!(CONTENT_SECURITY_POLICY.starts_with(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
         img-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; \
         connect-src 'self' wss: ws://localhost:* ws://127.0.0.1:*; base-uri 'none'; \
         form-action 'none'"
    ));
    assert!(!CONTENT_SECURITY_POLICY.contains("unsafe-inline"));
}

#[tokio::test]
async fn types_are_right() {
    let server = served("types", "/").await;
    for (path, kind) in [
        ("/", "text/html; charset=utf-8"),
        ("/app-0123456789abcdef.js", "text/javascript; charset=utf-8"),
        ("/sw.js", "text/javascript; charset=utf-8"),
        ("/app-0123456789abcdef_bg.wasm", "application/wasm"),
        ("/style-fedcba9876543210.css", "text/css; charset=utf-8"),
        ("/manifest.webmanifest", "application/manifest+json"),
        ("/config.json", "application/json"),
        ("/noto.woff2", "font/woff2"),
        ("/icons/icon.svg", "image/svg+xml"),
        ("/icons/icon.png", "image/png"),
    ] {
        let answer = server.get(path, &[("Accept-Encoding", "br, gzip")]).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, kind), "{path}");
    }
}

#[tokio::test]
async fn what_is_compressed_already_is_sent_to_those_who_take_it() {
    let server = served("encodings", "/").await;
    let script = format!("/{SCRIPT}");
    for (accepted, encoding, body) in [
        ("gzip, deflate, br, zstd", "br", "brotli script"),
        ("br;q=0.5, gzip;q=0.9", "gzip", "gzip script"),
        ("gzip", "gzip", "gzip script"),
        ("br;q=0, gzip;q=0", "", "plain script"),
        ("identity", "", "plain script"),
        ("", "", "plain script"),
        ("nonsense;;;q=", "", "plain script"),
    ] {
        let answer = server.get(&script, &[("Accept-Encoding", accepted)]).await;
        assert_eq!((answer.status, text(&answer)), (200, body), "{accepted}");
        assert_eq!(answer.header("content-encoding"), encoding, "{accepted}");
        assert_eq!(answer.header("vary"), "accept-encoding");
        assert_eq!(answer.header("content-type"), "text/javascript; charset=utf-8");
        assert_eq!(answer.header("content-length"), body.len().to_string());
    }
    // Only what is there.
    let answer = server.get("/config.json", &[("Accept-Encoding", "br, gzip")]).await;
    assert_eq!((answer.header("content-encoding"), text(&answer)), ("gzip", "gzip config"));
    let answer = server.get("/sw.js", &[("Accept-Encoding", "br, gzip")]).await;
    assert_eq!((answer.header("content-encoding"), text(&answer)), ("", "worker"));
}

#[tokio::test]
async fn hashed_names_are_kept_for_ever_and_the_rest_asked_for_again() {
    let server = served("caching", "/").await;
    for path in [&format!("/{SCRIPT}"), &format!("/{WASM}"), "/style-fedcba9876543210.css"] {
        assert_eq!(server.get(path, &[]).await.header("cache-control"), FOREVER, "{path}");
    }
    for path in [
        "/",
        "/index.html",
        "/sw.js",
        "/config.json",
        "/manifest.webmanifest",
        "/icons/icon.svg",
        "/missing",
        "/missing-0123456789abcdef.js",
    ] {
        assert_eq!(server.get(path, &[]).await.header("cache-control"), "no-cache", "{path}");
    }
}

#[tokio::test]
async fn an_unchanged_file_is_not_sent_again() {
    let site = built("revalidation");
    let server = Running::serving(Site::new(&site, "/").unwrap()).await;
    for path in ["/", "/sw.js", "/config.json", &format!("/{SCRIPT}")] {
        let first = server.get(path, &[]).await;
        let tag = first.header("etag");
        assert!(tag.starts_with('"') && tag.len() > 2, "{path}: {tag:?}");
        for method in ["GET", "HEAD"] {
            let again = server.ask(method, path, &[("If-None-Match", tag)]).await;
            assert_eq!((again.status, text(&again)), (304, ""), "{method} {path}");
            assert_eq!(again.header("etag"), tag);
            assert_eq!(again.header("cache-control"), first.header("cache-control"));
            assert_eq!(again.header("vary"), "accept-encoding");
        }
        let other = server.get(path, &[("If-None-Match", "\"other\"")]).await;
        assert_eq!((other.status, &other.body), (200, &first.body));
    }
    // Each encoding has its own tag: a cache never mixes them up.
    let script = format!("/{SCRIPT}");
    let plain = server.get(&script, &[]).await;
    let brotli = server.get(&script, &[("Accept-Encoding", "br")]).await;
    assert_ne!(plain.header("etag"), brotli.header("etag"));
    // A new build is seen.
    let before = server.get("/", &[]).await;
    fs::write(site.join("index.html"), "<!doctype html><title>the next page</title>").unwrap();
    let after = server.get("/", &[("If-None-Match", before.header("etag"))]).await;
    assert_eq!((after.status, text(&after)), (200, "<!doctype html><title>the next page</title>"));
}

#[tokio::test]
async fn head_is_a_get_without_a_body() {
    let server = served("head", "/").await;
    for path in ["/", &format!("/{SCRIPT}"), "/missing"] {
        let encodings = [("Accept-Encoding", "br")];
        let get = server.get(path, &encodings).await;
        let head = server.ask("HEAD", path, &encodings).await;
        assert_eq!((head.status, text(&head)), (get.status, ""), "{path}");
        for name in ["content-type", "content-length", "content-encoding", "etag", "cache-control"]
        {
            assert_eq!(head.header(name), get.header(name), "{name} of {path}");
        }
    }
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        assert_eq!(server.ask(method, "/", &[]).await.status, 405, "{method}");
    }
}

#[tokio::test]
async fn part_of_a_file_can_be_asked_for() {
    let server = served("ranges", "/").await;
    let path = format!("/{SCRIPT}");
    let part = server.get(&path, &[("Range", "bytes=6-8")]).await;
    assert_eq!((part.status, text(&part)), (206, "scr"));
    // What the range was meant for may be another version: the whole is right for both.
    let whole = server.get(&path, &[("Range", "bytes=6-8"), ("If-Range", "\"old\"")]).await;
    assert_eq!((whole.status, text(&whole)), (200, "plain script"));
}

#[tokio::test]
async fn nothing_outside_the_site_is_reached() {
    let server = served("traversal", "/").await;
    for path in [
        "/../secret.txt",
        "/icons/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/%2E%2E/secret.txt",
        "/..%2fsecret.txt",
        "/..%2Fsecret.txt",
        "/icons/..%2f..%2fsecret.txt",
        "/icons/%2e%2e/%2e%2e/secret.txt",
        "/..\\secret.txt",
        "/..%5csecret.txt",
        "/....//secret.txt",
        "/%252e%252e/secret.txt",
        "/%00/../secret.txt",
        "/index.html%00",
        "/.git/config",
        "/%2egit/config",
        "/.env",
        "/%2Eenv",
        "/icons/./icon.svg",
        "//icons",
        "//icons/icon.svg",
        "/icons//icon.svg",
        "/%2f/etc/passwd",
        "/%2fetc/passwd",
        "//etc/passwd",
        "/index.html/",
        "/icons/",
        "/%ff",
        "/%",
    ] {
        let answer = server.get(path, &[]).await;
        assert!([404, 400].contains(&answer.status), "{path}: {answer:?}");
        assert!(!text(&answer).contains("secret"), "{path}");
    }
    // Where the whole address is in the request, only its path counts.
    let answer = server.get("http://elsewhere/../secret.txt", &[]).await;
    assert_eq!(answer.status, 404);
    let answer = server.get("http://elsewhere/sw.js", &[]).await;
    assert_eq!((answer.status, text(&answer)), (200, "worker"));
}

#[tokio::test]
async fn a_missing_file_gets_the_sites_page_for_it() {
    let site = built("missing");
    let server = Running::serving(Site::new(&site, "/").unwrap()).await;
    let answer = server.get("/missing", &[]).await;
    assert_eq!((answer.status, text(&answer)), (404, "There is no such page.\n"));
    assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");

    fs::write(site.join("404.html"), "<title>lost</title>").unwrap();
    fs::write(site.join("404.html.br"), "lost, in brotli").unwrap();
    for path in ["/missing", "/missing/", "/.env", "/icons/missing.svg"] {
        let answer = server.get(path, &[("If-None-Match", "*"), ("Range", "bytes=0-1")]).await;
        assert_eq!((answer.status, text(&answer)), (404, "<title>lost</title>"), "{path}");
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
        assert_eq!(answer.header("cache-control"), "no-cache");
    }
    let answer = server.get("/missing", &[("Accept-Encoding", "br")]).await;
    assert_eq!((answer.status, text(&answer)), (404, "lost, in brotli"));
    assert_eq!(answer.header("content-encoding"), "br");
}

#[tokio::test]
async fn a_site_may_stand_below_a_prefix() {
    let server = served("prefix", "/zari/").await;
    let answer = server.get("/zari/", &[]).await;
    assert_eq!((answer.status, text(&answer)), (200, "<!doctype html><title>the page</title>"));
    let script = format!("/zari/{SCRIPT}");
    let answer = server.get(&script, &[("Accept-Encoding", "br")]).await;
    assert_eq!((answer.status, text(&answer)), (200, "brotli script"));
    assert_eq!(answer.header("cache-control"), FOREVER);
    let answer = server.get("/zari", &[]).await;
    assert_eq!((answer.status, answer.header("location")), (307, "/zari/"));
    let answer = server.get("/zari?lang=ka", &[]).await;
    assert_eq!((answer.status, answer.header("location")), (307, "/zari/?lang=ka"));
    let answer = server.get("/zari/icons?x=1", &[]).await;
    assert_eq!((answer.status, answer.header("location")), (307, "/zari/icons/?x=1"));
    for path in ["/", "/index.html", "/zar", "/zarix", "/zari/../zari/", "/zari//", "/zari/zari/"] {
        assert_eq!(server.get(path, &[]).await.status, 404, "{path}");
    }
    // Both ways of asking, and both ways in.
    assert_eq!(server.get("/health", &[]).await.status, 200);
    assert_eq!(server.get("/zari/health", &[]).await.status, 200);
    let _rooms = [
        server.enter("room").await,
        server.enter("signal/room").await,
        server.enter("zari/room").await,
        server.enter("zari/signal/room").await,
    ];
    server.until(4, 1).await;
}

#[tokio::test]
async fn files_and_rooms_share_the_port() {
    let server = served("shared", "/").await;
    let _room = server.enter("sw").await;
    let _signal = server.enter("signal/icons").await;
    assert_eq!(text(&server.get("/sw.js", &[]).await), "worker");
    server.until(2, 2).await;
}

#[tokio::test]
async fn a_directory_without_a_page_is_no_site() {
    let empty = built("empty").join("icons");
    let site = Some(Site::new(&empty, "/").unwrap());
    let listen = ([127, 0, 0, 1], 0).into();
    let error = Server::bind(Config { listen, site, ..Config::default() }).await.unwrap_err();
    assert!(matches!(error, StartError::NoSite(_)), "{error}");
    assert!(error.to_string().contains("index.html"), "{error}");
}
