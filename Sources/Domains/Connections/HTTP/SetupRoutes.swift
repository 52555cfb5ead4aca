import Concerts
import Connections
import Contracts
import Foundation
import Gateway
import HTTPTypes
import Hummingbird
import Model

/// `/v1/setup`: the checklist, and the keys that people enter. The routes for Spotify are in ``SpotifyRoutes``.
struct SetupRoutes {
    /// The longest accepted key or token, in Unicode scalars.
    private static let maximumKeyLength = 4_096

    let service: SetupService
    let maximumBodyBytes: Int

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("setup", use: show)
        group.put("setup/gemini", use: putGemini)
        group.put("setup/ticketmaster", use: putTicketmaster)
        group.put("setup/apple-music", use: putAppleMusic)
        group.delete("setup/gemini") { try await remove(.gemini, $1) }
        group.delete("setup/ticketmaster") { try await remove(.ticketmaster, $1) }
        group.delete("setup/apple-music") { try await remove(.appleMusic, $1) }
    }

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (checklist, seq) = try await service.numberedChecklist(userID: context.userID)
        return .cacheable(checklist.json, seq: seq, for: request)
    }

    @Sendable private func putGemini(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let body = try await Body(request, limit: maximumBodyBytes, fields: ["apiKey"])
        let candidate = CredentialCandidate(
            userID: try context.userID, provider: .gemini, secrets: [SecretField.apiKey: try body.secret("apiKey")])
        return try await verify(candidate, by: .setupVerifyGemini)
    }

    @Sendable private func putTicketmaster(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let body = try await Body(request, limit: maximumBodyBytes, fields: ["apiKey", "city"])
        let userID = try context.userID
        let city = try body.text("city", limit: 200)
        guard HomeCity(city, names: service.cityNames) != nil else {
            throw body.field("city", "'\(city)' is not the name of a city.")
        }
        guard body.has("apiKey") else {
            try await service.setHomeCity(city, userID: userID)
            return try await answer(.ticketmaster, userID: userID)
        }
        let candidate = CredentialCandidate(
            userID: userID, provider: .ticketmaster, secrets: [SecretField.apiKey: try body.secret("apiKey")],
            details: [SetupDetail.city: city])
        return try await verify(candidate, by: .setupVerifyTicketmaster)
    }

    @Sendable private func putAppleMusic(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let body = try await Body(
            request, limit: maximumBodyBytes, fields: ["teamId", "keyId", "privateKey", "userToken"])
        var candidate = CredentialCandidate(
            userID: try context.userID, provider: .appleMusic,
            secrets: [SecretField.userToken: try body.secret("userToken")])
        // A person's own complete developer key takes precedence over the installation's.
        if !service.hasAppleMusicKey || ["teamId", "keyId", "privateKey"].contains(where: body.has) {
            candidate.secrets[SecretField.privateKey] = try body.secret("privateKey")
            candidate.details = [
                SetupDetail.teamID: try body.text("teamId", limit: 200),
                SetupDetail.keyID: try body.text("keyId", limit: 200),
            ]
        }
        return try await verify(candidate, by: .setupVerifyAppleMusic)
    }

    private func verify(_ candidate: CredentialCandidate, by kind: VerificationKind) async throws -> Response {
        try await service.verify(candidate, by: kind)
        return try await answer(candidate.provider, userID: candidate.userID)
    }

    private func answer(_ provider: Provider, userID: String) async throws -> Response {
        .json(.ok, try await service.step(provider, userID: userID).json)
    }

    private func remove(_ provider: Provider, _ context: GatewayContext) async throws -> Response {
        try await service.remove(provider, userID: context.userID)
        return Response(status: .noContent)
    }

    /// The fields of a form, without the whitespace around their values.
    private struct Body {
        private let root: RequestField
        private let fields: RequestField.Members

        init(_ request: Request, limit: Int, fields known: [String]) async throws {
            root = try await request.json(limit: limit)
            fields = try root.object(known)
        }

        func has(_ name: String) -> Bool { fields[name] != nil }

        /// - Throws: a ``Problem`` when it is missing or blank.
        func text(_ name: String, limit: Int) throws -> String {
            guard let field = fields[name] else { throw root.refuse("the field \(name) is missing.") }
            let text = try field.string(limit: limit).trimmingCharacters(in: .whitespacesAndNewlines)
            guard !text.isEmpty else { throw field.refuse("the field is empty.") }
            return text
        }

        func secret(_ name: String) throws -> Secret {
            Secret(try text(name, limit: SetupRoutes.maximumKeyLength))
        }

        func field(_ name: String, _ reason: String) -> Problem {
            fields[name]?.refuse(reason) ?? root.refuse(reason)
        }
    }
}
