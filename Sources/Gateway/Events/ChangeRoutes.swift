import HTTPTypes
import Hummingbird
import Model
import NIOCore
import Storage
import Visibility

/// `GET /v1/changes`: what changed of a person's items since a position, as JSON lines in the order of the changes.
///
/// The event stream has the same numbers, so that a client reads the changes when it starts, and then listens without a
/// gap. An answer without its last line, `end`, was cut off.
struct ChangeRoutes {
    let database: Database
    let sources: [EventSource]
    /// Limits reading to half of one processor for each person, after the changes of a usual absence, which are read
    /// without a pause.
    private let pace = UserThrottle(allowance: .seconds(1))

    init(database: Database, sources: [EventSource]) {
        self.database = database
        self.sources = sources.filter(\.isInChanges)
    }

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("changes", use: read)
    }

    @Sendable private func read(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let wanted = try WantedChanges(request.parameter("kinds"), of: sources)
        let since = try request.parameter("since").map { text in
            guard let id = EventID(text) else {
                throw Problem.invalidRequest(
                    code: .invalidParameter,
                    "since: this is not a position. Send the `since` of the last line of an earlier answer, the id of "
                        + "an event, or no position to read everything.",
                    field: "since")
            }
            return id.ofWholeChange
        }
        let (end, isComplete) = try await database.read { reader in
            let current = EventID(history: try reader.history(), change: try reader.lastChange())
            guard let since else { return (current, true) }
            return (current, try since.isComplete(in: reader, current: current))
        }
        return Response(
            status: .ok,
            headers: [.contentType: "application/jsonl", .cacheControl: "no-store", .accelBuffering: "no"],
            body: ResponseBody { writer in
                if isComplete {
                    try await send(wanted, userID: userID, after: since, end: end, to: &writer)
                } else {
                    try await writer.write(
                        line { json in
                            json.member("reset") { json in
                                json.array(wanted.kinds) { json, kind in json.value(kind.name) }
                            }
                        })
                }
                try await writer.write(
                    line {
                        $0.member("end", Int(end.change))
                        $0.member("since", end.description)
                    })
                try await writer.finish(nil)
            })
    }

    /// Sends the changes up to `end`. A page is read once the connection has accepted the one before.
    private func send(
        _ wanted: WantedChanges, userID: String, after since: EventID?, end: EventID,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        var position = since?.change ?? 0
        while position < end.change {
            let after = position
            let (page, took) = try await database.read { reader in
                let began = MonotonicInstant.now()
                let page = try ChangePage(of: wanted.sources, userID: userID, after: after, in: reader)
                return (page, began.duration(to: .now()))
            }
            var buffer = ByteBuffer()
            for change in page.changes where change.change <= end.change && wanted.contains(change) {
                if since == nil {
                    // Who reads everything has nothing to remove or to read again.
                    guard case .item = change.state else { continue }
                }
                buffer.writeImmutableBuffer(line { change.writeMembers(to: &$0) })
            }
            if buffer.readableBytes > 0 { try await writer.write(buffer) }
            guard let last = page.end else { return }
            position = last
            try await Task.sleep(for: pace.delay(adding: took * 2, to: userID))
        }
    }

    private func line(_ members: (inout JSONWriter) -> Void) -> ByteBuffer {
        var line = ByteBuffer()
        line.writeLine(JSONWriter.object(members))
        line.writeString("\n")
        return line
    }
}

/// The kinds of changes that a request names, and where they are read.
private struct WantedChanges: Sendable {
    /// In the order of the sources.
    let kinds: [ItemKind]
    /// Those of the kinds, and those that report what takes their items with it.
    let sources: [EventSource]
    private let items: Set<ItemKind>
    private let gone: Set<ItemKind>

    /// - Parameter list: the kinds, separated by commas; `nil` for all.
    /// - Throws: ``Problem`` for an unknown one.
    init(_ list: String?, of sources: [EventSource]) throws {
        let known = Set(sources.map(\.kind.name))
        let names = list.map { Set($0.split(separator: ",").map { String($0) }) } ?? known
        guard list == nil || !names.isEmpty && names.isSubset(of: known) else {
            throw Problem.invalidRequest(
                code: .invalidParameter,
                "kinds: expected some of \(known.sorted().joined(separator: ", ")), separated by commas.",
                field: "kinds")
        }
        let named = sources.filter { names.contains($0.kind.name) }
        kinds = named.map(\.kind)
        let (items, gone) = (Set(kinds), named.reduce(into: Set(kinds)) { $0.formUnion($1.goneKinds) })
        (self.items, self.gone) = (items, gone)
        self.sources = sources.filter { items.contains($0.kind) || !$0.reportedGoneKinds.isDisjoint(with: gone) }
    }

    func contains(_ change: ItemChange) -> Bool {
        switch change.state {
        case .item, .reset: items.contains(change.kind)
        case .gone: gone.contains(change.kind)
        }
    }
}

extension EventID {
    /// Whether the changes after this position are known: it is not from before a restore, and not from so long ago
    /// that items that are gone since have been forgotten.
    func isComplete(in reader: ReadTransaction, current: EventID) throws -> Bool {
        guard history == current.history, change <= current.change else { return false }
        return change >= (try reader.earliestCompleteChange())
    }
}

extension ItemChange {
    fileprivate func writeMembers(to json: inout JSONWriter) {
        if case .reset = state {
            json.member("reset") { json in json.array([kind.name]) { json, name in json.value(name) } }
            json.member("seq", Int(change))
            return
        }
        json.member("kind", kind.name)
        json.member("id", id)
        json.member("seq", Int(change))
        switch state {
        case .item(let data): json.member("item", raw: String(decoding: data, as: UTF8.self))
        case .gone: json.member("gone", true)
        case .reset: break
        }
    }
}
