import Model
import Synchronization

/// The simulated Spotify: its accounts service below `/spotify-accounts`, its Web API below `/spotify/v1`.
package final class SpotifySimulator: SimulatedUpstream {
    struct State: Sendable {
        var settings = SpotifySettings.initial
        var grants = SpotifyGrants()
        /// The requests of each app, by its client id.
        var windows: [String: RollingLimit] = [:]
    }

    let name = "spotify"
    let folders = ["spotify-accounts", "spotify"]
    let recorder: CallRecorder
    let state = Mutex(State())
    let recordings: Recordings
    /// The libraries, by the ids of their people.
    let libraries: LibraryRegistry

    init(latency: Duration = .zero, recordings: Recordings = Recordings()) {
        recorder = CallRecorder(latency: latency)
        self.recordings = recordings
        libraries = LibraryRegistry(.spotify, recordings: recordings)
    }

    /// Exchanges and refreshes have counters of their own. Ids in the path of the Web API are `{id}`.
    func endpoint(of call: Call) -> String {
        if call.target.path.hasPrefix("/spotify/v1/") {
            return "\(call.method.rawValue) /spotify/v1/\(SpotifyVisit.split(call.target.path).shape)"
        }
        let endpoint = "\(call.method.rawValue) \(call.target.path)"
        guard call.target.path == "/spotify-accounts/api/token" else { return endpoint }
        guard let grant = call.form?["grant_type"], ["authorization_code", "refresh_token"].contains(grant) else {
            return endpoint
        }
        return "\(endpoint) \(grant)"
    }

    var shelf: LibraryRegistry? { libraries }

    func playlist(of call: Call) -> String? {
        let (shape, id) = SpotifyVisit.split(call.target.path)
        return call.target.path.hasPrefix("/spotify/v1/") && shape.hasPrefix("playlists/") ? id : nil
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
        state.withLock { state in
            state.grants = SpotifyGrants()
            state.windows = [:]
        }
    }

    func refusal(_ rule: FaultRule) -> Answer? {
        switch rule.fault {
        case .limit429:
            Self.error(429, "API rate limit exceeded", headers: rule.retryHeaders)
        case .quotaExceeded:
            Self.error(429, "Too many requests", reason: "QUOTA_EXCEEDED", headers: rule.retryHeaders)
        case .text429:
            Answer(status: 429, contentType: "text/plain", body: "Too many requests", headers: rule.retryHeaders)
        case .permissions401: Self.error(401, "Permissions missing")
        case .text403: Self.notListed
        case .ownerPremium403: Self.ownerPremiumMissing
        case .forbidden403: Self.error(403, "Forbidden")
        case .premiumRequired:
            Self.error(403, "Player command failed: Premium required", reason: "PREMIUM_REQUIRED")
        case .noActiveDevice: SpotifyRefusal.noActiveDevice.answer
        case .nothing204: Answer(status: 204, body: "")
        case .text200: Answer(status: 200, contentType: "text/plain", body: OpaqueToken.make("", length: 11))
        default: nil
        }
    }
}
