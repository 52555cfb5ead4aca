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
    /// The most rows sent for one wake-up, and the most that a resume makes up for.
    static let pageSize = 500

    let queue: JobQueue
    /// What domains add to the stream: a user's changes after a number, at most so many, in order.
    let sources: [EventSource]
    let credentials: CredentialCache

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("events", use: open)
    }

    @Sendable private func open(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let current = try await queue.database.read { try $0.lastChange() }
        var position = current
        var isReset = false
        if let text = request.headers[.lastEventID] ?? request.parameter("lastEventId") {
            if let last = Int64(text), (0...current).contains(last) {
                position = last
            } else {
                isReset = true
            }
        }
        let signals = queue.events.stream(userID: userID)
        let (start, mustReset) = (position, isReset)
        let body = ResponseBody { writer in
            try await send(to: &writer, signals: signals, from: start, mustReset: mustReset, context: context)
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], body: body)
    }

    private func send(
        to writer: inout any ResponseBodyWriter, signals: AsyncStream<JobEvents.Signal>, from start: Int64,
        mustReset: Bool, context: GatewayContext
    ) async throws {
        let userID = try context.userID
        var position = start
        // The first bytes tell the client that the stream is open.
        var hello = ": stream of changes\nretry: 1000\n\n"
        if mustReset { hello += "id: \(position)\nevent: reset\ndata: {}\n\n" }
        try await writer.write(ByteBuffer(string: hello))
        if !mustReset { position = try await sendChanges(to: &writer, after: position, isResume: true, userID: userID) }
        for await signal in signals {
            switch signal {
            case .progress(let progress):
                let data = JSONWriter.object {
                    $0.member("id", progress.run.jobID)
                    $0.member("done", Int(progress.done))
                    $0.member("total", Int(progress.total))
                }
                try await writer.write(ByteBuffer(string: "event: progress\ndata: \(String(decoding: data, as: UTF8.self))\n\n"))
            case .changed:
                position = try await sendChanges(to: &writer, after: position, isResume: false, userID: userID)
            case .keepAlive:
                // A stream goes on for days; who was signed out meanwhile is told nothing more.
                guard (try? await credentials.stillKnows(context)) != false else { return }
                try await writer.write(ByteBuffer(string: ": still here\n\n"))
            }
        }
    }

    /// Sends the rows that changed after `position`; returns the new position.
    private func sendChanges(
        to writer: inout any ResponseBodyWriter, after position: Int64, isResume: Bool, userID: String
    ) async throws -> Int64 {
        var position = position
        while true {
            let after = position
            let (events, current) = try await queue.database.read { reader -> ([StreamEvent], Int64) in
                var events = try reader.jobs(userID: userID, changedAfter: after, limit: Self.pageSize + 1).map { job in
                    StreamEvent(
                        change: job.change, name: "job",
                        data: JobResource(job, progress: queue.dispatcher.progress(ofJob: job.id)).json)
                }
                for source in sources { events += try source.changes(reader, userID, after, Self.pageSize + 1) }
                return (events.sorted { $0.change < $1.change }, try reader.lastChange())
            }
            if isResume, events.count > Self.pageSize {
                try await writer.write(ByteBuffer(string: "id: \(current)\nevent: reset\ndata: {}\n\n"))
                return current
            }
            let page = events.prefix(Self.pageSize)
            // Up to there nothing is left to tell, and the next look need not pass over what others did.
            guard let last = page.last else { return current }
            var buffer = ByteBuffer()
            for event in page {
                buffer.writeString("id: \(event.change)\nevent: \(event.name)\ndata: ")
                // A payload may hold line breaks between its tokens, which would end the event's line.
                buffer.writeBytes(event.data.lazy.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
                buffer.writeString("\n\n")
            }
            try await writer.write(buffer)
            position = last.change
            if events.count <= Self.pageSize { return current }
        }
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
    let changes: @Sendable (ReadTransaction, _ userID: String, _ after: Int64, _ limit: Int) throws -> [StreamEvent]
}
