import Accounts
import Foundation
import Gateway
import HTTPTypes
import Hummingbird
import Logging
import Model
import People
import Storage
import Vault
import Visibility

/// Suspends a person: makes them invisible and signs them out.
package typealias SuspendPerson = @Sendable (_ userID: String, _ transaction: WriteTransaction) throws -> Void

/// `/v1/users/{username}/report` and `/v1/admin/reports`: what people report to administrators, and what these decide.
struct ReportRoutes {
    let database: Database
    let credentials: CredentialCache
    let writer: ReportWriter
    let suspend: SuspendPerson
    let maximumBodyBytes: Int

    func add(to group: RouterGroup<GatewayContext>) {
        group.post("users/:username/report", use: report)
        let admin = group.group("admin").add(middleware: AdminMiddleware())
        admin.get("reports", use: list)
        admin.post("reports/:id/decision", use: decide)
    }

    @Sendable private func report(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let body = try await request.json(limit: maximumBodyBytes)
        guard let field = try body.object(["text"])["text"] else {
            throw body.refuse("the field text is missing: say what is wrong.")
        }
        let text = WrittenText.cleaned(try field.string(limit: PersonReport.maximumLength))
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { throw field.refuse("the text is empty: say what is wrong.") }
        do {
            try await context.act(in: database) { [writer] transaction, userID, subjectID in
                try writer.report(subjectID, by: userID, text: text, in: transaction)
            }
        } catch let error as TextKeyError {
            context.logger.error("a report could not be encrypted", metadata: ["error": "\(error)"])
            throw Problem.textsUnavailable
        }
        return Response(status: .accepted)
    }

    @Sendable private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let limit = try request.pageLimit(standard: 50, maximum: 100)
        let cursor = try request.cursor(of: reportList)
        let isOpen: Bool
        switch request.parameter("state") {
        case nil, "open": isOpen = true
        case "decided": isOpen = false
        case let text?:
            throw Problem.invalidRequest(
                code: .invalidParameter, "state: expected open or decided, found '\(text.prefix(40))'.", field: "state")
        }
        let (found, names) = try await database.read { reader -> ([PersonReport], [String: String]) in
            guard let viewer = try reader.visibility.viewer(userID: userID) else { return ([], [:]) }
            let found = try reader.people.reports(isOpen: isOpen, for: viewer, after: cursor, limit: limit + 1)
            let people = found.flatMap { [$0.reporterID, $0.subjectID].compactMap(\.self) }
            return (found, try reader.accounts.names(ofUsers: people))
        }
        let page = found.prefix(limit)
        let body = JSONWriter.object { json in
            json.member("items") { json in
                json.array(page) { json, report in
                    json.object { write(report, names, logger: context.logger, to: &$0) }
                }
            }
            let last = found.count > limit ? page.last : nil
            json.member("nextCursor", last.map { reportList.text(of: RowID($0.id)) })
        }
        return .json(.ok, body)
    }

    private func write(
        _ report: PersonReport, _ names: [String: String], logger: Logger, to json: inout JSONWriter
    ) {
        json.member("id", report.id)
        json.member("createdAt", report.createdAt)
        json.member("reporter", report.reporterID.flatMap { names[$0] })
        json.member("subject", report.subjectID.flatMap { names[$0] })
        json.member("decision", report.decision?.rawValue)
        json.member("decidedAt", report.decidedAt)
        let content = open(report, logger: logger)
        json.member("isReadable", report.content == nil || content != nil)
        json.member("text", content?.text)
        json.member("profile") { json in
            guard let content else { return json.raw("null") }
            json.object { json in
                json.member("username", content.username)
                json.member("displayName", content.displayName)
                json.member("bio", content.bio)
                json.member("picture", content.picture)
            }
        }
        json.member("messages") { json in
            json.array(content?.messages ?? []) { json, message in
                json.object { json in
                    json.member("at", message.at)
                    json.member("text", message.text)
                    json.member("songTitle", message.songTitle)
                    json.member("songArtists") { json in json.array(message.songArtists) { $0.value($1) } }
                }
            }
        }
    }

    /// - Returns: `nil` after the decision, and for a report whose key is missing.
    private func open(_ report: PersonReport, logger: Logger) -> ReportContent? {
        guard let sealed = report.content else { return nil }
        do {
            return try writer.content(of: sealed, report: report.id)
        } catch {
            logger.error("a report could not be decrypted", metadata: ["report": "\(report.id)", "error": "\(error)"])
            return nil
        }
    }

    @Sendable private func decide(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let id = try context.parameters.require("id")
        let body = try await request.json(limit: maximumBodyBytes)
        guard let field = try body.object(["decision"])["decision"] else {
            throw body.refuse("the field decision is missing: nothing or suspend.")
        }
        let decision = try field.value("expected nothing or suspend") { PersonReport.Decision(rawValue: $0) }
        guard UUIDv7.isWellFormed(id) else { throw Problem(PeopleRefusal.unknownReport) }
        do {
            let suspended = try await database.write { [suspend] transaction -> String? in
                let subject = try transaction.people.decide(decision, aboutReport: id, by: userID, now: .now())
                guard let subject, decision == .suspend else { return nil }
                try suspend(subject, transaction)
                return subject
            }
            if let suspended { credentials.forget(userID: suspended) }
        } catch let refusal as PeopleRefusal {
            throw Problem(refusal)
        }
        context.logger.notice(
            "an administrator decided on a report",
            metadata: ["report": "\(id)", "decision": "\(decision.rawValue)"])
        return Response(status: .noContent)
    }
}
