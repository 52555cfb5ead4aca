import Contracts
import Gateway
import Hummingbird
import Jobs
import LibraryImports
import Model
import Storage

/// `/v1/library/imports`: files that people import (docs/imports.md).
struct ImportRoutes {
    /// The imports that a list shows, and the most characters of a name.
    private static let listed = 50
    private static let longestName = 255

    let queue: JobQueue
    let uploads: ImportUploads

    func add(to group: RouterGroup<GatewayContext>) {
        group.post("library/imports", use: begin)
        group.get("library/imports", use: list)
        group.get("library/imports/:id", use: show)
        group.delete("library/imports/:id", use: undo)
    }

    @Sendable private func begin(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        try request.checkContentEncoding()
        let filename = try Self.filename(of: request)
        let takesPrivate = try request.flag("private")
        let (isRunning, own) = try await queue.database.read {
            (try $0.imports.isRunning(userID: userID), try $0.imports.files(userID: userID))
        }
        guard !isRunning else { throw Problem.importRunning }
        let length = request.headers[.contentLength].flatMap { Int(decimal: $0, in: 0...(.max)) }
        let start: @Sendable (String, Int) async throws -> LibraryImport = { file, bytes in
            try await submit(filename, file: file, bytes: bytes, takesPrivate: takesPrivate, userID: userID)
        }
        let made =
            if let boundary = try multipartBoundary(of: request.headers[.contentType]) {
                try await uploads.receive(
                    MultipartFile(base: request.body, boundary: boundary),
                    length: length.map { $0 - MultipartLimits.beside }, from: userID, own: own,
                    logger: context.logger, begin: start)
            } else {
                try await uploads.receive(
                    request.body, length: length, from: userID, own: own, logger: context.logger, begin: start)
            }
        return .json(.accepted, made.json(), headers: [.location: "\(FileUpload.path)/\(made.id.text)"])
    }

    /// The name of the file, as it is shown: on one line and without hidden characters.
    private static func filename(of request: Request) throws -> String {
        guard let text = request.parameter("filename"), text.unicodeScalars.count <= longestName,
            case let name = SongText.label(text), !name.isEmpty
        else {
            throw Problem.invalidRequest(
                code: .invalidParameter,
                "filename: expected the file's name, with at most \(longestName) characters, some of them visible.",
                field: "filename")
        }
        return name
    }

    private func submit(
        _ filename: String, file: String, bytes: Int, takesPrivate: Bool, userID: String
    ) async throws -> LibraryImport {
        do {
            return try await queue.write { transaction, submissions in
                let made = try transaction.imports.begin(
                    filename: filename, file: file, bytes: bytes, userID: userID, now: .now())
                let payload = LibraryImportPayload(
                    importID: made.id.text, takesPrivate: takesPrivate ? true : nil)
                let job = try NewJob(.libraryImport, payload)
                _ = try submissions.submit(job, userID: userID, in: transaction)
                return made
            }
        } catch let refusal as LibraryImportRefusal {
            throw Problem(refusal)
        }
    }

    @Sendable private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let (imports, seq) = try await queue.database.read { reader in
            let imports = try reader.imports.all(userID: userID, limit: Self.listed).map { one in
                (one, try reader.imports.skips(of: one.id, userID: userID))
            }
            return (imports, try reader.lastChange())
        }
        let body = JSONWriter.object { json in
            json.member("items") { json in
                json.array(imports) { json, one in json.object { one.0.writeMembers(to: &$0, skipped: one.1) } }
            }
        }
        return .cacheable(body, seq: seq, for: request)
    }

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let id = try context.libraryID(of: "import")
        let found = try await queue.database.read { reader in
            (try reader.imports.one(id, userID: userID), try reader.imports.skips(of: id, userID: userID))
        }
        guard let one = found.0 else { throw Problem.notFound("import") }
        return .cacheable(one.json(skipped: found.1), for: request)
    }

    @Sendable private func undo(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let id = try context.libraryID(of: "import")
        do {
            let isUnderWay = try await queue.write { transaction, submissions in
                let before = try transaction.imports.one(id, userID: userID)?.state
                guard try transaction.imports.undo(id, userID: userID) else { return false }
                guard before != .undoing else { return true }
                let job = try NewJob(
                    .libraryUndoImport, LibraryImportPayload(importID: id.text), priority: JobPriority.interactive)
                _ = try submissions.submit(job, userID: userID, in: transaction)
                return true
            }
            return Response(status: isUnderWay ? .accepted : .noContent)
        } catch let refusal as LibraryImportRefusal {
            throw Problem(refusal)
        }
    }

    /// Imports in the event stream.
    static let eventSource = EventSource(.libraryImport, topics: [.libraryImports]) { reader, userID, after, limit in
        try reader.imports.changed(userID: userID, after: after, limit: limit).map { one in
            EventSource.Change(
                number: one.change, id: one.id.text,
                data: one.json(skipped: try reader.imports.skips(of: one.id, userID: userID)))
        }
    }
}

extension LibraryImport {
    /// An import in the API.
    fileprivate func json(skipped: [Skip] = []) -> [UInt8] {
        JSONWriter.object { writeMembers(to: &$0, skipped: skipped) }
    }

    fileprivate func writeMembers(to json: inout JSONWriter, skipped: [Skip]) {
        json.member("id", id.text)
        json.member("filename", filename)
        json.member("kind", kind)
        // While an import is being removed, people see it as it was.
        json.member("state", state.rawValue)
        json.member("counts") { json in
            json.object { json in
                json.member("read", counts.read)
                json.member("new", counts.new)
                json.member("joined", counts.joined)
                json.member("skipped", counts.skipped)
            }
        }
        json.member("skipped") { json in
            json.array(skipped) { json, skip in
                json.object { json in
                    json.member("line", skip.line)
                    json.member("reason", skip.reason)
                }
            }
        }
        json.member("error", error)
        json.member("message", message)
        json.member("createdAt", createdAt)
        json.member("finishedAt", finishedAt)
    }
}

extension Problem {
    fileprivate init(_ refusal: LibraryImportRefusal) {
        self =
            switch refusal {
            case .noImport: .notFound("import")
            case .isRunning: .importRunning
            case .tooOld:
                .conflict(
                    code: .importTooOld,
                    "The import ended too long ago to be undone (library.historyDays): what it added is no longer "
                        + "recorded. Remove songs at their service, or remove a source of listens under Listening.")
            case .notEnded:
                .conflict(
                    code: .importRunning, "The import has not ended. Wait until it has, then remove what it added.")
            }
    }
}
