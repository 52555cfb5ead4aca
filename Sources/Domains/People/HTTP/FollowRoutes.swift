import Gateway
import HTTPTypes
import Hummingbird
import Model
import People
import Storage

/// Following and asking to follow, followers, requests and blocks. Every act may be repeated: the second one changes
/// nothing and is answered like the first.
struct FollowRoutes {
    let database: Database

    func add(to group: RouterGroup<GatewayContext>) {
        group.put("users/:username/follow", use: follow)
        group.delete("users/:username/follow", use: unfollow)
        group.delete("me/followers/:username", use: removeFollower)
        group.put("me/follow-requests/:username", use: accept)
        group.delete("me/follow-requests/:username", use: decline)
        group.put("users/:username/block", use: block)
        group.delete("users/:username/block", use: unblock)
    }

    @Sendable private func follow(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let outcome = try await context.act(in: database) { try $0.people.follow($2, by: $1, now: .now()) }
        return .json(.ok, JSONWriter.object { $0.member("follow", outcome.state.rawValue) })
    }

    @Sendable private func unfollow(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await context.act(in: database) { try $0.people.unfollow($2, by: $1) }
        return Response(status: .noContent)
    }

    @Sendable private func removeFollower(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await context.act(in: database) { try $0.people.removeFollower($2, of: $1) }
        return Response(status: .noContent)
    }

    @Sendable private func accept(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await context.act(in: database) { try $0.people.accept($2, by: $1, now: .now()) }
        return Response(status: .noContent)
    }

    @Sendable private func decline(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await context.act(in: database) { try $0.people.decline($2, by: $1) }
        return Response(status: .noContent)
    }

    @Sendable private func block(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await context.act(in: database) { try $0.people.block($2, by: $1, now: .now()) }
        return Response(status: .noContent)
    }

    @Sendable private func unblock(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await context.act(in: database) { try $0.people.unblock($2, by: $1, now: .now()) }
        return Response(status: .noContent)
    }
}
