//! The static site: files as they are, with the headers a strict page wants.
//!
//! Finding, typing, negotiating encodings and revalidating are [`ServeDir`]'s work. What is added
//! here: which files may be kept for ever, the security headers, and the page for what is missing.

use std::convert::Infallible;

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_SECURITY_POLICY as CSP, CONTENT_TYPE, IF_RANGE,
    LOCATION, RANGE, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use tower::ServiceExt;
use tower_http::services::ServeDir;

use crate::config::Site;

/// The policy sent with every file: nothing inline, nothing from elsewhere, any signaling server.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; \
    script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; font-src 'self'; \
    manifest-src 'self'; worker-src 'self'; \
    connect-src 'self' wss: ws://localhost:* ws://127.0.0.1:*; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

#[derive(Clone, Debug)]
pub(crate) struct StaticSite {
    files: ServeDir,
    base: String,
}

impl StaticSite {
    pub(crate) fn new(site: &Site) -> StaticSite {
        let files = ServeDir::new(site.directory())
            .precompressed_br()
            .precompressed_gzip()
            .redirect_path_prefix(site.base().trim_end_matches('/'));
        StaticSite { files, base: site.base().to_owned() }
    }

    /// Answers a request for a file.
    pub(crate) async fn serve(&self, mut request: Request) -> Response {
        // A range only makes sense of the version it was asked of; the whole file always does.
        if request.headers().contains_key(IF_RANGE) {
            request.headers_mut().remove(RANGE);
        }
        let path = request.uri().path().to_owned();
        let query = request.uri().query().map_or(String::new(), |query| format!("?{query}"));
        let mut response = if self.base.strip_suffix('/') == Some(&path) {
            let base = HeaderValue::from_str(&format!("{}{query}", self.base));
            let base = base.unwrap_or(HeaderValue::from_static("/"));
            (StatusCode::TEMPORARY_REDIRECT, [(LOCATION, base)]).into_response()
        } else {
            let missing = Missing::of(&request);
            let found = match self.below_base(&path, &query) {
                Some(inner) => {
                    *request.uri_mut() = inner;
                    fetch(self.files.clone(), request).await
                }
                None => StatusCode::NOT_FOUND.into_response(),
            };
            match found.status() {
                StatusCode::NOT_FOUND => self.not_found(missing).await,
                _ => found,
            }
        };

        let headers = response.headers_mut();
        if let Some(kind) = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok())
            && kind.starts_with("text/")
            && !kind.contains("charset")
            && let Ok(utf8) = HeaderValue::from_str(&format!("{kind}; charset=utf-8"))
        {
            headers.insert(CONTENT_TYPE, utf8);
        }
        let keep = match response.status() {
            StatusCode::OK | StatusCode::PARTIAL_CONTENT | StatusCode::NOT_MODIFIED
                if is_hashed(&path) =>
            {
                "public, max-age=31536000, immutable"
            }
            _ => "no-cache",
        };
        for (name, value) in [
            (CACHE_CONTROL, keep),
            (VARY, "accept-encoding"),
            (CSP, CONTENT_SECURITY_POLICY),
            (X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (REFERRER_POLICY, "no-referrer"),
        ] {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        response
    }

    /// The path inside the directory. Hidden files are none of the site's, and an empty segment
    /// could make a redirect point to another host.
    fn below_base(&self, path: &str, query: &str) -> Option<Uri> {
        let inner = path.strip_prefix(&self.base)?;
        let hidden = |segment: &str| {
            segment.starts_with('.')
                || segment.get(..3).is_some_and(|s| s.eq_ignore_ascii_case("%2e"))
        };
        let segments = || inner.split('/');
        let directory = inner.is_empty() || inner.ends_with('/');
        let empty = segments().filter(|segment| segment.is_empty()).count();
        if segments().any(hidden) || empty > usize::from(directory) {
            return None;
        }
        format!("/{inner}{query}").parse().ok()
    }

    /// The site's own page for what is missing, or a plain line.
    async fn not_found(&self, missing: Missing) -> Response {
        let mut request = Request::new(Body::empty());
        *request.method_mut() = missing.method;
        *request.uri_mut() = Uri::from_static("/404.html");
        if let Some(encodings) = missing.encodings {
            request.headers_mut().insert(ACCEPT_ENCODING, encodings);
        }
        let mut response = fetch(self.files.clone(), request).await;
        if response.status() != StatusCode::OK {
            response = "There is no such page.\n".into_response();
        }
        *response.status_mut() = StatusCode::NOT_FOUND;
        response
    }
}

/// What the answer to a request for a missing file depends on.
struct Missing {
    method: Method,
    encodings: Option<HeaderValue>,
}

impl Missing {
    fn of(request: &Request) -> Missing {
        let encodings = request.headers().get(ACCEPT_ENCODING).cloned();
        Missing { method: request.method().clone(), encodings }
    }
}

async fn fetch(files: ServeDir, request: Request) -> Response {
    let served: Result<_, Infallible> = files.oneshot(request).await;
    match served {
        Ok(response) => response.map(Body::new),
        Err(never) => match never {},
    }
}

/// Whether a file's name carries a hash of its content, as in `app-0123456789abcdef.js` and
/// `app-0123456789abcdef_bg.wasm`. Directories named like that don't count: wasm-bindgen names its
/// `snippets/<crate>-<hash>/` after the crate, not the content.
fn is_hashed(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some((stem, _)) = name.split_once('.') else { return false };
    let Some((_, hash)) = stem.strip_suffix("_bg").unwrap_or(stem).rsplit_once('-') else {
        return false;
    };
    hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashed_names() {
        for hashed in [
            "/app-0123456789abcdef.js",
            "/zari/app-0123456789abcdef_bg.wasm",
            "/assets/noto-georgian-fedcba9876543210.woff2",
            "/app-0123456789abcdef.js.br",
        ] {
            assert!(is_hashed(hashed), "{hashed}");
        }
        for plain in [
            "/",
            "/index.html",
            "/sw.js",
            "/config.json",
            "/app-0123456789abcdeg.js",
            "/app-0123456789ABCDEF.js",
            "/app-0123456789abcde.js",
            "/app-00123456789abcdef.js",
            "/0123456789abcdef.js",
            "/app-0123456789abcdef",
            "/snippets/app-0123456789abcdef/inline0.js",
        ] {
            assert!(!is_hashed(plain), "{plain}");
        }
    }
}
