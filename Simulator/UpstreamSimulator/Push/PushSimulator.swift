import Foundation
import HTTPTypes
import Model
import Synchronization

/// A simulated push service (RFC 8030) below `/push`, together with the browsers that are subscribed to it. It verifies
/// who sends (RFC 8292), and its browsers decrypt what they receive (RFC 8291).
package final class PushSimulator: SimulatedUpstream {
    struct State: Sendable {
        var settings = PushServiceSettings.initial
        /// By the end of the endpoint.
        var subscriptions: [String: SimulatedSubscription] = [:]
        /// The ends of the endpoints, by the id in the control routes.
        var tokens: [String: String] = [:]
        var lastNumber = 0
    }

    let name = "push"
    let folders = ["push"]
    let recorder: CallRecorder
    let state = Mutex(State())

    init(latency: Duration = .zero) {
        recorder = CallRecorder(latency: latency)
    }

    /// Endpoints are secrets, and there are many.
    func endpoint(of call: Call) -> String { "\(call.method.rawValue) /push/{subscription}" }

    func answer(_ call: Call) async -> Answer {
        guard call.method == .post, let token = Self.token(in: call.target.path) else {
            return Self.error(404, 102, "Not Found", "There is no such resource.")
        }
        do throws(PushRefusal) {
            return try accept(call, for: token)
        } catch {
            return error.answer
        }
    }

    private static func token(in path: String) -> String? {
        let parts = path.split(separator: "/")
        return parts.count == 2 ? String(parts[1]) : nil
    }

    private func accept(_ call: Call, for token: String) throws(PushRefusal) -> Answer {
        let (found, largestBody) = state.withLock { ($0.subscriptions[token], $0.settings.largestBody ?? 0) }
        guard let subscription = found else { throw PushRefusal(Self.unknown) }
        guard !subscription.isEnded else { throw PushRefusal(Self.gone) }
        let header = try PushHeader(call)
        guard call.bytes.count <= largestBody else { throw PushRefusal(Self.tooLarge) }
        do throws(VAPIDProof.Refusal) {
            let proof = try VAPIDProof(call.headers[.authorization])
            try proof.check(origin: call.origin, expected: subscription.applicationServerKey, at: Date())
        } catch {
            throw PushRefusal(error)
        }
        var message = SimulatedSubscription.Message(
            at: MonotonicInstant.now().microseconds, topic: header.topic, urgency: header.urgency, ttl: header.ttl,
            bodyBytes: call.bytes.count)
        do throws(PushDecryption.Failure) {
            let content = try subscription.decryption.message(in: call.bytes)
            message.text = String(validating: content, as: UTF8.self)
            message.base64 = Data(content).base64EncodedString()
        } catch {
            // A service cannot know that: the browser drops the message.
            message.failure = error
        }
        let number = state.withLock { state in
            state.subscriptions[token]?.accept(message)
            state.lastNumber += 1
            return state.lastNumber
        }
        return Answer(
            status: 201, contentType: "", body: "",
            headers: [("Location", "\(call.origin)/push/m/\(number)"), ("TTL", String(header.ttl))])
    }

    // MARK: Settings

    var settings: PushServiceSettings {
        var settings = state.withLock { $0.settings }
        settings.latencyMs = Int(recorder.latency.microseconds / 1_000)
        return settings
    }

    func apply(_ change: PushServiceSettings) throws {
        guard (change.latencyMs ?? 0) >= 0, (change.largestBody ?? 0) >= 0 else {
            throw InvalidSetting(description: "latencyMs and largestBody must not be negative.")
        }
        if let latencyMs = change.latencyMs { recorder.latency = .milliseconds(latencyMs) }
        state.withLock { $0.settings.largestBody = change.largestBody ?? $0.settings.largestBody }
    }

    func reset() {
        state.withLock {
            $0.subscriptions = [:]
            $0.tokens = [:]
        }
    }
}

/// The header fields of a push message (RFC 8030, section 5), each checked.
private struct PushHeader {
    /// The longest time that Mozilla's service keeps a message, in seconds.
    private static let longestTTL = 2_592_000

    var ttl: Int
    var urgency = "normal"
    var topic: String?

    init(_ call: Call) throws(PushRefusal) {
        func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { call.headers[$0] } }
        func refused(_ errno: Int, _ message: String) -> PushRefusal {
            PushRefusal(PushSimulator.error(400, errno, "Bad Request", message))
        }
        guard let text = field("TTL") else { throw refused(111, "Missing TTL header") }
        guard (1...10).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let seconds = Int(text)
        else { throw refused(112, "Invalid TTL header") }
        ttl = min(seconds, Self.longestTTL)
        if let urgency = field("Urgency") {
            guard ["very-low", "low", "normal", "high"].contains(urgency) else {
                throw refused(111, "Invalid Urgency header")
            }
            self.urgency = urgency
        }
        if let topic = field("Topic") {
            // Apple's service reportedly refuses the underscore of base64url.
            let isAllowed = topic.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
            guard (1...32).contains(topic.utf8.count), isAllowed else { throw refused(113, "Invalid Topic header") }
            self.topic = topic
        }
        guard field("Content-Encoding") == "aes128gcm" else { throw refused(110, "Unknown Content-Encoding") }
    }
}
