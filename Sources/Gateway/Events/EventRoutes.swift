import Contracts
import HTTPTypes
import Hummingbird
import Jobs
import Model
import Storage

/// `GET /v1/events`: server-sent events of what happens to the user's rows
/// (html.spec.whatwg.org/multipage/server-sent-events.html).
///
/// An event's id is the change sequence of its row. Resuming with `Last-Event-ID` sends the latest
/// state of everything that changed since, or `reset` when that is more than can be told.
struct EventRoutes {
    /// The most changes that a resume makes up for.
    static let maximumResume = 500
    /// The most rows that are read at once, of each source.
    static let pageSize = 100
    /// Where a page of jobs ends earlier, for their results may be large.
    static let pageBytes = 262_144

    let queue: JobQueue
    /// What domains add to the stream: a user's changes after a number, at most so many, in order.
    let sources: [EventSource]
    let credentials: CredentialCache

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("events", use: open)
    }

    @Sendable private func open(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        // Before the number is looked up, so that no change falls between the two.
        let signals = try queue.events.stream(userID: userID, limit: queue.quotas.eventStreams)
        // A page that is left makes room for the next one at once.
        ClientDeparture.watch(context.channel, signals.close)
        let (start, mustReset) = try await beginning(
            after: request.headers[.lastEventID] ?? request.parameter("lastEventId"), userID: userID)
        let body = ResponseBody { writer in
            try await send(to: &writer, signals: signals, userID: userID, from: start, mustReset: mustReset) {
                (try? await credentials.stillKnows(context)) != false
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], body: body)
    }

    /// Sends what happens, until the gateway stops or the client goes away.
    ///
    /// - Parameter isSignedIn: asked now and then; a stream goes on for days.
    func send(
        to writer: inout any ResponseBodyWriter, signals: JobEventStream, userID: String, from start: Int64,
        mustReset: Bool, isSignedIn: () async throws -> Bool
    ) async throws {
        var position = start
        // The first bytes tell the client that the stream is open.
        var hello = ": stream of changes\nretry: 1000\n\n"
        if mustReset { hello += "id: \(position)\nevent: reset\ndata: {}\n\n" }
        try await writer.write(ByteBuffer(string: hello))
        if !mustReset { position = try await sendChanges(to: &writer, after: position, userID: userID) }
        signals.hasRead(through: position)
        for await signal in signals {
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
                signals.hasRead(through: position)
            }
            if signal.isKeepAlive {
                // Who was signed out meanwhile is told nothing more.
                guard try await isSignedIn() else { return }
                try await writer.write(ByteBuffer(string: ": still here\n\n"))
            }
        }
    }

    /// The number to begin with, and whether what came before it cannot be told.
    private func beginning(
        after lastEventID: String?, userID: String
    ) async throws -> (position: Int64, mustReset: Bool) {
        try await queue.database.read { reader in
            let current = try reader.lastChange()
            guard let lastEventID else { return (current, false) }
            guard let last = EventID.parse(lastEventID), last <= current else { return (current, true) }
            let limit = Self.maximumResume + 1
            var count = try reader.jobs.countOfJobs(userID: userID, changedAfter: last, limit: limit)
            // What is beyond is not looked at: some resume at 0 again and again.
            for source in sources where count <= Self.maximumResume {
                count += try source.count(reader, userID, last, limit)
            }
            return count > Self.maximumResume ? (current, true) : (last, false)
        }
    }

    /// Sends the rows that changed after `position`; returns the new position.
    ///
    /// A page is read when the one before it has been taken over by the connection, so that a client that
    /// reads slowly, or not at all, costs one page, and is told the states of the time when it reads.
    private func sendChanges(
        to writer: inout any ResponseBodyWriter, after position: Int64, userID: String
    ) async throws -> Int64 {
        var position = position
        while true {
            let after = position
            let page = try await queue.database.read { try self.page($0, after: after, userID: userID) }
            // Up to there nothing is left to tell, and the next look need not pass over what others did.
            guard let last = page.events.last else { return page.current }
            var buffer = ByteBuffer()
            for event in page.events {
                buffer.writeString("id: \(event.change)\nevent: \(event.name)\ndata: ")
                // A payload may hold line breaks between its tokens, which would end the event's line.
                buffer.writeBytes(event.data.lazy.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
                buffer.writeString("\n\n")
            }
            try await writer.write(buffer)
            position = last.change
            if page.isLast { return page.current }
        }
    }

    /// The next changes in their order, from all sources, and the number of the last change of all.
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
        // Behind the last of a source that may have more, nothing can be told yet.
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

/// The id of an event: the number of the change that it tells.
enum EventID {
    /// `nil` for what the gateway cannot have given out.
    static func parse(_ text: String) -> Int64? {
        guard (1...19).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }
}

/// One event of the stream.
struct StreamEvent: Sendable {
    var change: Int64
    var name: String
    /// JSON.
    var data: [UInt8]
}

/// A domain whose rows take part in the stream.
struct EventSource: Sendable {
    /// A row as it is after its last change.
    struct Change: Sendable {
        var number: Int64
        /// JSON.
        var data: [UInt8]
    }

    /// Of all its events, in camelCase; the pages are told of it and listen for it.
    let eventName: String
    let changes: @Sendable (ReadTransaction, _ userID: String, _ after: Int64, _ limit: Int) throws -> [Change]
    /// How many there are, counted to the limit.
    let count: @Sendable (ReadTransaction, _ userID: String, _ after: Int64, _ limit: Int) throws -> Int

    /// - Parameters:
    ///   - count: counts a user's changes after a number, to a limit; `nil` reads and counts them, which is for sources
    ///     whose changes take little.
    ///   - changes: a user's changes after a number, at most so many, in order.
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
