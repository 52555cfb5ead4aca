import Glibc
import Synchronization

/// File descriptors that are held for nothing but to be given back when there are no others.
///
/// A process without a single free one does not only fail to open files: libdispatch ends it when it cannot look at
/// its own threads in `/proc`.
final class SpareFiles: Sendable {
    static let count = 16

    private let held = Mutex<[Int32]>([])

    init() {
        _ = take()
    }

    deinit {
        giveBack()
    }

    /// Takes them unless they are held already.
    ///
    /// - Returns: whether all are held now; if not, none is.
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

    /// Frees them for whatever else needs some.
    func giveBack() {
        held.withLock { held in
            for descriptor in held { close(descriptor) }
            held = []
        }
    }
}
