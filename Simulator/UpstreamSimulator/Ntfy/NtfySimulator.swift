import Foundation
import HTTPTypes
import Model
import Synchronization

/// A simulated ntfy server below `/ntfy` that accepts messages as JSON at its root, and as text at their topics
/// (https://docs.ntfy.sh/publish/).
package final class NtfySimulator: SimulatedUpstream {
    /// A message that was published.
    struct Message: Sendable, Codable, Equatable {
        var id: String
        /// The arrival in microseconds on `CLOCK_BOOTTIME`.
        var at: Int64
        var topic: String
        var title: String?
        var message: String
        /// 1 to 5; 3 if the message names none.
        var priority: Int
        var tags: [String]
        var click: String?
        /// The access token that it was published with.
        var token: String?
        /// Whether it was so long that subscribers receive a file instead of a text.
        var isAttachment: Bool
    }

    private struct State: Sendable {
        var settings = NtfySettings.initial
        var calls = RollingLimit()
        var messages: [Message] = []
        var lastNumber = 0
    }

    /// The most messages that it keeps.
    private static let mostMessages = 20_000
    /// The most bytes of a text; longer ones become files.
    private static let longestText = 4_096
    private static let root = "/ntfy"

    let name = "ntfy"
    let folders = ["ntfy"]
    let recorder: CallRecorder
    private let state = Mutex(State())

    init(latency: Duration = .zero) {
        recorder = CallRecorder(latency: latency)
    }

    /// The names of topics are secrets.
    func endpoint(of call: Call) -> String {
        "\(call.method.rawValue) " + (Self.isRoot(call.target.path) ? Self.root : Self.root + "/{topic}")
    }

    private static func isRoot(_ path: String) -> Bool { path == root || path == root + "/" }

    /// The messages so far, of one topic or of all.
    func messages(topic: String? = nil) -> [Message] {
        state.withLock { $0.messages }.filter { topic == nil || $0.topic == topic }
    }

    func answer(_ call: Call) async -> Answer {
        let (settings, wait) = state.withLock { state in
            let length = Duration.milliseconds(state.settings.windowMs ?? 1)
            return (
                state.settings, state.calls.admit(at: .now(), limit: state.settings.limit ?? 0, length: length)
            )
        }
        guard wait == nil else { return Self.limit() }
        guard call.method == .post || call.method == .put else {
            return Self.refused(40_401, "page not found")
        }
        let token = call.bearerToken
        if call.headers[.authorization] != nil {
            guard let token, settings.tokens?.contains(token) == true else { return Self.unauthorized }
        } else if settings.isPrivate == true {
            return Self.forbidden
        }
        return Self.isRoot(call.target.path) ? publishJSON(call, token) : publishText(call, token)
    }

    private func publishJSON(_ call: Call, _ token: String?) -> Answer {
        struct Order: Decodable {
            var topic: String
            var message: String?
            var title: String?
            var priority: Int?
            var tags: [String]?
            var click: String?
        }
        guard let order = try? JSONDecoder().decode(Order.self, from: Data(call.bytes)) else {
            return Self.refused(40_024, "invalid request: request body must be valid JSON")
        }
        return publish(
            topic: order.topic, message: order.message ?? "", title: order.title, priority: order.priority,
            tags: order.tags, click: order.click, token)
    }

    private func publishText(_ call: Call, _ token: String?) -> Answer {
        func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { call.headers[$0] } }
        return publish(
            topic: String(call.target.path.dropFirst(Self.root.count + 1)), message: call.body, title: field("Title"),
            priority: field("Priority").flatMap { Int($0) },
            tags: field("Tags")?.split(separator: ",").map { String($0) }, click: field("Click"), token)
    }

    private func publish(
        topic: String, message: String, title: String?, priority: Int?, tags: [String]?, click: String?,
        _ token: String?
    ) -> Answer {
        let isTopic =
            (1...64).contains(topic.utf8.count)
            && topic.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        guard isTopic else { return Self.refused(40_009, "invalid request: topic invalid") }
        guard (0...5).contains(priority ?? 3) else {
            return Self.refused(40_007, "invalid request: priority invalid")
        }
        let now = Int64(Date().timeIntervalSince1970)
        // A message without a text is a "triggered", as with the real server.
        let text = message.isEmpty ? "triggered" : message
        let id = state.withLock { state in
            state.lastNumber += 1
            let id = "sim\(state.lastNumber)"
            state.messages.append(
                Message(
                    id: id, at: MonotonicInstant.now().microseconds, topic: topic, title: title, message: text,
                    priority: priority.map { $0 == 0 ? 3 : $0 } ?? 3, tags: tags ?? [], click: click, token: token,
                    isAttachment: text.utf8.count > Self.longestText))
            if state.messages.count > Self.mostMessages { state.messages.removeFirst() }
            return id
        }
        return Answer(
            contentType: "application/json",
            document: NtfyMessageDocument(
                id: id, time: now, expires: now + 43_200, topic: topic, title: title, message: text,
                priority: priority, tags: tags, click: click))
    }

    // MARK: Settings

    var settings: NtfySettings {
        var settings = state.withLock { $0.settings }
        settings.latencyMs = Int(recorder.latency.microseconds / 1_000)
        return settings
    }

    func apply(_ change: NtfySettings) throws {
        guard (change.latencyMs ?? 0) >= 0, (change.limit ?? 0) >= 0, (change.windowMs ?? 1) > 0 else {
            throw InvalidSetting(
                description: "latencyMs and limit must not be negative, and windowMs must be positive.")
        }
        if let latencyMs = change.latencyMs { recorder.latency = .milliseconds(latencyMs) }
        state.withLock { state in
            state.settings.tokens = change.tokens ?? state.settings.tokens
            state.settings.isPrivate = change.isPrivate ?? state.settings.isPrivate
            state.settings.limit = change.limit ?? state.settings.limit
            state.settings.windowMs = change.windowMs ?? state.settings.windowMs
        }
    }

    func reset() {
        state.withLock { state in
            state.messages = []
            state.calls = RollingLimit()
        }
    }
}
