import Contracts
import Gateway
import HTTPTypes
import Hummingbird
import Jobs
import Library
import LibrarySync
import Model
import Storage

/// `/v1/library/syncs`: requesting syncs, and the result of the last one.
struct LibrarySyncRoutes {
    let queue: JobQueue
    let maximumBodyBytes: Int

    func add(to group: RouterGroup<GatewayContext>) {
        group.post("library/syncs", use: begin)
        group.get("library/syncs/latest", use: latest)
        group.post("library/errors/dismiss", use: dismissErrors)
        group.post("library/sources/:source/account", use: answerAccount)
    }

    @Sendable private func begin(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let bytes = try await request.bodyBytes(limit: maximumBodyBytes)
        let sync = try LibrarySyncRequest(
            RequestField.body(bytes.isEmpty ? Array("{}".utf8) : bytes), userID: userID)
        let (id, state) = try await queue.write { transaction, submissions in
            try Self.begin(sync, in: transaction, &submissions)
        }
        return Self.accepted(id: id, state: state)
    }

    /// Joins the sync that covers the request, or queues a new one.
    ///
    /// - Returns: the sync's id and state.
    private static func begin(
        _ sync: LibrarySyncRequest, in transaction: WriteTransaction, _ submissions: inout JobSubmissions
    ) throws -> (id: String, state: String) {
        switch try transaction.syncs.decide(sync) {
        case .joins(let id, let state): return (id, state)
        case .submits(let new):
            let job = try NewJob(.librarySync, new.payload)
            let id = try submissions.submit(job, userID: sync.userID, in: transaction)
            try transaction.syncs.insert(sync: id, for: sync, now: .now())
            return (id, "queued")
        }
    }

    /// Answers the question of whose library a source has shown since its last credential, and reads the source again.
    @Sendable private func answerAccount(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let source = try context.musicSource
        let body = try await request.json(limit: maximumBodyBytes)
        guard let field = try body.object(["same"])["same"] else { throw body.refuse("the field same is missing.") }
        let isSame = try field.bool()
        let accepted = try await queue.write { transaction, submissions -> (id: String, state: String)? in
            let wasAsked = try transaction.library.answerAccount(
                of: source, isSame: isSame, userID: userID, now: .now())
            guard wasAsked else { return nil }
            return try Self.begin(
                LibrarySyncRequest(userID: userID, source: source, isRestart: true), in: transaction, &submissions)
        }
        guard let (id, state) = accepted else {
            throw Problem.conflict(
                code: .accountKnown,
                "\(source.displayName) has no open question about its account: it was answered, or the service was "
                    + "disconnected. Nothing has changed.")
        }
        return Self.accepted(id: id, state: state)
    }

    private static func accepted(id: String, state: String) -> Response {
        let body = JSONWriter.object { json in
            json.member("id", id)
            json.member("state", state)
        }
        return .json(.accepted, body, headers: [.location: "/v1/library/syncs/latest"])
    }

    @Sendable private func latest(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        // Having none yet is not an error. The pages have to ask, and browsers report every refused request.
        guard let sync = try await queue.database.read({ try $0.syncs.latest(userID: userID) }) else {
            return Response(status: .noContent)
        }
        return .cacheable(sync.json, for: request)
    }

    @Sendable private func dismissErrors(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let count = try await queue.database.write { try $0.syncs.dismissErrors(userID: userID, now: .now()) }
        return .json(.ok, JSONWriter.object { $0.member("dismissed", count) })
    }

    /// Syncs in the event stream, each as `latest` shows it.
    static let eventSource = EventSource(.librarySync, topics: [.library]) { reader, userID, after, limit in
        try reader.syncs.changed(userID: userID, after: after, limit: limit).map {
            EventSource.Change(number: $0.change, id: $0.id, data: $0.json)
        }
    }
}

extension LibrarySyncView {
    /// A sync in the API.
    var json: [UInt8] {
        JSONWriter.object { json in
            json.member("id", id)
            json.member("state", state)
            json.member("sources") { json in
                json.array(sources) { json, source in json.object { source.writeMembers(to: &$0) } }
            }
            json.member("merged", merged)
            json.member("askedAt", askedAt)
            json.member("finishedAt", finishedAt)
        }
    }
}

extension LibrarySyncView.SourceView {
    func writeMembers(to json: inout JSONWriter) {
        json.member("source", source.rawValue)
        json.member("state", state)
        json.member("phase", phase)
        json.member("found", found)
        json.member("new", new)
        json.member("changed", changed)
        json.member("total", total)
        json.member("asksForAccount", asksForAccount)
        json.member("error") { json in
            guard let error = shownError else { return json.raw("null") }
            json.object {
                $0.member("code", error.code)
                $0.member("message", error.message)
            }
        }
    }
}
