/// The settings of `/_sim/spotify/config`. In a change, missing members stay as they are.
struct SpotifySettings: Sendable, Codable, Equatable {
    /// What a refresh does to the refresh token.
    enum Refresh: String, Sendable, Codable {
        /// Returns a new one and ends the old one at once, as for every app until July 2026.
        case rotate
        /// Returns none, and the old one stays valid, as for apps since about 20 July 2026.
        case keep
        /// Every refresh is refused as if six months had passed.
        case expired
        /// Every refresh is refused as if the person had withdrawn their consent.
        case revoked
    }

    /// Which fields answers have.
    enum Mode: String, Sendable, Codable {
        /// An app in development mode since February 2026.
        case dev2026
        /// An older app.
        case legacy
    }

    /// The form of the rolling window's 429.
    enum LimitForm: String, Sendable, Codable {
        case json
        /// 17 bytes of text.
        case text
    }

    struct Client: Sendable, Codable, Equatable {
        var id: String
        /// The redirect addresses as registered in the dashboard; see ``RedirectAddress``.
        var redirectURIs: [String]
        /// The ids of the people whom the app's dashboard lists, at most five; `nil` lists everybody.
        var people: [String]?
        /// Whether the app's owner has Premium, without which the Web API refuses everything; `nil` means yes.
        var ownerHasPremium: Bool?

        init(id: String, redirectURIs: [String], people: [String]? = nil, ownerHasPremium: Bool? = nil) {
            self.id = id
            self.redirectURIs = redirectURIs
            self.people = people
            self.ownerHasPremium = ownerHasPremium
        }

        /// How many people can use an app in development mode.
        static let mostPeople = 5
    }

    var latencyMs: Int?
    var mode: Mode?
    var refresh: Refresh?
    /// The `expires_in` of access tokens made from now on.
    var accessTokenSeconds: Int?
    /// How long a code can be exchanged; applies to codes made from now on.
    var codeSeconds: Int?
    /// The id of the person in front of the consent page.
    var signedInAs: String?
    /// Ids of people whom the app's dashboard does not list: their calls of the Web API end in a 403.
    var unlisted: [String]?
    /// Scopes that are not granted although they were requested.
    var withheldScopes: [String]?
    /// The apps that exist.
    var clients: [Client]?
    /// Requests of the Web API that an app may make in any window; 0 sets no limit. The real figure is not published.
    var requestsPerWindow: Int?
    var windowSeconds: Int?
    var limitForm: LimitForm?
    /// The `Retry-After` of the window's 429, instead of the seconds until the next request is admitted; 0 unsets it.
    var retryAfterSeconds: Int?

    /// The app of the demonstration. A loopback address without a port admits every port.
    static let demoClient = Client(
        id: "demo-spotify-client",
        redirectURIs: [
            "http://127.0.0.1/v1/setup/spotify/callback", "http://[::1]/v1/setup/spotify/callback",
        ])

    static let initial = SpotifySettings(
        latencyMs: nil, mode: .dev2026, refresh: .rotate, accessTokenSeconds: 3_600, codeSeconds: 600,
        signedInAs: SpotifyPerson.all[0].id, unlisted: [], withheldScopes: [], clients: [demoClient],
        requestsPerWindow: 100, windowSeconds: 30, limitForm: .json)

    /// These settings with a change applied.
    ///
    /// - Throws: ``InvalidSetting``.
    func changed(by change: SpotifySettings) throws -> SpotifySettings {
        for (name, value) in [
            ("latencyMs", change.latencyMs), ("accessTokenSeconds", change.accessTokenSeconds),
            ("codeSeconds", change.codeSeconds), ("requestsPerWindow", change.requestsPerWindow),
            ("windowSeconds", change.windowSeconds), ("retryAfterSeconds", change.retryAfterSeconds),
        ] {
            if let value, value < 0 { throw InvalidSetting(description: "\(name) must not be negative.") }
        }
        for id in [change.signedInAs].compactMap(\.self) + (change.unlisted ?? []) where SpotifyPerson(id: id) == nil {
            let known = SpotifyPerson.all.map(\.id).joined(separator: ", ")
            throw InvalidSetting(
                description: "There is no person '\(id)'; there are \(known), and listener-1 to listener-9999.")
        }
        for client in change.clients ?? [] where (client.people ?? []).count > Client.mostPeople {
            throw InvalidSetting(description: "\(client.id) lists more than \(Client.mostPeople) people.")
        }
        for address in (change.clients ?? []).flatMap(\.redirectURIs) where !RedirectAddress.isSecure(address) {
            throw InvalidSetting(
                description: "'\(address)' cannot be registered: HTTPS, or HTTP on 127.0.0.1 or [::1].")
        }
        var result = self
        result.mode = change.mode ?? mode
        result.refresh = change.refresh ?? refresh
        result.accessTokenSeconds = change.accessTokenSeconds ?? accessTokenSeconds
        result.codeSeconds = change.codeSeconds ?? codeSeconds
        result.signedInAs = change.signedInAs ?? signedInAs
        result.unlisted = change.unlisted ?? unlisted
        result.withheldScopes = change.withheldScopes ?? withheldScopes
        result.clients = change.clients ?? clients
        result.requestsPerWindow = change.requestsPerWindow ?? requestsPerWindow
        result.windowSeconds = change.windowSeconds ?? windowSeconds
        result.limitForm = change.limitForm ?? limitForm
        if let seconds = change.retryAfterSeconds { result.retryAfterSeconds = seconds == 0 ? nil : seconds }
        return result
    }
}
