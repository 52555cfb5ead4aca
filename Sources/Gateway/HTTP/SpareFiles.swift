import Glibc
import Synchronization

/// A reserve of file descriptors, freed when the process has no others left.
///
/// A process without a free descriptor does not only fail to open files: libdispatch ends it (SIGILL) when it cannot
/// read its own threads' state in `/proc`.
final class SpareFiles: Sendable {
    static let count = 16

    private let held = Mutex<[Int32]>([])

    init() {
        _ = take()
    }

    deinit {
        giveBack()
    }

    /// Opens the descriptors that are not held yet.
    ///
    /// - Returns: whether all are held now. If not, none is.
    func take() -> Bool {
        let isComplete = held.withLock { held in
            while held.count < Self.count {
                let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
                guard descriptor >= 0 else { return false }
                held.append(descriptor)
            }
            return true
        }
        if !isComplete { giveBack() }
        return isComplete
    }

    /// Closes all held descriptors.
    func giveBack() {
        held.withLock { held in
            for descriptor in held { close(descriptor) }
            held = []
        }
    }
}
