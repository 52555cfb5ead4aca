import Model
import Synchronization
import Upstream

/// Which models Google has lately answered as unknown, and to whose keys.
///
/// Google does not offer each model to each key: keys of new projects do not get older models. So an answer to one key
/// says nothing about others, until several keys have had it.
final class ModelRefusals: Sendable {
    private static let retention = Duration.seconds(3_600)
    /// How many keys have to be refused a model before it is asked with no key any more.
    private static let keysOfRetired = 3
    /// The most keys that are remembered for one model.
    private static let mostKeys = 1_000

    /// By model, when keys were refused.
    private let models = Mutex<[String: [PermitKey: MonotonicInstant]]>([:])

    func isRefused(_ model: String, to key: Secret, at now: MonotonicInstant) -> Bool {
        models.withLock { models in
            Self.forget(&models[model, default: [:]], at: now)
            let keys = models[model] ?? [:]
            return keys.count >= Self.keysOfRetired || keys[Self.fingerprint(key)] != nil
        }
    }

    func add(_ model: String, to key: Secret, at now: MonotonicInstant) {
        models.withLock { models in
            Self.forget(&models[model, default: [:]], at: now)
            guard models[model, default: [:]].count < Self.mostKeys else { return }
            models[model, default: [:]][Self.fingerprint(key)] = now
        }
    }

    private static func forget(_ keys: inout [PermitKey: MonotonicInstant], at now: MonotonicInstant) {
        keys = keys.filter { $0.value.duration(to: now) < retention }
    }

    private static func fingerprint(_ key: Secret) -> PermitKey {
        PermitKey(provider: Provider.gemini.rawValue, credential: key, scope: nil)
    }
}
