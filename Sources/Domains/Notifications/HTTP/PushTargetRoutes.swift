import Accounts
import Gateway
import HTTPTypes
import Hummingbird
import Model
import Notifications
import NotificationSources
import Push
import Storage
import Vault
import Visibility

/// `/v1/me/push-targets`: where a person's notifications are pushed to.
struct PushTargetRoutes {
    let parts: NotificationParts
    let sealer: CurrentPublicKey
    let settings: PushSettings
    /// Recognizes a topic by 64 hexadecimal digits, with a key that the database does not have.
    let topicHash: @Sendable (_ topic: Secret) -> String
    /// What push services know this installation by; `nil` where nothing can be sent by Web Push.
    let contact: VAPIDContact?
    let maximumBodyBytes: Int

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("notifications/web-push", use: key)
        group.get("me/push-targets", use: list)
        group.get("me/push-targets/:id", use: show)
        group.put("me/push-targets/:id", use: put)
        group.delete("me/push-targets/:id", use: remove)
    }

    @Sendable private func key(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let key = try await parts.database.read { try $0.notifications.webPushKey() }
        let body = JSONWriter.object { json in
            json.member("state", WebPushState(key: key, contact: contact).rawValue)
            json.member("publicKey", key)
        }
        return .json(.ok, body)
    }

    @Sendable private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let targets = try await parts.database.read { reader in
            try reader.visibility.viewer(userID: userID).map { try reader.notifications.targets(of: $0.key) } ?? []
        }
        let body = JSONWriter.items(targets) { $1.writeMembers(to: &$0, credential: context.pushCredential) }
        return .cacheable(body, for: request)
    }

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (userID, id) = (try context.userID, try context.targetID)
        let target = try await parts.database.read { reader in
            try reader.visibility.viewer(userID: userID).flatMap { try reader.notifications.target(id, of: $0.key) }
        }
        guard let target else { throw Problem(.unknownTarget) }
        return .json(.ok, target.json(credential: context.pushCredential))
    }

    @Sendable private func put(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id = try context.targetID
        let target = try self.target(from: try await request.json(limit: maximumBodyBytes))
        guard let credential = context.pushCredential else { throw Problem.unauthorized }
        let sealer = sealer
        let (stored, isNew): (PushTarget, Bool)
        do {
            (stored, isNew) = try await parts.act(context) { transaction, userID in
                try transaction.notifications.putTarget(
                    target, id: id, of: userID, credential: credential, by: sealer, now: .now())
            }
        } catch let error as VaultError {
            throw Problem.vaultUnavailable(VaultTrouble(error))
        }
        return .json(isNew ? .created : .ok, stored.json(credential: credential))
    }

    @Sendable private func remove(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id = try context.targetID
        try await parts.act(context) { try $0.notifications.removeTarget(id, of: $1) }
        return Response(status: .noContent)
    }

    private func target(from body: RequestField) throws -> NewPushTarget {
        let fields = try body.object(["webPush", "ntfy"])
        switch (fields["webPush"], fields["ntfy"]) {
        case (let field?, nil): return try webPush(field)
        case (nil, let field?): return try ntfy(field)
        default:
            throw body.refuse(
                "expected either webPush, a browser's subscription, or ntfy, the topic of an ntfy server.")
        }
    }

    private func webPush(_ field: RequestField) throws -> NewPushTarget {
        // A browser's own object: later versions may have more members.
        guard case .object(let members) = field.node.value else {
            throw field.refuse("expected the object that PushSubscription.toJSON() returns.")
        }
        let fields = try field.object(members.map(\.name))
        let keys = try fields["keys"].map { keys in
            guard case .object(let members) = keys.node.value else { throw keys.refuse("expected an object.") }
            return try keys.object(members.map(\.name))
        }
        guard let endpoint = fields["endpoint"], let p256dh = keys?["p256dh"], let auth = keys?["auth"] else {
            throw field.refuse(
                "the fields endpoint, keys.p256dh and keys.auth are missing: send what PushSubscription.toJSON() "
                    + "returns.")
        }
        do {
            let subscription = try WebPushSubscription(
                endpoint: try endpoint.string(limit: WebPushSubscription.longestEndpoint),
                p256dh: try p256dh.string(limit: 200), auth: try auth.string(limit: 200),
                simulatedOrigin: settings.simulatedService)
            return NewPushTarget(
                channel: .webPush, host: subscription.host, fingerprint: subscription.fingerprint,
                secret: subscription.secret)
        } catch let error as WebPushSubscriptionError {
            throw field.refuse("\(error)")
        }
    }

    private func ntfy(_ field: RequestField) throws -> NewPushTarget {
        let fields = try field.object(["server", "topic", "token"])
        guard let server = fields["server"], let topic = fields["topic"] else {
            throw field.refuse("the fields server and topic are missing.")
        }
        do {
            let target = try NtfyTarget(
                server: try server.string(limit: NtfyTarget.longestServer), topic: try topic.string(limit: 64),
                token: try fields["token"]?.string(limit: NtfyTarget.longestToken), exceptions: settings.ntfyNetworks)
            return NewPushTarget(
                channel: .ntfy, host: target.host, fingerprint: target.fingerprint(topicHash), secret: target.secret)
        } catch let error as NtfyTargetError {
            throw field.refuse("\(error)")
        }
    }
}

/// Whether pushes are sent to browsers.
enum WebPushState: String {
    case ready, noKey, noContact

    init(key: String?, contact: VAPIDContact?) {
        self = contact == nil ? .noContact : key == nil ? .noKey : .ready
    }
}

extension GatewayContext {
    /// The session or token of a request.
    fileprivate var pushCredential: PushCredential? {
        token.map { .token(hash: $0.hash) } ?? session.map { .session(hash: $0.hash) }
    }

    /// The id of a target in the path.
    fileprivate var targetID: String {
        get throws {
            let id = try text("id", of: "push target").lowercased()
            guard UUIDv7.isWellFormed(id) else { throw Problem(NotificationRefusal.unknownTarget) }
            return id
        }
    }
}

extension PushTarget {
    fileprivate func json(credential: PushCredential?) -> [UInt8] {
        JSONWriter.object { writeMembers(to: &$0, credential: credential) }
    }

    fileprivate func writeMembers(to json: inout JSONWriter, credential: PushCredential?) {
        json.member("id", id)
        json.member("channel", channel.rawValue)
        json.member("host", host)
        json.member("fingerprint", fingerprint)
        json.member("state", refusedAt == nil ? "active" : "refused")
        json.member("createdAt", createdAt)
        json.member("confirmedAt", confirmedAt)
        json.member("sentAt", sentAt)
        json.member("isThisSession", credential != nil && credential == self.credential)
    }
}
