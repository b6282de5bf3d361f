//! The port of a service: a free one, or the configured one if nothing else listens on it.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use super::error::ServiceError;
use super::place::Instance;
use mastor_config::ServiceSettings;
use mastor_spawn::processes;

/// The port for the service: the configured one (plus one for a base that runs beside the head), or a free one.
///
/// # Errors
/// Where the configured port is taken, or none is free.
pub fn choose(spec: &ServiceSettings, instance: Instance) -> Result<u16, ServiceError> {
    let beside = u16::from(spec.side_by_side() && instance == Instance::Base);
    match spec.port {
        Some(port) => {
            let port = port.checked_add(beside).unwrap_or(port);
            ensure_free(port).map(|()| port)
        }
        None => {
            let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr());
            free.map(|address| address.port()).map_err(|_| ServiceError::PortTaken { port: 0, by: None })
        }
    }
}

/// Fails if something listens on this port on the machine's loopback addresses.
///
/// # Errors
/// The program that listens, where the operating system tells.
pub fn ensure_free(port: u16) -> Result<(), ServiceError> {
    if answers(port) || TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_err() {
        return Err(ServiceError::PortTaken { port, by: processes::listener(port) });
    }
    Ok(())
}

/// Whether a connection to this local port succeeds.
pub fn answers(port: u16) -> bool {
    let addresses = [SocketAddr::from((Ipv4Addr::LOCALHOST, port)), SocketAddr::from((Ipv6Addr::LOCALHOST, port))];
    addresses.iter().any(|address| TcpStream::connect_timeout(address, Duration::from_millis(200)).is_ok())
}

/// Waits up to two seconds for a port to become free, as after a stop.
pub async fn released(port: u16) {
    for _ in 0..100 {
        if ensure_free(port).is_ok() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_port_is_named_with_who_has_it() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let error = ensure_free(port).unwrap_err().to_string();
        assert!(error.starts_with(&format!("port {port} is taken already")), "{error}");
        if processes::available() {
            assert!(error.contains(&format!("(process {})", std::process::id())), "{error}");
        }
        drop(listener);
        ensure_free(port).unwrap();
    }
}
