//! The listener: takes connections, and ends them all when the server is stopped.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};

use crate::config::Config;
use crate::door::{Connection, Door};

/// Connections beyond the websockets: files, `/health`, and those who are told that it is full.
const PLAIN_CONNECTIONS: usize = 1024;

/// The longest a connection that isn't a websocket may last, however slowly it reads.
const PLAIN_LIFETIME: Duration = Duration::from_secs(600);

/// Bytes of the largest head of a request.
const LARGEST_HEAD: usize = 16 * 1024;

/// A server that listens but takes no connection before it [runs](Server::run).
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    local: SocketAddr,
    config: Config,
}

impl Server {
    /// Opens the port.
    ///
    /// # Errors
    /// The address can't be had, or the site has no `index.html`.
    pub async fn bind(config: Config) -> Result<Server, StartError> {
        if let Some(site) = &config.site
            && !site.directory().join("index.html").is_file()
        {
            return Err(StartError::NoSite(site.directory().display().to_string()));
        }
        let refused = |error| StartError::Listen(config.listen, error);
        let listener = TcpListener::bind(config.listen).await.map_err(refused)?;
        let local = listener.local_addr().map_err(refused)?;
        Ok(Server { listener, local, config })
    }

    /// The address it listens on, with the real port.
    pub fn local_addr(&self) -> SocketAddr {
        self.local
    }

    /// Serves until `stop` completes. Then no connection is taken any more, every websocket is
    /// closed with [`SHUTTING_DOWN`](crate::SHUTTING_DOWN), and running answers are finished, all
    /// within the time of [`Limits::farewell`](crate::Limits::farewell).
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let (stopped, stopping) = watch::channel(false);
        let farewell = self.config.limits.farewell;
        let all = self.config.limits.sockets.saturating_add(PLAIN_CONNECTIONS);
        let all = u32::try_from(all).unwrap_or(u32::MAX).min(Semaphore::MAX_PERMITS as u32);
        let places = Arc::new(Semaphore::new(all as usize));
        let door = Arc::new(Door::new(self.config, stopping.clone()));

        let listener = self.listener;
        let accept = async {
            loop {
                let Ok(place) = places.clone().acquire_owned().await else { return };
                match listener.accept().await {
                    Ok((stream, remote)) => {
                        let connection = Connection { remote, place: Arc::new(place) };
                        tokio::spawn(serve(stream, connection, door.clone(), stopping.clone()));
                    }
                    // That one is gone; the next may be well.
                    Err(error) if is_of_one_connection(&error) => {}
                    // Out of file descriptors, most likely: some will be given back.
                    Err(_) => sleep(Duration::from_millis(100)).await,
                }
            }
        };
        tokio::select! {
            () = accept => {}
            () = stop => {}
        }
        drop(listener);
        stopped.send_replace(true);
        // A little more than a socket has, so that its own time-out comes first.
        let grace = farewell + Duration::from_millis(500);
        let _ = timeout(grace, places.acquire_many(all)).await;
    }
}

async fn serve(
    stream: TcpStream,
    connection: Connection,
    door: Arc<Door>,
    mut stopping: watch::Receiver<bool>,
) {
    // Frames are small and somebody waits for each.
    let _ = stream.set_nodelay(true);
    let head = door.head_timeout();
    let service = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
        let answer = door.clone().answer(connection.clone(), request.map(Body::new));
        async move { Ok::<_, Infallible>(answer.await) }
    });
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head)
        .max_buf_size(LARGEST_HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut serving = pin!(serving);
    // Errors here are the client's: it left, or spoke no HTTP.
    let _ = timeout(PLAIN_LIFETIME, async {
        tokio::select! {
            ended = serving.as_mut() => ended,
            () = stop_asked(&mut stopping) => {
                serving.as_mut().graceful_shutdown();
                serving.await
            }
        }
    })
    .await;
}

/// Waits until the server is being stopped.
pub(crate) async fn stop_asked(stopping: &mut watch::Receiver<bool>) {
    // An error means that the server is gone already.
    let _ = stopping.wait_for(|&stopping| stopping).await;
}

fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Why the server can't start.
#[derive(Debug)]
pub enum StartError {
    /// The address can't be had.
    Listen(SocketAddr, io::Error),
    /// The directory of the site has no `index.html`.
    NoSite(String),
}

impl std::fmt::Display for StartError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StartError::Listen(address, error) => {
                write!(out, "can't listen on {address}: {error}")?;
                if error.kind() == io::ErrorKind::AddrInUse {
                    write!(out, "; is another server running? --listen takes another port")?;
                }
                Ok(())
            }
            StartError::NoSite(directory) => {
                write!(out, "there is no index.html in {directory}: build the site first")
            }
        }
    }
}

impl std::error::Error for StartError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            StartError::Listen(_, error) => Some(error),
            StartError::NoSite(_) => None,
        }
    }
}
