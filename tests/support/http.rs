//! As much of HTTP/1.1 as the client speaks with its API: one request after the other on a kept connection.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// One request.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Without the query.
    pub(crate) path: String,
    pub(crate) body: Vec<u8>,
}

/// One answer.
#[derive(Debug, Clone)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) content_type: &'static str,
    pub(crate) body: String,
}

/// A server on a free port of 127.0.0.1, with a thread for each connection. It stops when dropped.
pub(crate) struct Server {
    address: std::net::SocketAddr,
    stopped: Arc<AtomicBool>,
}

impl Server {
    /// Serves `answer` until dropped.
    pub(crate) fn start(answer: impl Fn(Request) -> Response + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("the address of the server");
        let stopped = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&stopped);
        let answer = Arc::new(answer);
        thread::spawn(move || {
            for stream in listener.incoming() {
                if seen.load(Ordering::Relaxed) {
                    break;
                }
                let (Ok(stream), answer) = (stream, Arc::clone(&answer)) else { continue };
                // A client that hangs up in the middle ends its connection, not the server.
                thread::spawn(move || drop(converse(&stream, answer.as_ref())));
            }
        });
        Server { address, stopped }
    }

    /// `http://127.0.0.1:PORT`.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        // Wakes the thread that waits for a connection.
        drop(TcpStream::connect(self.address));
    }
}

fn converse(stream: &TcpStream, answer: &dyn Fn(Request) -> Response) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    while let Some(request) = read(&mut reader)? {
        let bodiless = request.method == "HEAD";
        write(stream, &answer(request), bodiless)?;
    }
    Ok(())
}

/// The next request; `None` when the client has closed the connection.
fn read(reader: &mut BufReader<TcpStream>) -> io::Result<Option<Request>> {
    let Some(first) = line(reader)? else { return Ok(None) };
    let mut words = first.split_whitespace();
    let method = words.next().unwrap_or_default().to_owned();
    let target = words.next().unwrap_or_default();
    let path = target.split('?').next().unwrap_or_default().trim_end_matches('/').to_owned();
    let (mut length, mut chunked) = (0, false);
    while let Some(header) = line(reader)?.filter(|header| !header.is_empty()) {
        let (name, value) = header.split_once(':').unwrap_or((&header, ""));
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().map_err(io::Error::other)?,
            "transfer-encoding" => chunked = value.to_ascii_lowercase().contains("chunked"),
            _ => {}
        }
    }
    let body = if chunked { chunks(reader)? } else { exactly(reader, length)? };
    Ok(Some(Request { method, path, body }))
}

fn line(reader: &mut BufReader<TcpStream>) -> io::Result<Option<String>> {
    let mut text = String::new();
    if reader.read_line(&mut text)? == 0 {
        return Ok(None);
    }
    Ok(Some(text.trim_end().to_owned()))
}

fn exactly(reader: &mut BufReader<TcpStream>, length: usize) -> io::Result<Vec<u8>> {
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(body)
}

fn chunks(reader: &mut BufReader<TcpStream>) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let size = line(reader)?.unwrap_or_default();
        let size = size.split(';').next().unwrap_or_default();
        let length = usize::from_str_radix(size, 16).map_err(io::Error::other)?;
        body.extend(exactly(reader, length)?);
        line(reader)?;
        if length == 0 {
            return Ok(body);
        }
    }
}

fn write(mut stream: &TcpStream, response: &Response, bodiless: bool) -> io::Result<()> {
    let Response { status, content_type, body } = response;
    let head = format!(
        "HTTP/1.1 {status} Scripted\r\ncontent-type: {content_type}\r\ncontent-length: {}\r\nrequest-id: req_bench\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    if !bodiless {
        stream.write_all(body.as_bytes())?;
    }
    stream.flush()
}
