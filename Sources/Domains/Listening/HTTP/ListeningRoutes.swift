import Gateway
import Hummingbird
import Listening
import Model
import Storage

/// `/v1/listening`: a person's listens and their sources.
struct ListeningRoutes {
    let database: Database
    let playing: PlayingNow

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("listening/listens", use: listens)
        group.delete("listening/listens/:id", use: remove)
        group.get("listening/recent", use: recent)
        group.get("listening/sources", use: sources)
        group.delete("listening/sources/:source", use: removeSource)
    }

    @Sendable private func listens(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let (from, end) = (try request.moment("from"), try request.moment("to"))
        let cursor = try request.cursor(of: listenList)
        let limit = try request.pageLimit(standard: 50, maximum: 200)
        if let from, let end, end <= from {
            throw Problem.invalidRequest(
                code: .invalidParameter, "to: expected a time after 'from'; listens before 'to' are shown.",
                field: "to")
        }
        let page = try await database.read {
            try $0.listening.listens(userID: userID, from: from, to: end, after: cursor, limit: limit)
        }
        let body = JSONWriter.object { json in
            Self.write(page.items, to: &json)
            json.member("total", page.total)
            json.member("nextCursor", page.nextCursor)
        }
        return .cacheable(body, for: request)
    }

    @Sendable private func recent(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let limit = try request.pageLimit(standard: 20, maximum: 100)
        let page = try await database.read { try $0.listening.listens(userID: userID, limit: limit) }
        let current = playing.song(userID: userID)
        let body = JSONWriter.object { json in
            json.member("playingNow") { json in
                guard let current else { return json.raw("null") }
                json.object { json in
                    json.member("title", current.song.title)
                    json.member("artist", current.song.artist)
                    json.member("album", current.song.album)
                    json.member("client", current.client)
                }
            }
            Self.write(page.items, to: &json)
            json.member("total", page.total)
        }
        return .cacheable(body, for: request)
    }

    private static func write(_ listens: [Listen], to json: inout JSONWriter) {
        json.member("items") { json in
            json.array(listens) { json, listen in json.object { listen.writeMembers(to: &$0) } }
        }
    }

    @Sendable private func remove(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let id = try context.libraryID(of: "listen")
        guard try await database.write({ try $0.listening.deleteListen(id, userID: userID, now: .now()) }) else {
            throw Problem.notFound("listen")
        }
        return Response(status: .noContent)
    }

    // MARK: Sources

    @Sendable private func sources(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let (sources, gaps) = try await database.read { reader in
            (try reader.listening.lastContacts(userID: userID), try reader.listening.gaps(userID: userID))
        }
        let body = JSONWriter.items(sources) { json, source in
            json.member("source", source.source.rawValue)
            json.member("lastContactAt", source.lastContact)
            json.member("gaps") { json in
                json.array(gaps.filter { $0.source == source.source }) { json, gap in
                    json.object { json in
                        json.member("from", gap.from)
                        json.member("to", gap.to)
                    }
                }
            }
        }
        return .cacheable(body, for: request)
    }

    /// Answers at once; the listens are removed within the next seconds (``ListenRemovals``).
    @Sendable private func removeSource(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        guard let source = ListenSource(rawValue: try context.parameters.require("source")),
            try await database.write({ try $0.listening.beginRemoval(of: source, userID: userID, now: .now()) })
        else { throw Problem.notFound("source of listens") }
        return .json(.accepted, JSONWriter.object { $0.member("source", source.rawValue) })
    }

    /// A change of a person's listens.
    static let eventSource = EventSource(.listen, topics: [.listens], isInChanges: false) { reader, userID, after, _ in
        guard let change = try reader.listening.changed(userID: userID, after: after) else { return [] }
        let page = try reader.listening.listens(userID: userID, limit: 1)
        let data = JSONWriter.object { json in
            json.member("total", page.total)
            json.member("latest") { json in
                guard let latest = page.items.first else { return json.raw("null") }
                json.object { latest.writeMembers(to: &$0) }
            }
        }
        return [EventSource.Change(number: change, id: page.items.first?.id.text ?? "", data: data)]
    }
}

extension Listen {
    func writeMembers(to json: inout JSONWriter) {
        json.member("id", id.text)
        json.member("listenedAt", startedAt)
        json.member("title", song.title)
        json.member("artist", song.artist)
        json.member("album", song.album)
        json.member("durationPlayedMs", playedMilliseconds)
        json.member("sources") { json in json.array(sources) { $0.value($1.rawValue) } }
        json.member("client", client)
        json.member("trackId", trackID?.text)
        json.member("feedback", feedback?.word)
    }
}

extension Request {
    /// A moment in the query; `nil` when it is missing.
    ///
    /// - Throws: a ``Problem`` that names the parameter.
    func moment(_ name: String) throws -> Timestamp? {
        try parameter(name).map { text in
            // The sign of an offset that was not escaped has become a space.
            guard let moment = Timestamp(rfc3339: text.replacing(" ", with: "+")) else {
                throw Problem.invalidRequest(
                    code: .invalidParameter,
                    "\(name): expected an RFC 3339 time, such as 2026-11-20T20:00:00Z, found '\(text.prefix(40))'.",
                    field: name)
            }
            return moment
        }
    }
}
