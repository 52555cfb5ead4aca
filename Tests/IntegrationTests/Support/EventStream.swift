import AsyncHTTPClient
import Foundation
import Synchronization
import TestProcesses

/// One event of `GET /v1/events`.
struct ServerSentEvent: Sendable {
    var id: String?
    var name: String
    var data: String

    /// The number of the change in the id.
    var change: Int? { id.flatMap { Int($0.split(separator: "-").last ?? "") } }

    var job: JobView? { try? JSONDecoder().decode(JobView.self, from: Data(data.utf8)) }

    var json: JSON? { try? JSONDecoder().decode(JSON.self, from: Data(data.utf8)) }
}

/// A reader of `GET /v1/events` (html.spec.whatwg.org/multipage/server-sent-events.html).
final class EventStream: Sendable {
    private struct State {
        var events: [ServerSentEvent] = []
        var isOpen = false
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Opens a stream, and returns after its first bytes.
    static func open(_ client: APIClient, lastEventID: String? = nil) async throws -> EventStream {
        let headers = lastEventID.map { ["Last-Event-ID": $0] } ?? [:]
        let response = try await client.open(.GET, "/v1/events", headers: headers)
        guard response.status == .ok, response.headers.first(name: "Content-Type") == "text/event-stream" else {
            throw UnexpectedAnswer(description: "no event stream: \(response.status) \(response.headers)")
        }
        let stream = EventStream()
        stream.task.withLock { $0 = Task { [stream] in await stream.read(response) } }
        try await eventually("the event stream") { stream.state.withLock(\.isOpen) }
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
        state.withLock { $0.isOpen = true }
        if line.isEmpty {
            // An event without data is ignored.
            if !event.data.isEmpty { state.withLock { [event] in $0.events.append(event) } }
            event = ServerSentEvent(id: nil, name: "message", data: "")
        } else if let value = line.value(of: "id") {
            event.id = value
        } else if let value = line.value(of: "event") {
            event.name = value
        } else if let value = line.value(of: "data") {
            event.data += value
        }
    }

    var events: [ServerSentEvent] { state.withLock(\.events) }

    var hasEnded: Bool { state.withLock(\.hasEnded) }

    /// The id with which a client would resume.
    var lastID: String? { events.compactMap(\.id).last }

    /// Waits for an event.
    @discardableResult
    func first(_ what: String, where isWanted: (ServerSentEvent) -> Bool) async throws -> ServerSentEvent {
        try await eventually(what) { events.first(where: isWanted) }
    }

    /// Waits for an event of a job in a state.
    @discardableResult
    func job(_ id: String, reaches wanted: String) async throws -> ServerSentEvent {
        try await first("an event of job \(id) being \(wanted)") { $0.job?.id == id && $0.job?.state == wanted }
    }

    func close() {
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
