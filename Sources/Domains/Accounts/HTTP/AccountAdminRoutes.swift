import Accounts
import Gateway
import HTTPTypes
import Hummingbird
import Model
import Storage
import Telemetry

/// `/v1/admin/accounts`: all accounts of the installation, for administrators.
struct AccountAdminRoutes {
    let accounts: Accounts
    let credentials: CredentialCache
    let erasure: UserErasure
    let recentSignIn: RecentSignIn
    let maximumBodyBytes: Int

    func add(to group: RouterGroup<GatewayContext>) {
        let admin = group.group("admin/accounts").add(middleware: AdminMiddleware())
        admin.get(use: list)
        admin.put(":username/suspension", use: suspend)
        admin.delete(":username/suspension", use: reinstate)
        admin.put(":username/administrator", use: makeAdministrator)
        admin.delete(":username/administrator", use: withdrawAdministrator)
        admin.delete(":username", use: erase)
    }

    @Sendable private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let limit = try request.pageLimit(standard: 50, maximum: 200)
        let cursor = try request.cursor(of: AccountList.order)
        let found = try await accounts.accounts(after: cursor, limit: limit + 1)
        let page = found.prefix(limit)
        let body = JSONWriter.object { json in
            json.member("items") { json in
                json.array(page) { json, account in
                    json.object { json in
                        json.member("username", account.username)
                        json.member("displayName", account.displayName)
                        json.member("createdAt", account.createdAt)
                        json.member("lastSeenAt", account.lastSeenAt)
                        json.member("isSuspended", account.isSuspended)
                        json.member("isAdmin", account.isAdmin)
                    }
                }
            }
            let last = found.count > limit ? page.last : nil
            json.member("nextCursor", last.map { AccountList.cursor(after: $0) })
        }
        return .json(.ok, body)
    }

    // MARK: Suspending

    @Sendable private func suspend(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let user = try await subject(context)
        guard user.id != (try context.userID) else {
            throw Problem.conflict(code: .selfTarget, "You cannot suspend yourself.")
        }
        if try await accounts.suspend(user: user.name) {
            context.logger.notice(
                "an administrator suspended a user", metadata: ["user": "\(UserPseudonym.of(user.id))"])
        }
        credentials.forget(userID: user.id)
        return Response(status: .noContent)
    }

    @Sendable private func reinstate(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let user = try await subject(context)
        if try await accounts.reinstate(user: user.name) {
            context.logger.notice(
                "an administrator reinstated a user", metadata: ["user": "\(UserPseudonym.of(user.id))"])
        }
        return Response(status: .noContent)
    }

    // MARK: Administrators

    @Sendable private func makeAdministrator(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await setAdministrator(true, context)
    }

    @Sendable private func withdrawAdministrator(
        _ request: Request, _ context: GatewayContext
    ) async throws -> Response {
        try await setAdministrator(false, context)
    }

    private func setAdministrator(_ isAdmin: Bool, _ context: GatewayContext) async throws -> Response {
        let user = try await subject(context)
        do {
            try await accounts.setAdministrator(isAdmin, user: user.name)
        } catch AccountError.lastAdministrator {
            throw Problem.lastAdministrator
        } catch AccountError.suspended {
            throw Problem.conflict(code: .accountSuspended, "This account is suspended. Reinstate it first.")
        }
        credentials.forget(userID: user.id)
        return Response(status: .noContent)
    }

    // MARK: Erasing

    @Sendable private func erase(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let user = try await subject(context)
        guard user.id != (try context.userID) else {
            throw Problem.conflict(code: .selfTarget, "Erase your own account with DELETE /v1/me.")
        }
        // The path says whose account it is, so that a browser that has just signed in needs no body.
        let bytes = try await request.bodyBytes(limit: maximumBodyBytes)
        let token = bytes.isEmpty ? nil : try RequestField.body(bytes).object(["token"])["token"]
        try await recentSignIn.require(request, context, token: token)
        try await erasure.erase(userID: user.id, timeout: ProfileRoutes.erasureTimeout) { [credentials] in
            credentials.forget(userID: user.id)
        }
        context.logger.notice("an administrator erased a user")
        return Response(status: .noContent)
    }

    /// The account that the path names, whatever it shows to others.
    private func subject(_ context: GatewayContext) async throws -> UserRecord {
        do {
            return try await accounts.user(named: try context.username)
        } catch is AccountError {
            throw Problem(
                .notFound, code: .notFound, title: "Not found", detail: "There is no account with this username.")
        }
    }
}

extension Problem {
    static let lastAdministrator = Problem.conflict(
        code: .lastAdministrator, AccountError.lastAdministrator.description)
}
