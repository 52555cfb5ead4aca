import Contracts
import Gateway
import Hummingbird
import Jobs
import Library
import LibraryEdits
import Model
import Storage

/// `/v1/library`: playlists that are copied to another service (docs/copies.md).
struct LibraryCopyRoutes {
    let queue: JobQueue
    let edits: LibraryEditService
    let maximumBodyBytes: Int

    /// The most copies that one upkeep run submits.
    private static let submissionBatch = 100
    /// The most copies that upkeep reads at once.
    private static let pruneBatch = 100
    private static let mostChoices = 1_000

    func add(to group: RouterGroup<GatewayContext>) {
        group.post("library/playlists/:id/copies", use: begin)
        group.get("library/copies/:id", use: copy)
        group.post("library/copies/:id/choices", use: choose)
        group.post("library/copies/:id/answer", use: answer)
    }

    @Sendable private func begin(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let id = try context.libraryID(of: "playlist")
        let fields = try await request.json(limit: maximumBodyBytes).object(["to", "again"])
        guard let to = fields["to"] else {
            throw Problem.invalidRequest(
                code: .invalidField, "to: name the service to copy to, such as spotify.", field: "to")
        }
        let (target, again) = (try to.musicSource(), try fields["again"]?.bool() ?? false)
        return try await accepted(userID) { [edits] transaction, submissions in
            try edits.checkConnection(to: target, userID: userID, in: transaction)
            let (copy, isNew) = try transaction.copies.begin(
                id, to: target, again: again, userID: userID, now: .now())
            if isNew { try Self.submit(copy, isSubmission: true, in: transaction, &submissions) }
            return copy
        }
    }

    @Sendable private func choose(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let id = try context.libraryID(of: "copy")
        let body = try await request.json(limit: maximumBodyBytes)
        guard let field = try body.object(["choices"])["choices"] else {
            throw body.refuse("the field choices is missing: what to do with entries that were not found.")
        }
        let choices = try field.array(limit: Self.mostChoices, of: "choices").map { try CopyChoice($0) }
        guard !choices.isEmpty else { throw field.refuse("make a choice for at least one entry.") }
        return try await accepted(userID) { transaction, submissions in
            let copy = try transaction.copies.choose(choices, of: id, userID: userID)
            if copy.state == .queued { try Self.submit(copy, isSubmission: true, in: transaction, &submissions) }
            return copy
        }
    }

    @Sendable private func answer(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let id = try context.libraryID(of: "copy")
        let body = try await request.json(limit: maximumBodyBytes)
        guard let field = try body.object(["done"])["done"] else { throw body.refuse("the field done is missing.") }
        let isThere = try field.bool()
        return try await accepted(userID) { transaction, _ in
            try transaction.copies.answer(id, isThere: isThere, userID: userID, now: .now())
        }
    }

    private func accepted(
        _ userID: String,
        _ write: @escaping @Sendable (WriteTransaction, inout JobSubmissions) throws -> LibraryCopy
    ) async throws -> Response {
        do {
            let copy = try await queue.write { transaction, submissions in
                try CopyResource(try write(transaction, &submissions), entries: nil, in: transaction)
            }
            return .json(.accepted, copy.json, headers: [.location: "/v1/library/copies/\(copy.copy.id.text)"])
        } catch let refusal as EditRefusal {
            throw Problem(refusal)
        } catch let refusal as CopyRefusal {
            throw Problem(refusal)
        }
    }

    @Sendable private func copy(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let id = try context.libraryID(of: "copy")
        let copy = try await queue.database.read { reader in
            try reader.copies.copy(id, userID: userID).map { copy in
                try CopyResource(
                    copy, entries: try reader.copies.entries(of: copy, in: [.missing], limit: .max), in: reader)
            }
        }
        guard let copy else { throw Problem.notFound("copy") }
        return .cacheable(copy.json, for: request)
    }

    private static func submit(
        _ copy: LibraryCopy, isSubmission: Bool, in transaction: WriteTransaction, _ submissions: inout JobSubmissions
    ) throws {
        var job = try NewJob(
            .libraryCopy, LibraryCopyPayload(copy: copy.id.text), priority: JobPriority.interactive)
        job.isSubmission = isSubmission
        let id = try submissions.submit(job, userID: copy.userID, in: transaction)
        try transaction.copies.set(job: id, of: copy)
    }

    /// Continues copies whose edits have ended.
    func submitWritten() async throws {
        guard try await !queue.database.read({ try $0.copies.copies(toSubmit: 1) }).isEmpty else { return }
        try await queue.write { transaction, submissions in
            for copy in try transaction.copies.copies(toSubmit: Self.submissionBatch) {
                try Self.submit(copy, isSubmission: false, in: transaction, &submissions)
            }
        }
    }

