import Model
import Synchronization

/// The simulated Spotify: its accounts service below `/spotify-accounts`, its Web API below `/spotify/v1`.
package final class SpotifySimulator: SimulatedUpstream {
    struct State: Sendable {
        var settings = SpotifySettings.initial
        var grants = SpotifyGrants()
    }

    let name = "spotify"
    let folders = ["spotify-accounts", "spotify"]
    let recorder: CallRecorder
    let state = Mutex(State())

    init(latency: Duration = .zero) {
        recorder = CallRecorder(latency: latency)
    }

    /// Exchanges and refreshes have counters of their own.
    func endpoint(of call: Call) -> String {
        let endpoint = "\(call.method.rawValue) \(call.target.path)"
        guard call.target.path == "/spotify-accounts/api/token" else { return endpoint }
        guard let grant = call.form?["grant_type"], ["authorization_code", "refresh_token"].contains(grant) else {
            return endpoint
        }
        return "\(endpoint) \(grant)"
    }

    func answer(_ call: Call) async -> Answer {
        switch (call.method, call.target.path) {
        case (.get, "/spotify-accounts/authorize"): authorize(call)
        case (.post, "/spotify-accounts/authorize"): decide(call)
        case (.post, "/spotify-accounts/api/token"): token(call)
        case (_, let path) where path.hasPrefix("/spotify/v1/"): webAPI(call)
        default: Answer(status: 404, contentType: "text/html; charset=utf-8", body: FaultRule.page)
        }
    }

    var settings: SpotifySettings {
        var settings = state.withLock { $0.settings }
        settings.latencyMs = Int(recorder.latency.microseconds / 1_000)
        return settings
    }

    func apply(_ change: SpotifySettings) throws {
        try state.withLock { try $0.settings = $0.settings.changed(by: change) }
        if let latencyMs = change.latencyMs { recorder.latency = .milliseconds(latencyMs) }
    }

    func reset() {
        state.withLock { $0.grants = SpotifyGrants() }
    }

    func refusal(_ rule: FaultRule) -> Answer? {
        switch rule.fault {
        case .limit429:
            Self.error(429, "API rate limit exceeded", headers: rule.retryHeaders)
        case .quotaExceeded:
            Self.error(429, "Too many requests", reason: "QUOTA_EXCEEDED", headers: rule.retryHeaders)
        case .text429:
            Answer(status: 429, contentType: "text/plain", body: "Too many requests", headers: rule.retryHeaders)
        case .text403: Self.notListed
        case .forbidden403: Self.error(403, "Forbidden")
        case .premiumRequired:
            Self.error(403, "Player command failed: Premium required", reason: "PREMIUM_REQUIRED")
        case .noActiveDevice:
            Self.error(404, "Player command failed: No active device found", reason: "NO_ACTIVE_DEVICE")
        case .nothing204: Answer(status: 204, body: "")
        case .text200: Answer(status: 200, contentType: "text/plain", body: OpaqueToken.make("", length: 11))
        default: nil
        }
    }
}
