import CryptoExtras
import Foundation
import Model
import Synchronization

/// The simulated Google accounts below `/google`: discovery, keys, consent page and token endpoint.
package final class GoogleSimulator: SimulatedUpstream {
    struct Code: Sendable {
        var client: String
        var person: GooglePerson
        var redirectURI: String
        var scopes: [String]
        var nonce: String?
        /// `nil` for an authorization without PKCE.
        var challenge: String?
        var endsAt: Timestamp
    }

    struct State: Sendable {
        var settings = GoogleSettings.initial
        var codes: [String: Code] = [:]
        /// The keys, made on first use: generating an RSA key takes a while.
        var keys: GoogleKeys?
    }

    let name = "google"
    let folders = ["google"]
    let recorder: CallRecorder
    let state = Mutex(State())

    init(latency: Duration = .zero) {
        recorder = CallRecorder(latency: latency)
    }

    func answer(_ call: Call) async -> Answer {
        switch (call.method, call.target.path) {
        case (.get, "/google/.well-known/openid-configuration"): discovery(call)
        case (.get, "/google/oauth2/v3/certs"): keySet()
        case (.get, "/google/o/oauth2/v2/auth"): authorize(call)
        case (.post, "/google/o/oauth2/v2/auth"): decide(call)
        case (.post, "/google/token"): token(call)
        default: Answer(status: 404, contentType: "text/html; charset=utf-8", body: FaultRule.page)
        }
    }

    func refusal(_ rule: FaultRule) -> Answer? {
        guard rule.fault == .limit429 else { return nil }
        return Answer(
            status: 429, contentType: "application/json; charset=utf-8",
            document: OAuthErrorDocument("rate_limit_exceeded", "Rate limit exceeded."),
            headers: rule.retryHeaders)
    }

    private func discovery(_ call: Call) -> Answer {
        Answer(
            contentType: "application/json", document: GoogleDiscoveryDocument(base: call.origin + "/google"),
            headers: [("Cache-Control", "public, max-age=3600")])
    }

    private func keySet() -> Answer {
        do {
            let document = try GoogleKeySetDocument(try keys())
            let maxAge = state.withLock { $0.settings.keysMaxAgeSeconds } ?? 0
            return Answer(
                contentType: "application/json; charset=UTF-8", document: document,
                headers: [("Cache-Control", "public, max-age=\(maxAge), must-revalidate, no-transform")])
        } catch {
            return Answer(status: 500, contentType: "text/plain", body: "upstream-sim has no keys: \(error)")
        }
    }

    /// The keys; made at the first call.
    func keys() throws -> GoogleKeys {
        try state.withLock { state in
            if let keys = state.keys { return keys }
            let keys = try GoogleKeys()
            state.keys = keys
            return keys
        }
    }

    // MARK: Settings

    var settings: GoogleSettings {
        var settings = state.withLock { $0.settings }
        settings.latencyMs = Int(recorder.latency.microseconds / 1_000)
        return settings
    }

    func apply(_ change: GoogleSettings) throws {
        try state.withLock { try $0.settings = $0.settings.changed(by: change) }
        if let latencyMs = change.latencyMs { recorder.latency = .milliseconds(latencyMs) }
    }

    /// The keys remain: clients that have fetched them continue to use them.
    func reset() {
        state.withLock { $0.codes = [:] }
    }
}
