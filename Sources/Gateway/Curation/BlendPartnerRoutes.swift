import Accounts
import Curation
import HTTPTypes
import Hummingbird
import Jobs
import Model
import Storage

/// `/v1/ai/blend-partners`: the people with whom a person makes blends (docs/curation.md).
struct BlendPartnerRoutes {
    let queue: JobQueue
    let maximumBodyBytes: Int

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("ai/blend-partners", use: partners)
        group.put("ai/blend-partners/:username", use: answer)
        group.delete("ai/blend-partners/:username", use: end)
    }

    @Sendable private func partners(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let shown = try await queue.database.read { reader in
            try BlendPartnerResource.all(try reader.curation.partners(of: userID), in: reader)
        }
        return .cacheable(JSONWriter.items(shown) { $1.writeMembers(to: &$0) }, for: request)
    }

    @Sendable private func answer(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let body = try await request.json(limit: maximumBodyBytes)
        guard let field = try body.object(["answer"])["answer"] else {
            throw body.refuse("the field answer is missing: accept, decline or block.")
        }
        let text = try field.string(limit: 100)
        guard let answer = BlendAnswer(rawValue: text) else {
            throw field.refuse(
                "expected one of \(BlendAnswer.allCases.map(\.rawValue).joined(separator: ", ")), found "
                    + "'\(text.prefix(40))'.")
        }
        try await write(context) { transaction, submissions, own, partner in
            try transaction.curation.answer(answer, to: partner, by: own, now: .now())
            switch answer {
            case .accept: try CurationService.submitWaiting(of: own, and: partner, in: transaction, &submissions)
            case .decline: try Self.fail(from: partner, with: own, in: transaction)
            // The other person does not learn of it.
            case .block: break
            }
        }
        return Response(status: .noContent)
    }

    @Sendable private func end(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await write(context) { transaction, _, own, partner in
            guard let ended = try transaction.curation.end(partner, of: own, now: .now()) else {
                throw CurationRefusal.notAsked
            }
            guard ended != .blocked else { return }
            try Self.fail(from: partner, with: own, in: transaction)
            try Self.fail(from: own, with: partner, in: transaction)
        }
        return Response(status: .noContent)
    }

    /// Runs a write about the person and the partner whom the path names.
    private func write(
        _ context: GatewayContext,
        _ body:
            @escaping @Sendable (
                WriteTransaction, inout JobSubmissions, _ own: BlendSubject, _ partner: BlendSubject
            ) throws -> Void
    ) async throws {
        let userID = try context.userID
        let name = try context.text("username", of: "blend partner")
        do {
            try await queue.write { transaction, submissions in
                guard let own = try transaction.accounts.user(id: userID) else { throw CurationRefusal.notAsked }
                let partner = try CurationService.subject(named: name, in: transaction)
                guard partner.id != userID else { throw CurationRefusal.notAsked }
                try body(transaction, &submissions, BlendSubject(id: own.id, name: own.name), partner)
            }
        } catch let refusal as CurationRefusal {
            throw Problem(refusal)
        }
    }

    /// Fails the blends that one person asked for and the other did not agree to.
    private static func fail(
        from asker: BlendSubject, with partner: BlendSubject, in transaction: WriteTransaction
    ) throws {
        for list in try transaction.curation.waitingBlends(userID: asker.id, with: partner) {
            let error = CurationError(
                code: "notAgreed", message: "\(partner.name) has not agreed to blends with you.")
            try transaction.curation.fail(list.id, userID: asker.id, error, now: .now())
        }
    }

    /// Partners in the event stream.
    static let eventSource = EventSource("blendPartner") { reader, userID, after, limit in
        try BlendPartnerResource.all(
            try reader.curation.changedPartners(userID: userID, after: after, limit: limit), in: reader
        ).map { shown in
            EventSource.Change(
                number: shown.partner.change, data: JSONWriter.object { shown.writeMembers(to: &$0) })
        }
    }
}

/// A partner in the API.
private struct BlendPartnerResource: Sendable {
    let partner: BlendPartner
    let username: String

    static func all(_ partners: [BlendPartner], in reader: some SQLReader) throws -> [BlendPartnerResource] {
        let names = try reader.accounts.names(ofUsers: partners.map(\.partnerID))
        return partners.compactMap { partner in
            (partner.unknownName ?? names[partner.partnerID]).map {
                BlendPartnerResource(partner: partner, username: $0)
            }
        }
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("username", username)
        json.member("state", partner.state.rawValue)
        json.member("since", partner.since)
    }
}
