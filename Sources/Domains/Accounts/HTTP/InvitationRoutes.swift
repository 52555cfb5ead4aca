import Accounts
import Gateway
import HTTPTypes
import Hummingbird
import Model
import Storage

/// `/v1/invitations`: links that each make one account. `POST /v1/session/invitation` uses one, and
/// `POST /v1/session/invitation/check` says whether it would work.
struct InvitationRoutes {
    /// The page of an invitation; its code follows as the fragment, which browsers do not send.
    private static let page = "/invitation#"

    let accounts: Accounts
    let policy: InvitationPolicy
    let sessions: SessionRoutes
    let address: SiteAddress

    /// - Parameters:
    ///   - open: for requests of people who are not signed in yet.
    ///   - group: for those who are.
    func add(to open: Router<GatewayContext>, _ group: RouterGroup<GatewayContext>) {
        open.post("v1/session/invitation", use: signUp)
        open.post("v1/session/invitation/check", use: check)
        group.get("invitations", use: list)
        group.post("invitations", use: invite)
        group.delete("invitations/:id", use: withdraw)
    }

    // MARK: Inviting

    @Sendable private func invite(_ request: Request, _ context: GatewayContext) async throws -> Response {
        guard let user = context.user else { throw Problem.unauthorized }
        guard policy.allows(isAdmin: user.isAdmin) else { throw Problem.adminOnly }
        do {
            let (record, code) = try await accounts.invite(by: user.id)
            return .json(
                .created,
                JSONWriter.object { json in
                    Self.write(record, to: &json)
                    json.member("url", (address.url ?? "") + Self.page + code.secret.reveal())
                })
        } catch AccountError.tooManyInvitations {
            throw Problem.conflict(code: .tooManyInvitations, AccountError.tooManyInvitations.description)
        } catch is AccountError {
            throw Problem.unauthorized
        }
    }

    @Sendable private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let invitations = try await accounts.invitations(userID: context.userID)
        return .json(.ok, JSONWriter.items(invitations) { Self.write($1, to: &$0) })
    }

    private static func write(_ invitation: InvitationRecord, to json: inout JSONWriter) {
        json.member("id", invitation.id)
        json.member("createdAt", invitation.createdAt)
        json.member("expiresAt", invitation.expiresAt)
    }

    @Sendable private func withdraw(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (id, userID) = (try context.parameters.require("id"), try context.userID)
        guard try await accounts.withdrawInvitation(id: id, userID: userID) else {
            throw Problem.notFound("invitation")
        }
        return Response(status: .noContent)
    }

    // MARK: Coming in

    /// The code is in the body, since addresses are logged.
    @Sendable private func check(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let body = try await request.json(limit: sessions.maximumBodyBytes)
        let code = try Self.code(in: body, body.object(["code"]))
        try await requireInvitation(code, request, context)
        return Response(status: .noContent)
    }

    private static func code(in body: RequestField, _ fields: RequestField.Members) throws -> InvitationCode {
        guard let field = fields["code"] else { throw body.refuse("the field code is missing.") }
        return InvitationCode(secret: Secret(try field.string(limit: 200)))
    }

    /// - Throws: ``Problem/invalidInvitation``; a problem when the address has sent too many wrong codes.
    private func requireInvitation(
        _ code: InvitationCode, _ request: Request, _ context: GatewayContext
    ) async throws {
        // Without the write lock, which guesses must not take.
        let invitation = try await sessions.throttle.find(request, context) {
            try await accounts.invitation(for: code, policy: policy)
        }
        guard invitation != nil else { throw Problem.invalidInvitation }
    }

    @Sendable private func signUp(_ request: Request, _ context: GatewayContext) async throws -> Response {
        // A page of another site must not sign a person in as somebody else. Programs send no Origin.
        guard sessions.site.isOrigin(of: request) != false else { throw Problem.crossOrigin }
        let body = try await request.json(limit: sessions.maximumBodyBytes)
        let fields = try body.object(["code", "username"])
        let code = try Self.code(in: body, fields)
        guard let nameField = fields["username"] else { throw body.refuse("the field username is missing.") }
        let name = try nameField.string(limit: .max)
        try await requireInvitation(code, request, context)
        do {
            guard
                let signedIn = try await accounts.signUp(
                    with: code, name: name, policy: policy, userAgent: request.headers[.userAgent],
                    replacing: sessions.cookie.session(of: request))
            else { throw Problem.invalidInvitation }
            return sessions.answer(signedIn, request)
        } catch let error as AccountError {
            throw Problem(refusedName: error, in: nameField)
        }
    }
}

extension Problem {
    static let invalidInvitation = Problem(
        .unauthorized, code: .invalidInvitation, title: "This invitation does not work",
        detail: "It has already been used, is older than seven days, was withdrawn, or is incomplete. Ask for a new "
            + "one.")

    /// Why somebody who was invited does not get a name.
    fileprivate init(refusedName error: AccountError, in field: RequestField) {
        let reason: ProfileError.Reason =
            switch error {
            case .nameTaken: .usernameTaken
            case .nameReserved: .reservedUsername
            default: .noUsername
            }
        self.init(ProfileError(field: .username, reason: reason))
    }
}
