import Gateway
import HTTPTypes
import Hummingbird
import Model
import Shares
import Storage
import Visibility

/// `/v1/shares/{id}/links`: the links with which a person shows one of their shares to people without an account.
struct ShareLinkRoutes {
    let database: Database
    let address: SiteAddress
    let maximumBodyBytes: Int

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("shares/:id/links", use: list)
        group.post("shares/:id/links", use: make)
        group.delete("shares/:id/links/:linkId", use: revoke)
    }

    @Sendable private func make(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (id, userID) = (try context.shareID, try context.userID)
        let body = try await request.json(limit: maximumBodyBytes)
        let fields = try body.object(["expiresInDays", "showsName"])
        let days = try fields["expiresInDays"]?.integer(in: ShareLink.days) ?? ShareLink.standardDays
        let showsName = try fields["showsName"]?.bool() ?? false
        do {
            let (link, token) = try await database.write {
                try $0.shares.addLink(to: id, by: userID, days: days, showsName: showsName, now: .now())
            }
            return .json(
                .created,
                JSONWriter.object { json in
                    Self.write(link, to: &json)
                    json.member("url", (address.url ?? "") + PublicShareRoutes.prefix + token.secret.reveal())
                })
        } catch let refusal as ShareRefusal {
            throw Problem(refusal)
        } catch let reached as ActLimitReached {
            throw Problem(reached)
        }
    }

    @Sendable private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (id, userID) = (try context.shareID, try context.userID)
        guard let links = try await database.read({ try $0.shares.links(of: id, userID: userID, now: .now()) }) else {
            throw Problem.unknownShare
        }
        return .json(.ok, JSONWriter.items(links) { Self.write($1, to: &$0) })
    }

    private static func write(_ link: ShareLink, to json: inout JSONWriter) {
        json.member("id", link.id)
        json.member("showsName", link.showsName)
        json.member("createdAt", link.createdAt)
        json.member("expiresAt", link.expiresAt)
    }

    @Sendable private func revoke(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (id, userID) = (try context.shareID, try context.userID)
        let link = try context.parameters.require("linkId")
        guard UUIDv7.isWellFormed(link) else { throw Problem(ShareRefusal.unknownLink) }
        do {
            try await database.write { try $0.shares.revokeLink(link, to: id, by: userID) }
        } catch let refusal as ShareRefusal {
            throw Problem(refusal)
        }
        return Response(status: .noContent)
    }
}
