import AsyncHTTPClient
import Foundation
import Synchronization
import TestSupport

/// One event of `GET /v1/events`.
package struct ServerSentEvent: Sendable {
    package var id: String?
    package var name: String
    package var data: String

    /// The number of the change in the id, which ends with a point if further events of the change follow.
    package var change: Int? { id.flatMap { Int($0.split(separator: "-").last?.prefix { $0 != "." } ?? "") } }

    package var job: JobView? { try? JSONDecoder().decode(JobView.self, from: Data(data.utf8)) }

    package var json: JSON? { try? JSONDecoder().decode(JSON.self, from: Data(data.utf8)) }
}

/// A reader of `GET /v1/events` (html.spec.whatwg.org/multipage/server-sent-events.html).
package final class EventStream: Sendable {
    private struct State {
        var events: [ServerSentEvent] = []
        var position: String?
        var isOpen = false
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Opens a stream, and returns after its first bytes.
    package static func open(_ client: APIClient, lastEventID: String? = nil) async throws -> EventStream {
        let headers = lastEventID.map { ["Last-Event-ID": $0] } ?? [:]
        let response = try await client.open(.GET, "/v1/events", headers: headers)
        guard response.status == .ok, response.headers.first(name: "Content-Type") == "text/event-stream" else {
            throw UnexpectedAnswer(description: "no event stream: \(response.status) \(response.headers)")
        }
        let stream = EventStream()
        stream.task.withLock { $0 = Task { [stream] in await stream.read(response) } }
        try await eventually("the event stream") { stream.state.withLock { $0.isOpen || $0.hasEnded } }
        guard stream.state.withLock(\.isOpen) else {
            throw UnexpectedAnswer(description: "The event stream ended before its first line.")
        }
        return stream
    }

    private func read(_ response: HTTPClientResponse) async {
        var event = ServerSentEvent(id: nil, name: "message", data: "")
        var rest: [UInt8] = []
        do {
            for try await chunk in response.body {
                rest += chunk.readableBytesView
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    take(String(decoding: rest[..<end], as: UTF8.self), into: &event)
                    rest.removeFirst(end + 1)
                }
            }
        } catch {
            // The stream has ended, normally or with an error.
        }
        state.withLock { $0.hasEnded = true }
    }

    private func take(_ line: String, into event: inout ServerSentEvent) {
        if line.isEmpty {
            state.withLock { [event] state in
                state.isOpen = true
                // An event without data is ignored, but not its id.
                state.position = event.id ?? state.position
                if !event.data.isEmpty { state.events.append(event) }
            }
            event = ServerSentEvent(id: nil, name: "message", data: "")
        } else if let value = line.value(of: "id") {
            event.id = value
        } else if let value = line.value(of: "event") {
            event.name = value
        } else if let value = line.value(of: "data") {
            event.data += value
        }
    }

    package var events: [ServerSentEvent] { state.withLock(\.events) }

    package var hasEnded: Bool { state.withLock(\.hasEnded) }

    /// The id of the last event with data.
    package var lastID: String? { events.compactMap(\.id).last }

    /// The id with which a client resumes: that of the last event, or of the stream's opening.
    package var position: String? { state.withLock(\.position) }

    /// Waits for an event.
    @discardableResult
    package func first(_ what: String, where isWanted: (ServerSentEvent) -> Bool) async throws -> ServerSentEvent {
        try await eventually(what) { events.first(where: isWanted) }
    }

    /// Waits for an event of a job in a state.
    @discardableResult
    package func job(_ id: String, reaches wanted: String) async throws -> ServerSentEvent {
        try await first("an event of job \(id) being \(wanted)") { $0.job?.id == id && $0.job?.state == wanted }
    }

    package func close() {
        task.withLock { $0 }?.cancel()
    }
}

extension String {
    fileprivate func value(of field: String) -> String? {
        guard hasPrefix(field + ":") else { return nil }
        let value = dropFirst(field.count + 1)
        return String(value.first == " " ? value.dropFirst() : value)
    }
}
