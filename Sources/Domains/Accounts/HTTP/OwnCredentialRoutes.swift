import Accounts
import Gateway
import HTTPTypes
import Hummingbird
import Model
import Storage

/// `/v1/me/tokens` and `/v1/me/sessions`: a person's own API tokens and sessions, to list, add and revoke.
struct OwnCredentialRoutes {
    let accounts: Accounts
    let credentials: CredentialCache
    let maximumBodyBytes: Int

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("me/tokens", use: listTokens)
        group.post("me/tokens", use: addToken)
        group.delete("me/tokens/:id", use: revokeToken)
        group.get("me/sessions", use: listSessions)
        group.delete("me/sessions/:id", use: endSession)
    }

    // MARK: Tokens

    @Sendable private func listTokens(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let current = context.token?.hash
        let tokens = try await accounts.tokens(userID: context.userID)
        let ids = Self.ids(of: tokens)
        return .json(
            .ok,
            JSONWriter.items(tokens) { json, token in
                Self.write(token, madeWith: token.madeWith.flatMap { ids[$0] }, to: &json)
                json.member("isCurrent", token.hash == current)
            })
    }

    @Sendable private func addToken(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let body = try await request.json(limit: maximumBodyBytes)
        let fields = try body.object(["name", "expiresAt", "scope"])
        guard let nameField = fields["name"] else { throw body.refuse("the field name is missing.") }
        let name = try nameField.string(limit: 100)
        let expiresAt = try fields["expiresAt"].map { field in
            let moment = try field.timestamp()
            guard moment > .now() else { throw field.refuse("this time has passed, so the token would never work.") }
            return moment
        }
        let scope = try fields["scope"].map { field in
            let text = try field.string(limit: 100)
            guard let scope = TokenScope.offered.first(where: { $0.rawValue == text }) else {
                let offered = TokenScope.offered.map { "'\($0.rawValue)'" }.joined(separator: " or ")
                throw field.refuse(
                    "expected \(offered), found '\(text.prefix(40))'; leave the field out for a token that may do "
                        + "everything.")
            }
            return scope
        }
        let (record, token): (TokenRecord, APIToken)
        do {
            (record, token) = try await accounts.addToken(
                userID: context.userID, name: name, expiresAt: expiresAt, scope: scope,
                with: context.credential)
        } catch let error as AccountError {
            switch error {
            case .invalidTokenName: throw nameField.refuse(error.description)
            case .tokenNameTaken: throw Problem.conflict(code: .tokenNameTaken, error.description)
            case .tooManyTokens: throw Problem.conflict(code: .tooManyTokens, error.description)
            default: throw Problem.unauthorized
            }
        }
        let ids = Self.ids(of: try await accounts.tokens(userID: record.userID))
        return .json(
            .created,
            JSONWriter.object { json in
                Self.write(record, madeWith: record.madeWith.flatMap { ids[$0] }, to: &json)
                json.member("token", token.secret.reveal())
            })
    }

    @Sendable private func revokeToken(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (id, userID) = (try context.parameters.require("id"), try context.userID)
        guard try await accounts.revokeToken(id: id, userID: userID) else { throw Problem.notFound("token") }
        // Sessions and tokens that began with it are revoked, too.
        credentials.forget(userID: userID)
        return Response(status: .noContent)
    }

    /// The tokens' ids by their hashes.
    private static func ids(of tokens: [TokenRecord]) -> [String: String] {
        tokens.reduce(into: [:]) { ids, token in if let hash = token.hash { ids[hash] = token.id } }
    }

    /// - Parameter parent: the id of the token with which it was made.
    private static func write(_ token: TokenRecord, madeWith parent: String?, to json: inout JSONWriter) {
        json.member("id", token.id)
        json.member("name", token.name)
        json.member("createdAt", token.createdAt)
        json.member("lastUsedAt", token.lastUsedAt)
        json.member("expiresAt", token.expiresAt)
        json.member("scope", token.scope?.rawValue)
        json.member("madeWith", parent)
    }

    // MARK: Sessions

    @Sendable private func listSessions(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let current = context.session?.hash
        let sessions = try await accounts.sessions(userID: context.userID)
        return .json(
            .ok,
            JSONWriter.items(sessions) { json, session in
                json.member("id", session.id)
                json.member("userAgent", session.userAgent)
                json.member("createdAt", session.createdAt)
                json.member("lastUsedAt", session.lastUsedAt)
                json.member("expiresAt", session.expiresAt)
                json.member("endsAt", session.endsAt)
                json.member("isCurrent", session.hash == current)
            })
    }

    @Sendable private func endSession(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (id, userID) = (try context.parameters.require("id"), try context.userID)
        guard try await accounts.endSession(id: id, userID: userID) else { throw Problem.notFound("session") }
        credentials.forget(userID: userID)
        return Response(status: .noContent)
    }
}
