import CZeroMQ
import Glibc

/// A ZeroMQ context, which lives as long as its last socket.
///
/// Each router and dealer has a context of its own, so that none delays the closing of another.
final class ZeroMQContext {
    let handle: UnsafeMutableRawPointer

    init() throws(MessagingError) {
        guard let handle = zmq_ctx_new() else { throw .lastCall("Creating a ZeroMQ context") }
        self.handle = handle
    }

    /// Waits until queued messages have been sent or the linger time is over; then the endpoint and file descriptors
    /// are free.
    deinit {
        while zmq_ctx_term(handle) != 0, zmq_errno() == EINTR {}
    }
}
