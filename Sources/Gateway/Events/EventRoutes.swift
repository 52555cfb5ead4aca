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
/// state of all rows that changed since, or `reset` when these are more than ``maximumResume`` or the id belongs to the
/// history before a restore.
struct EventRoutes {
    /// The most changed rows that a resume sends.
    static let maximumResume = 500
    /// The most rows that are read at once from each source.
    static let pageSize = 100
    /// The bytes of rows at which a page of jobs ends, since results may be large.
    static let pageBytes = 262_144

    let queue: JobQueue
    /// The domains' changes, besides those of jobs.
    let sources: [EventSource]
    let credentials: CredentialCache
    /// Limits how often a person opens streams: as many at once as their quota allows, and as many more every second.
    /// Opening one reads the changes that were missed, and some clients reconnect without a pause.
    private let pace = UserThrottle(allowance: .seconds(1))

    init(queue: JobQueue, sources: [EventSource], credentials: CredentialCache) {
        self.queue = queue
        self.sources = sources
        self.credentials = credentials
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
        if start.mustReset { opening += "event: reset\ndata: {}\n" }
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
                position = try await sendChanges(to: &writer, after: position, userID: userID)
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
            guard let last = EventID(lastEventID), last.history == current.history, last.change <= current.change
            else { return StartPosition(id: current, mustReset: true) }
            let limit = Self.maximumResume + 1
            var count = try reader.jobs.countOfJobs(userID: userID, changedAfter: last.change, limit: limit)
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
            let page = try await queue.database.read { try self.page($0, after: after, userID: userID) }
            // Everything has been sent up to the table's last change, so the next read starts there.
            let current = EventID(history: history, change: page.current)
            guard let last = page.events.last else { return current }
            var buffer = ByteBuffer()
            for event in page.events {
                let id = EventID(history: history, change: event.change)
                buffer.writeString("id: \(id)\nevent: \(event.name)\ndata: ")
                // JSON may have line breaks between tokens, which would end the event's line. It hardly ever does, and
                // copying byte by byte takes much longer.
                if event.data.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
                    buffer.writeBytes(event.data.lazy.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
                } else {
                    buffer.writeBytes(event.data)
                }
                buffer.writeString("\n\n")
            }
            try await writer.write(buffer)
            position = EventID(history: history, change: last.change)
            if page.isLast { return current }
        }
    }

    /// The next changes of all sources in order, whether these are the last ones, and the table's last change.
    private func page(
        _ reader: ReadTransaction, after: Int64, userID: String
    ) throws -> (events: [StreamEvent], isLast: Bool, current: Int64) {
        let (jobs, isComplete) = try reader.jobs.jobs(
            userID: userID, changedAfter: after, limit: Self.pageSize, maximumBytes: Self.pageBytes)
        var events = jobs.map { job in
            StreamEvent(
                change: job.change, name: "job",
                data: JobResource(job, progress: queue.dispatcher.progress(ofJob: job.id)).json)
        }
        // Later changes must wait until a source that may have more has been read equally far.
        var horizon = isComplete ? .max : jobs.last?.change ?? .max
        for source in sources {
            let changes = try source.changes(reader, userID, after, Self.pageSize)
            if changes.count == Self.pageSize { horizon = min(horizon, changes.last?.number ?? .max) }
            events += changes.map { StreamEvent(change: $0.number, name: source.eventName, data: $0.data) }
        }
        events = events.filter { $0.change <= horizon }.sorted { $0.change < $1.change }
        return (events, horizon == .max, try reader.lastChange())
    }
}

/// One event of the stream.
struct StreamEvent: Sendable {
    var change: Int64
    var name: String
    /// JSON.
    var data: [UInt8]
}

/// A domain's source of events.
struct EventSource: Sendable {
    /// A row after its last change.
    struct Change: Sendable {
        var number: Int64
        /// The row as JSON.
        var data: [UInt8]
    }

    /// The name of its events in camelCase, for which pages listen.
    let eventName: String
    let changes: @Sendable (ReadTransaction, _ userID: String, _ after: Int64, _ limit: Int) throws -> [Change]
    /// Counts a user's changes after a number, up to a limit.
    let count: @Sendable (ReadTransaction, _ userID: String, _ after: Int64, _ limit: Int) throws -> Int

    /// - Parameters:
    ///   - count: counts a user's changes after a number, up to a limit; `nil` reads the changes and counts them.
    ///   - changes: reads a user's changes after a number in order, up to a limit.
    init(
        _ eventName: String,
        count: (
            @Sendable (ReadTransaction, _ userID: String, _ after: Int64, _ limit: Int) throws -> Int
        )? = nil,
        changes:
            @escaping @Sendable (
                ReadTransaction, _ userID: String, _ after: Int64, _ limit: Int
            ) throws -> [Change]
    ) {
        self.eventName = eventName
        self.changes = changes
        self.count = count ?? { try changes($0, $1, $2, $3).count }
    }
}
