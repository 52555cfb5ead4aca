import Synchronization

/// The last reason why this process could not read or write the database.
final class StorageHealth: Sendable {
    private struct State {
        /// The error of the last write; it ends with the next commit that writes to the disk.
        var trouble: StorageError?
        /// Damage is permanent: a damaged page does not repair itself.
        var damage: StorageError?
    }

    private let engine: any StorageEngine
    private let state = Mutex(State())

    init(engine: any StorageEngine) {
        self.engine = engine
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

    /// Notes that a commit wrote to the disk.
    func committed() {
        state.withLock { state in
            guard let trouble = state.trouble, trouble != .diskFull || engine.hasRoom else { return }
            state.trouble = nil
        }
    }
}
