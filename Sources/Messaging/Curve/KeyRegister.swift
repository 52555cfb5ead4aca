import Model
import Synchronization

/// A worker's public key in the gateway's allow-list.
package struct WorkerKey: Sendable, Equatable {
    package let name: String
    package let publicKey: CurvePublicKey
    package let createdAt: Timestamp
    /// `nil` unless the key is revoked.
    package var revokedAt: Timestamp?
}

/// The gateway's allow-list: the keys that may talk to it.
package struct KeyRegister: Sendable, Equatable {
    package enum Status: Sendable, Equatable {
        case allowed(name: String)
        case revoked(name: String)
        case unknown
    }

    private var keys: [String: WorkerKey] = [:]

    package init(_ keys: [WorkerKey] = []) {
        for key in keys {
            // A key that is listed twice is allowed only if neither entry is revoked.
            if self.keys[key.publicKey.text]?.revokedAt != nil { continue }
            self.keys[key.publicKey.text] = key
        }
    }

    package func status(of key: CurvePublicKey) -> Status {
        guard let entry = keys[key.text] else { return .unknown }
        return entry.revokedAt == nil ? .allowed(name: entry.name) : .revoked(name: entry.name)
    }

    /// How many keys are allowed.
    package var allowedCount: Int { keys.values.count { $0.revokedAt == nil } }
}

/// The current register, passed to the messaging thread while it runs.
package final class KeyGate: Sendable {
    private let current: Mutex<KeyRegister>
    /// Increases with each new register, so that the messaging thread need not compare registers.
    let generation = Atomic(0)

    package init(_ register: KeyRegister) {
        current = Mutex(register)
    }

    package var register: KeyRegister { current.withLock { $0 } }

    /// - Returns: whether `register` differs from the previous one.
    func replace(_ register: KeyRegister) -> Bool {
        current.withLock { current in
            guard current != register else { return false }
            current = register
            generation.wrappingAdd(1, ordering: .releasing)
            return true
        }
    }
}