    /// Deletes old copies that are finished, in steps that each hold the write lock for at most 20 ms.
    func prune(finishedBefore cutoff: PruningTime) async throws {
        var (isolatedWork, last) = (IsolatedWork(), UnprunedCopy?.none)
        while true {
            let place = last
            let copies = try await queue.database.read {
                try $0.copies.unpruned(finishedBefore: cutoff, after: place, limit: Self.pruneBatch)
            }
            for copy in copies {
                try await isolatedWork.attempt {
                    try await queue.database.deleteInSteps { try $0.copies.prune(copy, limit: $1) }
                }
            }
            guard let end = copies.last else { return try isolatedWork.finish() }
            last = end
        }
    }

    /// Copies in the event stream, without the entries that were not found.
    static let eventSource = EventSource(.libraryCopy, topics: [.library]) { reader, userID, after, limit in
        try reader.copies.changed(userID: userID, after: after, limit: limit).map {
            EventSource.Change(
                number: $0.change, id: $0.id.text, data: try CopyResource($0, entries: nil, in: reader).json)
        }
    }
}

/// A copy in the API.
private struct CopyResource {
    let copy: LibraryCopy
    let counts: CopyCounts
    let question: LibraryEdit?
    /// The entries that were not found; `nil` where they are not shown.
    let entries: [CopyEntry]?

    init(_ copy: LibraryCopy, entries: [CopyEntry]?, in reader: some SQLReader) throws {
        (self.copy, self.entries) = (copy, entries)
        counts = try reader.copies.counts(of: copy)
        question = try reader.copies.question(of: copy)
    }

    private var state: String {
        switch copy.state {
        case .queued: "queued"
        case .running: "running"
        case .writing: question == nil ? "running" : "unclear"
        case .unclear: "unclear"
        case .complete: "complete"
        case .failed: "failed"
        }
    }

    var json: [UInt8] {
        JSONWriter.object { json in
            json.member("id", copy.id.text)
            json.member("playlistId", copy.playlist.text)
            json.member("to", copy.target.rawValue)
            json.member("name", copy.name)
            json.member("state", state)
            json.member("total", copy.total)
            json.member("matched", counts.matched)
            json.member("placed", counts.placed)
            json.member("missing", counts.missing)
            json.member("leftOut", counts.leftOut)
            json.member("playlist", copy.made?.text)
            json.member("editId", question?.id.text)
            json.member("question", question?.question ?? copy.question)
            json.member("notice", copy.state == .complete ? copy.error?.message : nil)
            if let entries {
                json.member("notFound") { json in
                    json.array(entries) { json, entry in json.object { entry.writeMembers(to: &$0) } }
                }
            }
            json.member("error") { json in
                guard copy.state == .failed, let error = copy.error else { return json.raw("null") }
                json.object {
                    $0.member("code", error.code)
                    $0.member("message", error.message)
                }
            }
            json.member("createdAt", copy.createdAt)
            json.member("finishedAt", copy.finishedAt)
        }
    }
}

extension CopyEntry {
    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.member("position", position)
        json.member("title", title)
        json.member("artist", artist)
        json.member("tried") { json in
            json.array(tried) { $0.value($1) }
        }
        json.member("nearest") { json in
            json.array(nearest) { json, song in
                json.object {
                    $0.member("title", song.title)
                    $0.member("artist", song.artist)
                    $0.member("uri", song.uri)
                }
            }
        }
    }
}

extension CopyChoice {
    /// `{position, uri}`, or `{position, abandon: true}`.
    fileprivate init(_ field: RequestField) throws {
        let fields = try field.object(["position", "uri", "leaveOut"])
        guard let position = fields["position"] else { throw field.refuse("the field position is missing.") }
        let isLeftOut = try fields["leaveOut"]?.bool() ?? false
        guard (fields["uri"] != nil) != isLeftOut else {
            throw field.refuse("send either uri, the song to use, or leaveOut: true.")
        }
        self.init(
            position: try position.integer(in: 0...1_000_000),
            reference: try fields["uri"]?.value(SongReference.expectation, SongReference.init))
    }
}

extension Problem {
    fileprivate init(_ refusal: CopyRefusal) {
        self =
            switch refusal {
            case .noCopy: .notFound("copy")
            case .sameSource: .invalidRequest(code: .invalidField, "\(refusal)", field: "to")
            case .notComplete: .conflict(code: .copyNotComplete, "\(refusal)")
            case .notUnclear: .conflict(code: .notUnclear, "\(refusal)")
            case .noSuchEntry, .otherSource, .noSuchSong:
                .invalidRequest(code: .invalidField, "\(refusal)", field: "choices")
            }
    }
}
