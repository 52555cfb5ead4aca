import Crypto
import Foundation
import Model

/// A browser that is subscribed to the simulated push service: its keys, the messages that wait for it, and those that
/// it has shown.
struct SimulatedSubscription: Sendable {
    /// The most messages that it keeps of each kind. The counts include those that were dropped.
    static let mostMessages = 2_000

    /// A message that the service has accepted.
    struct Message: Sendable, Codable, Equatable {
        /// The arrival in microseconds on `CLOCK_BOOTTIME`.
        var at: Int64
        var topic: String?
        var urgency: String
        /// The time to live in seconds.
        var ttl: Int
        /// The content as text; `nil` if it does not open, or is not UTF-8.
        var text: String?
        /// The content in base64; `nil` if it does not open.
        var base64: String?
        /// Why the browser drops it.
        var failure: PushDecryption.Failure?
        /// The length of the body as it was sent.
        var bodyBytes: Int
    }

    struct Counts: Sendable, Codable, Equatable {
        var accepted = 0
        /// Those that the browser has received and opened.
        var shown = 0
        /// Those that it could not open, and dropped.
        var dropped = 0
        /// Those that a later message of the same topic has replaced.
        var replaced = 0
        /// Those whose time to live passed while the browser was offline.
        var expired = 0
    }

    let id: String
    /// The end of its endpoint.
    let token: String
    let decryption: PushDecryption
    /// The `applicationServerKey` with which it was made; `nil` for one that accepts messages of any key.
    let applicationServerKey: Data?
    private(set) var isOnline = true
    /// Whether the browser has unsubscribed.
    var isEnded = false
    private(set) var waiting: [Message] = []
    private(set) var shown: [Message] = []
    private(set) var counts = Counts()

    init(id: String, applicationServerKey: Data?) {
        self.id = id
        token = PKCE.base64URL((0..<32).map { _ in UInt8.random(in: .min ... .max) })
        decryption = PushDecryption(
            privateKey: P256.KeyAgreement.PrivateKey(),
            authenticationSecret: Data((0..<16).map { _ in UInt8.random(in: .min ... .max) }))
        self.applicationServerKey = applicationServerKey
    }

    /// Accepts a message. It is shown at once if the browser is online; otherwise it waits, in place of one with the
    /// same topic.
    mutating func accept(_ message: Message) {
        counts.accepted += 1
        guard !isOnline else { return show(message) }
        if let topic = message.topic, let place = waiting.firstIndex(where: { $0.topic == topic }) {
            waiting.remove(at: place)
            counts.replaced += 1
        }
        waiting.append(message)
        if waiting.count > Self.mostMessages { waiting.removeFirst() }
    }

    mutating func disconnect() { isOnline = false }

    /// Brings the browser online, which then shows what has waited.
    ///
    /// - Parameter now: the moment at which that happens, by which messages expire.
    mutating func connect(at now: MonotonicInstant) {
        isOnline = true
        for message in waiting {
            if MonotonicInstant(microseconds: message.at).duration(to: now) < .seconds(message.ttl) {
                show(message)
            } else {
                counts.expired += 1
            }
        }
        waiting = []
    }

    private mutating func show(_ message: Message) {
        if message.failure == nil { counts.shown += 1 } else { counts.dropped += 1 }
        shown.append(message)
        if shown.count > Self.mostMessages { shown.removeFirst() }
    }
}

extension SimulatedSubscription.Counts {
    static func + (left: Self, right: Self) -> Self {
        Self(
            accepted: left.accepted + right.accepted, shown: left.shown + right.shown,
            dropped: left.dropped + right.dropped, replaced: left.replaced + right.replaced,
            expired: left.expired + right.expired)
    }
}
