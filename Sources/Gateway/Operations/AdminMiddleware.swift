import HTTPTypes
import Hummingbird

/// Refuses everybody but administrators. It runs after ``AuthenticationMiddleware``.
package struct AdminMiddleware: RouterMiddleware {
    package typealias Context = GatewayContext

    package init() {}

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard context.user?.isAdmin == true else { throw Problem.adminOnly }
        return try await next(request, context)
    }
}

extension Problem {
    package static let adminOnly = Problem(
        .forbidden, code: .adminOnly, title: "Only for administrators",
        detail: "Only administrators of this installation may use this. 'backline user add --admin NAME' adds one.")
}
