import Foundation
import TestProcesses

/// Reads the raw response of `GET /v1/events` in pieces, and keeps the states of jobs.
struct EventText {
    private(set) var states: [String: String] = [:]
    private(set) var lastID: Int?
    private(set) var hasReset = false
    private var rest: [UInt8] = []
    private var id: Int?

    /// Adds bytes. The lengths between chunks (RFC 9112, section 7.1) are also lines, but do not look like a field of
    /// an event. Only the last chunk can end within a line of an event.
    mutating func read(_ bytes: [UInt8]) {
        rest += bytes
        var start = rest.startIndex
        while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
            take(rest[start..<end])
            start = end + 1
        }
        rest.removeSubrange(..<start)
    }

    private mutating func take(_ line: ArraySlice<UInt8>) {
        if line.starts(with: Array("id: ".utf8)) {
            id = Int(String(decoding: line.dropFirst(4), as: UTF8.self))
        } else if line.starts(with: Array("event: reset".utf8)) {
            hasReset = true
        } else if line.starts(with: Array("data: ".utf8)) {
            if let id { lastID = id }
            // Results may be long, but the id and the state come before them.
            let start = String(decoding: line.prefix(400), as: UTF8.self)
            if let job = start.firstMatch(of: #/"id":"([0-9a-f-]{36})"/#),
                let state = start.firstMatch(of: #/"state":"(\w+)"/#)
            {
                states[String(job.1)] = String(state.1)
            }
        } else if line.isEmpty {
            id = nil
        }
    }
}

extension EventStream {
    /// The last state of each job.
    var states: [String: String] {
        events.reduce(into: [:]) { states, event in
            if let job = event.job { states[job.id] = job.state }
        }
    }
}
