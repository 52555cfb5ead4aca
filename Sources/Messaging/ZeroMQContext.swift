import CZeroMQ
import Glibc

/// A ZeroMQ context, which ends with the last of its sockets.
///
/// Each messaging thread has one of its own for each router or dealer, so that what is left of one never
/// keeps another from closing.
final class ZeroMQContext {
    let handle: UnsafeMutableRawPointer

    init() throws(MessagingError) {
        guard let handle = zmq_ctx_new() else { throw .lastCall("Creating a ZeroMQ context") }
        self.handle = handle
    }

    /// Waits until what was sent has left, or the linger time is over; then endpoint and file descriptors are free.
    deinit {
        while zmq_ctx_term(handle) != 0, zmq_errno() == EINTR {}
    }
}
