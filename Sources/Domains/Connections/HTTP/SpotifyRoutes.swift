import Connections
import Contracts
import Foundation
import Gateway
import HTTPTypes
import Hummingbird
import Model
import Storage
import Vault

/// `/v1/setup/spotify`: connecting and disconnecting Spotify.
struct SpotifyRoutes {
    /// The page to which a browser returns if the attempt names none.
    private static let page = "/setup/spotify"

    let service: SpotifyService
    let setup: SetupService
    let site: SiteAddress
    let maximumBodyBytes: Int

    func add(to group: RouterGroup<GatewayContext>) {
        group.post("setup/spotify/authorize", use: authorize)
        group.get("setup/spotify/callback", use: handleCallback)
        group.post("setup/spotify/callback", use: finish)
        group.post("setup/spotify/account", use: answerQuestion)
        group.put("setup/spotify/app", use: putApp)
        group.delete("setup/spotify/app", use: deleteApp)
        group.delete("setup/spotify", use: disconnect)
    }

    // MARK: Beginning

    @Sendable private func authorize(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let bytes = try await request.bodyBytes(limit: maximumBodyBytes)
        let fields = try RequestField.body(bytes.isEmpty ? Array("{}".utf8) : bytes).object(["returnTo", "scopes"])
        let returnTo = try fields["returnTo"].map(Self.path)
        let scopes = try fields["scopes"]?.array(limit: 20, of: "scopes").map(Self.scope) ?? []
        let authorizations = try configured()
        guard let address = site.url else { throw Problem.spotifyAddressUnusable }
        // Browsers do not send this address's cookie to the address of the redirect URI, so the person would not be
        // signed in there.
        if context.session != nil, let origin = request.headers[.origin], origin.lowercased() != address {
            throw Problem.otherAddress(address)
        }
        let attempt = try await sealing {
            try await service.begin(
                authorizations, by: try context.initiator, redirectURI: address + SpotifyService.callbackPath,
                scopes: scopes, returnTo: returnTo)
        }
        guard let attempt else { throw Problem.tooManyAuthorizations }
        return .json(
            .ok,
            JSONWriter.object { json in
                json.member("authorizeURL", attempt.authorizeURL)
                json.member("expiresAt", attempt.expiresAt)
            })
    }

    private static func path(_ field: RequestField) throws -> String {
        let path = try field.string(limit: 500)
        guard SitePath.isPath(path) else {
            throw field.refuse("expected a path of this site, such as /setup/spotify.")
        }
        return path
    }

    private static func scope(_ field: RequestField) throws -> String {
        let scope = try field.string(limit: 100)
        guard SpotifyScopes.all.contains(scope) else {
            throw field.refuse("'\(scope)' is not one of the Spotify scopes that Backline uses.")
        }
        return scope
    }

    private func configured() throws -> SpotifyAuthorizations {
        guard let authorizations = service.authorizations else { throw Problem.spotifyAddressUnusable }
        return authorizations
    }

    private func sealing<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as VaultError {
            throw Problem.vaultUnavailable(VaultTrouble(error))
        } catch is SpotifyAuthorizations.AppMissing {
            throw Problem.spotifyNotConfigured
        }
    }

    // MARK: The redirect

    /// For browsers: Spotify redirects here, and this redirects to a page, with the outcome in the query.
    @Sendable private func handleCallback(_ request: Request, _ context: GatewayContext) async throws -> Response {
        guard let authorizations = service.authorizations, let state = request.parameter("state"),
            state.utf8.count <= 200, let attempt = try await service.find(state: state, by: try context.initiator)
        else { return Self.redirect(to: nil, outcome: "failed", code: .stateUnknown) }
        let userID = try context.userID
        func answer(_ outcome: String, _ code: ProblemCode? = nil) -> Response {
            Self.redirect(to: attempt.returnTo, outcome: outcome, code: code)
        }
        guard let code = request.parameter("code"), !code.isEmpty, code.utf8.count <= 4_096 else {
            try await service.fail(attempt, userID: userID)
            return request.parameter("error") == "access_denied"
                ? answer("cancelled") : answer("failed", .consentFailed)
        }
        do {
            guard let verdict = try await service.finish(authorizations, attempt, code: code, userID: userID) else {
                return answer("failed", .stateUnknown)
            }
            if verdict.code == ProblemCode.otherAccount.rawValue { return answer("otherAccount") }
            return verdict.isConnected
                ? answer("connected")
                : answer("failed", ProblemCode(reported: verdict.code, among: ProblemCode.connections))
        } catch is VaultError {
            return answer("failed", .vaultUnavailable)
        }
    }

    private static func redirect(to page: String?, outcome: String, code: ProblemCode? = nil) -> Response {
        let page = page ?? Self.page
        let query = "outcome=\(outcome)" + (code.map { "&code=\($0.rawValue)" } ?? "")
        return .redirect(to: page + (page.contains("?") ? "&" : "?") + query)
    }

    /// For apps, which catch the redirect themselves.
    @Sendable private func finish(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let body = try await request.json(limit: maximumBodyBytes)
        let fields = try body.object(["code", "state"])
        guard let code = try fields["code"]?.string(limit: 4_096), let state = try fields["state"]?.string(limit: 200),
            !code.isEmpty
        else { throw body.refuse("send code and state as Spotify sent them.") }
        let authorizations = try configured()
        let userID = try context.userID
        guard let attempt = try await service.find(state: state, by: try context.initiator) else {
            throw Problem.stateUnknown
        }
        let verdict = try await sealing {
            try await service.finish(authorizations, attempt, code: code, userID: userID)
        }
        guard let verdict else { throw Problem.stateUnknown }
        guard verdict.isConnected else { throw Problem(verdict, now: .now()) }
        return .json(.ok, try await setup.step(.spotify, userID: userID).json)
    }

    // MARK: Another account

    /// A person's answer to the question of whether another account replaces the connected one.
    private enum Answer: String {
        /// Replace it, and keep its data.
        case keep
        /// Replace it, and delete its data.
        case delete
        /// Keep the connected account.
        case cancel
    }

    @Sendable private func answerQuestion(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let body = try await request.json(limit: maximumBodyBytes)
        let fields = try body.object(["id", "answer"])
        guard let id = try fields["id"]?.string(limit: 100), let field = fields["answer"] else {
            throw body.refuse("send the question's id, and an answer.")
        }
        guard let answer = Answer(rawValue: try field.string(limit: 40)) else {
            throw field.refuse("answer keep, delete or cancel.")
        }
        let userID = try context.userID
        if answer == .cancel {
            guard try await service.withdrawQuestion(id, userID: userID) else { throw Problem.questionExpired }
        } else {
            let verdict = try await service.replaceAccount(
                questionID: id, keepsFormerData: answer == .keep, userID: userID)
            guard let verdict, verdict.code != ProblemCode.questionExpired.rawValue else {
                throw Problem.questionExpired
            }
            guard verdict.isConnected else { throw Problem(verdict, now: .now()) }
        }
        return .json(.ok, try await setup.step(.spotify, userID: userID).json)
    }

    // MARK: A person's own app

    @Sendable private func putApp(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let body = try await request.json(limit: maximumBodyBytes)
        guard let field = try body.object(["clientId"])["clientId"] else {
            throw body.refuse("the field clientId is missing.")
        }
        let clientID = try field.string(limit: 200).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !clientID.isEmpty, clientID.utf8.allSatisfy(Self.isOfClientID) else {
            throw field.refuse("copy the client ID from Spotify's dashboard: it has letters and digits only.")
        }
        let userID = try context.userID
        try await service.setApp(clientID, userID: userID)
        return .json(.ok, try await setup.step(.spotify, userID: userID).json)
    }

    /// Whether a byte may be part of a client id; the rule is the same as for `spotify.clientID`.
    private static func isOfClientID(_ byte: UInt8) -> Bool {
        (0x61...0x7a).contains(byte) || (0x41...0x5a).contains(byte) || (0x30...0x39).contains(byte)
            || [0x2e, 0x2d, 0x5f].contains(byte)
    }

    @Sendable private func deleteApp(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        try await service.setApp(nil, userID: userID)
        return .json(.ok, try await setup.step(.spotify, userID: userID).json)
    }

    // MARK: Disconnecting

    @Sendable private func disconnect(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await service.disconnect(userID: try context.userID)
        return .json(.ok, JSONWriter.object { $0.member("revokeURL", SpotifyService.revokeURL) })
    }
}

