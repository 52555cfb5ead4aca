import Contracts
import HTTPTypes
import Hummingbird
import JobStorage
import Jobs
import Model
import Storage

/// `GET /v1/events`: server-sent events of changes to the user's rows
/// (html.spec.whatwg.org/multipage/server-sent-events.html).
///
/// An event's id (``EventID``) has the number of its row's last change. Resuming with `Last-Event-ID` sends the latest
/// state of all rows that changed since, and `gone` for those that the person can no longer see. It sends `reset` with
/// all kinds when these are more than ``maximumResume``, when the id belongs to the history before a restore, or when it
/// is older than what is known to be gone.
struct EventRoutes {
    /// The most changed rows that a resume sends.
    static let maximumResume = 500
    /// The bytes of rows at which a page of jobs ends, since results may be large.
    static let pageBytes = 262_144

    let queue: JobQueue
    /// The domains' changes, besides those of jobs.
    let sources: [EventSource]
    let credentials: CredentialCache
    private let authorReads: AuthorReads
    /// Limits how often a person opens streams: as many at once as their quota allows, and as many more every second.
    /// Opening one reads the changes that were missed, and some clients reconnect without a pause.
    private let pace = UserThrottle(allowance: .seconds(1))

    init(queue: JobQueue, sources: [EventSource], credentials: CredentialCache) {
        self.queue = queue
        self.sources = sources
        self.credentials = credentials
        authorReads = AuthorReads(database: queue.database, sources: sources)
    }

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("events", use: open)
    }

    @Sendable private func open(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        // The stream is opened before the start position is read, so that no change is missed in between.
        let signals = try queue.events.stream(userID: userID, limit: queue.quotas.eventStreams)
        // Frees the stream's share of the quota as soon as the client disconnects.
        ClientDeparture.watch(context.channel, signals.close)
        if let limit = queue.quotas.eventStreams, limit > 0 {
            try await Task.sleep(for: pace.delay(adding: .seconds(1) / limit, to: userID))
        }
        let start = try await startPosition(
            after: request.headers[.lastEventID] ?? request.parameter("lastEventId"), userID: userID)
        let body = ResponseBody { writer in
            try await send(to: &writer, signals: signals, userID: userID, from: start) {
                (try? await credentials.stillKnows(context)) != false
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/event-stream", .cacheControl: "no-store",
                // Makes nginx, and other proxies that buffer responses, forward this one as it arrives.
                .accelBuffering: "no",
            ], body: body)
    }

    /// Sends events until the gateway stops, the client disconnects, or its credential ends.
    ///
    /// - Parameter isSignedIn: checked when a token or session of the user ends, and with each keep-alive, since one
    ///   may also expire.
    func send(
        to writer: inout any ResponseBodyWriter, signals: JobEventStream, userID: String, from start: StartPosition,
        isSignedIn: () async throws -> Bool
    ) async throws {
        var position = start.id
        // This is sent at once, so that the client knows that the stream is open. It has an id, so that the client
        // resumes here if the connection is lost before the first event.
        var opening = ": stream of changes\nretry: 1000\nid: \(position)\n"
        if start.mustReset {
            let kinds = [ItemKind.job] + sources.map(\.kind)
            opening += "event: reset\ndata: \(String(decoding: JSONWriter.object(resetting: kinds), as: UTF8.self))\n"
        }
        try await writer.write(ByteBuffer(string: opening + "\n"))
        if !start.mustReset { position = try await sendChanges(to: &writer, after: position, userID: userID) }
        signals.hasRead(through: position.change)
        for await signal in signals {
            // Ends the stream of a client that has been signed out.
            if signal.hasEndedCredential || signal.isKeepAlive {
                guard try await isSignedIn() else { return }
            }
            for progress in signal.progress {
                let data = JSONWriter.object {
                    $0.member("id", progress.run.jobID)
                    progress.progress.writeMembers(to: &$0)
                }
                try await writer.write(
                    ByteBuffer(string: "event: progress\ndata: \(String(decoding: data, as: UTF8.self))\n\n"))
            }
            if signal.hasChanged {
                // Between wake-ups, polls have found that there was nothing else up to a later number.
                position = EventID(history: position.history, change: max(position.change, signals.position))
                if !signal.hasChangedOwn, let found = try await sendAuthorChanges(to: &writer, position, userID) {
                    position = found
                } else {
                    position = try await sendChanges(to: &writer, after: position, userID: userID)
                }
                signals.hasRead(through: position.change)
            }
            if signal.isKeepAlive { try await writer.write(ByteBuffer(string: ": still here\n\n")) }
        }
    }

    /// Where a stream starts.
    struct StartPosition {
        /// The last event that the client has, or the latest one.
        var id: EventID
        /// Whether the changes before it are too many or unknown, so that the client must read everything again.
        var mustReset = false
    }

    private func startPosition(after lastEventID: String?, userID: String) async throws -> StartPosition {
        try await queue.database.read { reader in
            let current = EventID(history: try reader.history(), change: try reader.lastChange())
            guard let lastEventID else { return StartPosition(id: current) }
            guard let last = EventID(lastEventID)?.ofWholeChange,
                try last.isComplete(in: reader, current: current)
            else { return StartPosition(id: current, mustReset: true) }
            let limit = Self.maximumResume + 1
            var count = try reader.jobs.countOfJobs(userID: userID, changedAfter: last.change, limit: limit)
            count += try reader.goneItems(userID: userID, after: last.change, limit: limit).count
            // Stops at the limit: some clients resume at 0 again and again.
            for source in sources where count <= Self.maximumResume {
                count += try source.count(reader, userID, last.change, limit)
            }
            return count > Self.maximumResume ? StartPosition(id: current, mustReset: true) : StartPosition(id: last)
        }
    }

    /// Sends the rows that changed after `position`; returns the new position.
    ///
    /// A page is read once the connection has accepted the one before. So a client that reads slowly or not at all
    /// costs one page of memory, and gets rows as they are when it reads.
    private func sendChanges(
        to writer: inout any ResponseBodyWriter, after position: EventID, userID: String
    ) async throws -> EventID {
        let history = position.history
        var position = position
        while true {
            let after = position.change
            let (page, lastChange) = try await queue.database.read { try self.page($0, after: after, userID: userID) }
            try await send(page, history: history, to: &writer)
            // Without a further page, everything has been sent up to the table's last change.
            position = EventID(history: history, change: page.end ?? lastChange)
            if page.end == nil { return position }
        }
    }

    /// Sends what changed of authors only, read together with the streams of others.
    ///
    /// - Returns: the new position; `nil` if the changes have to be read alone.
    private func sendAuthorChanges(
        to writer: inout any ResponseBodyWriter, _ position: EventID, _ userID: String
    ) async throws -> EventID? {
        let reader = ChangeReader(userID: userID, after: position.change)
        guard let answer = await authorReads.changes(for: reader) else { return nil }
        try await send(answer.page, history: position.history, to: &writer)
        return EventID(history: position.history, change: answer.lastChange)
    }

    private func send(
        _ page: ChangePage, history: DatabaseHistory?, to writer: inout any ResponseBodyWriter
    ) async throws {
        guard !page.changes.isEmpty else { return }
        var buffer = ByteBuffer()
        for (index, change) in page.changes.enumerated() {
            buffer.write(
                change, id: EventID(history: history, change: change.change, isPart: page.isPart(at: index)))
        }
        try await writer.write(buffer)
    }

    /// The next changes of all sources in order, and the table's last change.
    private func page(
        _ reader: ReadTransaction, after: Int64, userID: String
    ) throws -> (page: ChangePage, current: Int64) {
        let (jobs, isComplete) = try reader.jobs.jobs(
            userID: userID, changedAfter: after, limit: ChangePage.size, maximumBytes: Self.pageBytes)
        var page = try ChangePage(of: sources, userID: userID, after: after, in: reader)
        page.add(
            jobs.map { job in
                let resource = JobResource(
                    job, kinds: queue.kinds, progress: queue.dispatcher.progress(ofJob: job.id))
                return ItemChange(change: job.change, kind: .job, id: job.id, state: .item(resource.json))
                // Each change of a job has a number of its own.
            }, through: isComplete ? nil : jobs.last?.change)
        return (page, try reader.lastChange())
    }
}

extension ItemKind {
    fileprivate static let job = ItemKind("job")
}

extension ByteBuffer {
    /// Writes a change as an event of the stream.
    fileprivate mutating func write(_ change: ItemChange, id: EventID) {
        writeString("id: \(id)\n")
        switch change.state {
        case .item(let data):
            writeString("event: \(change.kind.name)\ndata: ")
            writeLine(data)
        case .gone:
            writeString("event: gone\ndata: ")
            writeBytes(
                JSONWriter.object {
                    $0.member("kind", change.kind.name)
                    $0.member("id", change.id)
                })
        case .reset:
            writeString("event: reset\ndata: ")
            writeBytes(JSONWriter.object(resetting: [change.kind]))
        }
        writeString("\n\n")
    }
}

extension JSONWriter {
    /// The data of an event `reset`: the kinds that are to be read again.
    fileprivate static func object(resetting kinds: [ItemKind]) -> [UInt8] {
        object { json in
            json.member("kinds") { json in json.array(kinds) { json, kind in json.value(kind.name) } }
        }
    }
}
