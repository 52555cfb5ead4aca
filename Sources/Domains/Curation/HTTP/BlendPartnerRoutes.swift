import Accounts
import Curation
import Gateway
import HTTPTypes
import Hummingbird
import Jobs
import Model
import Storage
import Visibility

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
        let (shown, seq) = try await queue.database.read { reader in
            let partners = try reader.curation.partners(of: userID)
            return (try BlendPartnerResource.all(partners, userID: userID, in: reader), try reader.lastChange())
        }
        return .cacheable(
            JSONWriter.items(shown.filter { $0.username != nil }) { $1.writeMembers(to: &$0) }, seq: seq, for: request)
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
        try await write(context) { transaction, submissions, own, subject in
            try transaction.curation.answer(answer, to: subject, by: own.id, named: own.name, now: .now())
            guard answer == .accept else { return }
            try CurationService.submitWaiting(of: own, and: subject, in: transaction, &submissions)
        }
        return Response(status: .noContent)
    }

    @Sendable private func end(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await write(context) { transaction, _, own, subject in
            try transaction.curation.end(subject, of: own.id, now: .now())
        }
        return Response(status: .noContent)
    }

    /// Runs a write about the person and whomever the path names.
    private func write(
        _ context: GatewayContext,
        _ body:
            @escaping @Sendable (
                WriteTransaction, inout JobSubmissions, _ own: UserRecord, _ subject: BlendSubject
            ) throws -> Void
    ) async throws {
        let (userID, name) = (try context.userID, try context.username)
        do {
            try await queue.write { transaction, submissions in
                guard let own = try transaction.accounts.user(id: userID) else { throw CurationRefusal.notAsked }
                try body(transaction, &submissions, own, try CurationService.subject(named: name, in: transaction))
            }
        } catch let refusal as CurationRefusal {
            throw Problem(refusal)
        } catch let reached as ActLimitReached {
            throw Problem(reached)
        }
    }

    /// Partners in the event stream. One who may not be seen at the moment is gone.
    static let eventSource = EventSource(.blendPartner, topics: [.curatedLists]) { reader, userID, after, limit in
        let changed = try reader.curation.changedPartners(userID: userID, after: after, limit: limit)
        return try BlendPartnerResource.all(changed, userID: userID, in: reader).map { shown in
            guard shown.username != nil else {
                return EventSource.Change(number: shown.partner.change, gone: .blendPartner, id: shown.partner.id)
            }
            return EventSource.Change(
                number: shown.partner.change, id: shown.partner.id,
                data: JSONWriter.object { shown.writeMembers(to: &$0) })
        }
    }
}

/// A partner in the API.
private struct BlendPartnerResource: Sendable {
    let partner: BlendPartner
    /// `nil` for somebody who is not shown.
    let username: String?

    static func all(
        _ partners: [BlendPartner], userID: String, in reader: some SQLReader
    ) throws -> [BlendPartnerResource] {
        var names: [String: String] = [:]
        for (facet, some) in Dictionary(grouping: partners, by: \.facet) {
            let found = try reader.usernames(of: some.compactMap(\.personID), showing: facet, to: userID)
            names.merge(found) { first, _ in first }
        }
        return partners.map { partner in
            BlendPartnerResource(partner: partner, username: partner.personID.flatMap { names[$0] } ?? partner.name)
        }
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", partner.id)
        json.member("username", username)
        json.member("state", partner.state.rawValue)
        json.member("since", partner.since)
    }
}