extension GatewayContext {
    fileprivate var initiator: SpotifyAuthorizations.Initiator {
        get throws { SpotifyAuthorizations.Initiator(userID: try userID, sessionHash: session?.hash) }
    }
}

extension Problem {
    static let spotifyNotConfigured = recovering(
        .fixConfiguration,
        Problem(
            .serviceUnavailable, code: .spotifyNotConfigured, title: "There is no Spotify app",
            detail: "This installation has no Spotify app. Enter the client id of your own at the Spotify step of the "
                + "setup, or ask the operator to set spotify.clientID."))

    static let spotifyAddressUnusable = recovering(
        .fixConfiguration,
        Problem(
            .serviceUnavailable, code: .spotifyNotConfigured, title: "Spotify cannot be connected here",
            detail: "Spotify does not send people back to this site's address. The operator has to set http.publicURL "
                + "to an https address, or to plain http on 127.0.0.1 or [::1]."))

    static let stateUnknown = recovering(
        .reconnect,
        Problem(
            .unprocessableContent, code: .stateUnknown, title: "This attempt to connect is over",
            detail: "It has already been finished, is older than ten minutes, or was begun by somebody else or in "
                + "another browser. Start again."))

    static let questionExpired = recovering(
        .reconnect,
        Problem(
            .unprocessableContent, code: .questionExpired, title: "This question is no longer open",
            detail: "It has already been answered, is older than ten minutes, or Spotify was connected or disconnected "
                + "since. Nothing has changed. Connect Spotify again, and answer the new question."))

    static let tooManyAuthorizations = recovering(
        .retryAt,
        Problem(
            .tooManyRequests, code: .tooManyAuthorizations, title: "Too many attempts to connect",
            detail: "Too many attempts to connect Spotify are under way. Each ends after ten minutes. Try again then.",
            retryAfter: 600))

    static func otherAddress(_ address: String) -> Problem {
        recovering(
            .tellUser,
            .conflict(
                code: .otherAddress,
                "Spotify sends people back to \(address). Open Backline there, sign in, and connect Spotify from "
                    + "there. To use another address, the operator sets http.publicURL."))
    }

    /// The problem for an attempt that did not connect.
    init(_ verdict: AuthorizationVerdict, now: Timestamp) {
        let recovery = verdict.recovery.flatMap(Recovery.init)
        let mayPass = recovery == .retryAt
        let wait = verdict.retryAt.map { max(1, Int($0 - now.microseconds / 1_000_000)) }
        let isQuestion = verdict.code == ProblemCode.otherAccount.rawValue
        self.init(
            isQuestion ? .conflict : mayPass ? .serviceUnavailable : .unprocessableContent,
            code: ProblemCode(reported: verdict.code, among: ProblemCode.connections),
            title: isQuestion ? "You signed in with another Spotify account" : "Spotify was not connected",
            detail: verdict.detail ?? "Try again.",
            retryAfter: mayPass ? wait ?? 5 : nil)
        self.recovery = recovery?.rawValue
    }
}
