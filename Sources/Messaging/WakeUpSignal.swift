import CZeroMQ
import Glibc

/// An eventfd that ends the messaging thread's wait for messages.
final class WakeUpSignal: Sendable {
    let descriptor: Int32

    init() throws(MessagingError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw .lastCall("Creating an eventfd") }
    }

    deinit {
        close(descriptor)
    }

    func raise() {
        // This fails only if 2^64 - 2 signals are unread, which wake the reader just as well.
        while eventfd_write(descriptor, 1) != 0, errno == EINTR {}
    }

    func clear() {
        var count: eventfd_t = 0
        while eventfd_read(descriptor, &count) != 0, errno == EINTR {}
    }
}
