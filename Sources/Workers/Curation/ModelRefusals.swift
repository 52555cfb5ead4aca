import Model
import Synchronization
import Upstream

/// Which models Google has lately answered as unknown, and to whose keys.
///
/// Google does not offer each model to each key: keys of new projects do not get older models. So an answer to one key
/// says nothing about others, until the keys of several people have had it. Several keys of one person may well be of
/// one new project.
final class ModelRefusals: Sendable {
    private static let retention = Duration.seconds(3_600)
    /// How many people have to be refused a model before it is asked with no key any more.
    private static let peopleOfRetired = 3
    /// The most people who are remembered for one model.
    private static let mostPeople = 1_000

    private struct Refusal {
        /// The last of the person's keys that was refused.
        var key: PermitKey
        var at: MonotonicInstant
    }

    /// By model and person.
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
