import Glibc
import Synchronization

/// What keeps the database from being read or written at present, as this process met it last.
final class StorageHealth: Sendable {
    private struct State {
        /// Passes with the next commit.
        var trouble: StorageError?
        /// Stays: a page that was damaged once is not mended by itself.
        var damage: StorageError?
    }

    /// With less room than this a disk counts as full, though a small write may now and then fit into what the log
    /// has left.
    private static let leastRoom: UInt = 1 << 20

    private let path: String
    private let state = Mutex(State())

    /// - Parameter path: of the database.
    init(path: String) {
        self.path = path
    }

    /// The damage, or else what the last write failed of.
    var trouble: StorageError? { state.withLock { $0.damage ?? $0.trouble } }

    /// A read or write failed.
    func failed(_ error: any Error) {
        guard let error = error as? StorageError else { return }
        state.withLock { state in
            switch error {
            case .corrupt: state.damage = state.damage ?? error
            // Who holds the lock is asked when somebody wants to know.
            case .busy: break
            default: if error.mayPass { state.trouble = error }
            }
        }
    }

    func committed() {
        state.withLock { state in
            guard let trouble = state.trouble, trouble != .diskFull || hasRoom else { return }
            state.trouble = nil
        }
    }

    private var hasRoom: Bool {
        var space = statvfs()
        return statvfs(path, &space) != 0 || space.f_bavail * space.f_frsize >= Self.leastRoom
    }
}
