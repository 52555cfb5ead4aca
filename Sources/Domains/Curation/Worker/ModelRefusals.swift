import Model
import Synchronization
import Upstream

/// The models that Google has recently reported as unknown, and for whose keys.
///
/// Google does not offer each model to each key: keys of new projects do not get older models. So a refusal for one key
/// says nothing about other keys, until the keys of several people were refused. Several keys of one person may well
/// belong to the same new project.
final class ModelRefusals: Sendable {
    private static let retention = Duration.seconds(3_600)
    /// How many people have to be refused a model before it is skipped for every key.
    private static let peopleOfRetired = 3
    /// The most people that are remembered per model.
    private static let mostPeople = 1_000

    private struct Refusal {
        /// The last of the person's keys that was refused.
        var key: PermitKey
        var at: MonotonicInstant
    }

    /// Refusals by model and person.
    private let models = Mutex<[String: [String: Refusal]]>([:])

    func isRefused(_ model: String, to key: Secret, of userID: String, at now: MonotonicInstant) -> Bool {
        models.withLock { models in
            Self.forget(&models[model, default: [:]], at: now)
            let people = models[model] ?? [:]
            return people.count >= Self.peopleOfRetired || people[userID]?.key == Self.fingerprint(key)
        }
    }

    func add(_ model: String, to key: Secret, of userID: String, at now: MonotonicInstant) {
        models.withLock { models in
            Self.forget(&models[model, default: [:]], at: now)
            let people = models[model] ?? [:]
            guard people[userID] != nil || people.count < Self.mostPeople else { return }
            models[model, default: [:]][userID] = Refusal(key: Self.fingerprint(key), at: now)
        }
    }

    private static func forget(_ people: inout [String: Refusal], at now: MonotonicInstant) {
        people = people.filter { $0.value.at.duration(to: now) < retention }
    }

    private static func fingerprint(_ key: Secret) -> PermitKey {
        PermitKey(provider: Provider.gemini.rawValue, credential: key, scope: nil)
    }
}
