import Glibc
import Synchronization

/// The last reason why this process could not read or write the database.
final class StorageHealth: Sendable {
    private struct State {
        /// The error of the last write; it ends with the next commit that changes rows.
        var trouble: StorageError?
        /// Damage is permanent: a damaged page does not repair itself.
        var damage: StorageError?
    }

    /// A disk with less free space than this, in bytes, counts as full, although small writes may still fit into the
    /// log.
    private static let leastRoom: UInt = 1 << 20

    private let path: String
    private let state = Mutex(State())

    /// - Parameter path: the path of the database.
    init(path: String) {
        self.path = path
    }

    /// The damage if there is any, otherwise the error of the last write.
    var trouble: StorageError? { state.withLock { $0.damage ?? $0.trouble } }

    /// Notes that a read or write failed.
    func failed(_ error: any Error) {
        guard let error = error as? StorageError else { return }
        state.withLock { state in
            switch error {
            case .corrupt: state.damage = state.damage ?? error
            // WriteQueue reports the holder of the lock.
            case .busy: break
            default: if error.mayPass { state.trouble = error }
            }
        }
    }

    /// Notes that a commit changed rows, which SQLite wrote to the disk.
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
