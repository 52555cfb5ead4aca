import Model
import Synchronization

/// Where browsers go to sign in with Google, kept for an hour.
final class GoogleEndpoint: Sendable {
    static let age = Duration.seconds(3_600)

    private let known = Mutex<(url: String, freshUntil: MonotonicInstant)?>(nil)

    /// `nil` when it has to be asked for again.
    var fresh: String? {
        known.withLock { known in known.flatMap { MonotonicInstant.now() < $0.freshUntil ? $0.url : nil } }
    }

    /// However old.
    var last: String? { known.withLock { $0?.url } }

    func know(_ url: String) {
        known.withLock { $0 = (url, MonotonicInstant.now().advanced(by: Self.age)) }
    }
}
