import Model
import Synchronization

/// Google's authorization endpoint, cached for an hour.
final class GoogleEndpoint: Sendable {
    static let age = Duration.seconds(3_600)

    private let known = Mutex<(url: String, freshUntil: MonotonicInstant)?>(nil)

    /// `nil` when it is unknown or older than ``age``.
    var fresh: String? {
        known.withLock { known in known.flatMap { MonotonicInstant.now() < $0.freshUntil ? $0.url : nil } }
    }

    /// The last known one, of any age.
    var last: String? { known.withLock { $0?.url } }

    func know(_ url: String) {
        known.withLock { $0 = (url, MonotonicInstant.now().advanced(by: Self.age)) }
    }
}
