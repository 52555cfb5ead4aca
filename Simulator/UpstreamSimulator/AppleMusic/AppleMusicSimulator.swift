import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Model
import Synchronization

/// The simulated Apple Music API below `/apple-music/v1`: the storefront, people's libraries and recent plays, the
/// catalog, and token errors; and below `/apple-music-web` the script and page with which people sign in.
package final class AppleMusicSimulator: SimulatedUpstream {
    /// The account behind the user token that exists from the start.
    static let demoAccount = "demo-listener"

    private struct State: Sendable {
        var team = "DEMOTEAM01"
        var keyID = "DEMOKEY001"
        var publicKey: P256.Signing.PublicKey
        /// `nil` once a test has brought a public key of its own.
        var privateKey: P256.Signing.PrivateKey?
        var userTokens = ["demo-music-user-token": "fr"]
        /// The accounts to which tokens belong. A token without an entry is the only one of an account that has the
        /// token's name.
        var accounts = ["demo-music-user-token": AppleMusicSimulator.demoAccount]
        var hasTotals = true
        var misnamesNext = false
        var callsUntilWritesShow = 0
        var showsDatesAtOnce = false

        func account(of token: String) -> String { accounts[token] ?? token }
    }

    let name = "apple-music"
    let folders = ["apple-music", AppleMusicSimulator.signInFolder]
    let recorder: CallRecorder
    let recordings: Recordings
    /// The libraries, by account.
    let libraries: LibraryRegistry
    private let state: Mutex<State>

    // A literal made of letters and hyphens is always a valid field name.
    private static let userTokenField = HTTPField.Name("Music-User-Token")!

    /// Starts with a key of its own, which ``addControls(to:)`` serves.
    init(latency: Duration = .zero, recordings: Recordings = Recordings()) {
        recorder = CallRecorder(latency: latency)
        self.recordings = recordings
        libraries = LibraryRegistry(.apple, recordings: recordings)
        let key = P256.Signing.PrivateKey()
        state = Mutex(State(publicKey: key.publicKey, privateKey: key))
    }

    var shelf: LibraryRegistry? { libraries }

    func playlist(of call: Call) -> String? {
        let parts = call.target.path.split(separator: "/").dropFirst(2).map(String.init)
        return parts.count > 3 && parts.starts(with: ["me", "library", "playlists"]) ? parts[3] : nil
    }

    /// The developer token comes first: without it there is a 401 without a body, whoever asks.
    func answer(_ call: Call) async -> Answer {
        if call.target.path.hasPrefix("/\(Self.signInFolder)/") { return signIn(call) }
        let state = state.withLock { $0 }
        guard let token = call.bearerToken.flatMap({ DeveloperToken($0) }), isGood(token),
            token.admits(origin: call.headers[.origin])
        else { return Answer(status: 401, contentType: "", body: "") }
        guard call.target.path.hasPrefix("/apple-music/v1/me/") else { return catalog(call) }
        let userToken = call.headers[Self.userTokenField]
        guard let userToken, let country = state.userTokens[userToken] else {
            return Self.error(403, code: "40300", title: "Forbidden", detail: "Invalid authentication")
        }
        return personal(
            AppleMusicVisit(
                call: call, account: state.account(of: userToken), storefront: country, hasTotals: state.hasTotals,
                misnamesNext: state.misnamesNext, callsUntilWritesShow: state.callsUntilWritesShow,
                showsDatesAtOnce: state.showsDatesAtOnce))
    }

    /// Whether a developer token was signed with the only key that there is, and is valid now.
    func isGood(_ token: DeveloperToken) -> Bool {
        let state = state.withLock { $0 }
        return token.isGood(team: state.team, keyID: state.keyID, key: state.publicKey, at: Date())
    }

    /// A new user token of the usual account, in the storefront of its other tokens.
    func makeUserToken() -> String {
        let token = OpaqueToken.make("0.A", length: 180)
        state.withLock { state in
            state.userTokens[token] = state.userTokens.values.min() ?? "fr"
            state.accounts[token] = Self.demoAccount
        }
        return token
    }

    /// Ends a user token that came from a sign-in or from the settings.
    func endUserToken(_ token: String) {
        state.withLock { state in
            state.userTokens[token] = nil
            state.accounts[token] = nil
        }
    }

    func refusal(_ rule: FaultRule) -> Answer? {
        switch rule.fault {
        case .limit429:
            return Answer(
                status: 429, contentType: Self.json, document: AppleMusicCapacityDocument(),
                headers: rule.retryHeaders)
        case .noSubscription:
            return Self.error(400, code: "40015", title: "Insufficient Privileges", detail: "No active subscription")
        case .invalidParameter:
            return Self.error(400, code: "40005", title: "Invalid Parameter Value", detail: "Value must be valid")
        // The catalog's 403 belongs to nobody: it is not about the user token.
        case .forbidden403: return Self.error(403, code: "40300", title: "Forbidden", detail: "Forbidden")
        default: return nil
        }
    }

    static let json = "application/json; charset=utf-8"

    static var notFound: Answer {
        error(404, code: "40400", title: "Resource Not Found", detail: "Resource with requested path was not found")
    }

    /// - Parameter parameter: the parameter that is wrong.
    static func error(
        _ status: Int, code: String, title: String, detail: String, parameter: String? = nil
    ) -> Answer {
        let failure = AppleMusicErrorDocument.Failure(
            title: title, detail: detail, status: String(status), code: code,
            source: parameter.map { .init(parameter: $0) })
        return Answer(
            status: status, contentType: Self.json, document: AppleMusicErrorDocument(errors: [failure]))
    }

    // MARK: Settings

    var settings: AppleMusicSettings {
        state.withLock { state in
            AppleMusicSettings(
                latencyMs: Int(recorder.latency.microseconds / 1_000), teamID: state.team, keyID: state.keyID,
                publicKey: state.publicKey.pemRepresentation, userTokens: state.userTokens,
                accounts: state.accounts, totals: state.hasTotals, misnamedNext: state.misnamesNext,
                writesShowAfterCalls: state.callsUntilWritesShow, datesShowAtOnce: state.showsDatesAtOnce)
        }
    }

    func apply(_ change: AppleMusicSettings) throws {
        for (name, value) in [
            ("latencyMs", change.latencyMs), ("writesShowAfterCalls", change.writesShowAfterCalls),
        ] {
            if let value, value < 0 { throw InvalidSetting(description: "\(name) must not be negative.") }
        }
        for id in [change.teamID, change.keyID].compactMap(\.self) where id.count != 10 {
            throw InvalidSetting(description: "'\(id)' does not have ten characters.")
        }
        var key: P256.Signing.PublicKey?
        if let pem = change.publicKey {
            guard let read = try? P256.Signing.PublicKey(pemRepresentation: pem) else {
                throw InvalidSetting(description: "publicKey is not a P-256 key in PEM.")
            }
            key = read
        }
        for country in (change.userTokens ?? [:]).values where Storefront.names[country] == nil {
            let known = Storefront.names.keys.sorted().joined(separator: ", ")
            throw InvalidSetting(description: "There is no storefront '\(country)'; there are \(known).")
        }
        state.withLock { [key] state in
            state.team = change.teamID ?? state.team
            state.keyID = change.keyID ?? state.keyID
            state.userTokens = change.userTokens ?? state.userTokens
            state.accounts = change.accounts ?? state.accounts
            state.hasTotals = change.totals ?? state.hasTotals
            state.misnamesNext = change.misnamedNext ?? state.misnamesNext
            state.callsUntilWritesShow = change.writesShowAfterCalls ?? state.callsUntilWritesShow
            state.showsDatesAtOnce = change.datesShowAtOnce ?? state.showsDatesAtOnce
            if let key {
                state.publicKey = key
                state.privateKey = nil
            }
        }
        if let latencyMs = change.latencyMs { recorder.latency = .milliseconds(latencyMs) }
    }

    /// This upstream has nothing to forget: libraries are settings.
    func reset() {}

    func addControls(to control: RouterGroup<SimulatorContext>) {
        control.get("key") { [self] _, _ in
            let state = state.withLock { $0 }
            guard let key = state.privateKey, let userToken = state.userTokens.keys.min() else {
                throw HTTPError(.notFound, message: "A test has set a key of its own, or there is no user token.")
            }
            return try ControlJSON.encode(
                AppleMusicKey(
                    teamId: state.team, keyId: state.keyID, privateKey: key.pemRepresentation, userToken: userToken))
        }
        let library = LibraryControl(
            libraries: libraries,
            usual: { [self] in
                let known = state.withLock { $0 }
                return known.userTokens.keys.min().map { known.account(of: $0) } ?? Self.demoAccount
            },
            // An account may get its token later.
            knows: { _ in true })
        library.add(to: control)
    }
}
