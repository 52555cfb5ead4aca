import Foundation
import TestProcesses

/// A person's app: the messages that it knows, from changes and from pages.
struct MessageDevice: Sendable {
    /// A message as pages and changes show it.
    struct Message: Decodable, Sendable, Equatable {
        var id: String
        var threadId: String
        var number: Int
        var state: String
        var text: String?
    }

    private struct ChangeName: Hashable {
        var number: Int
        var id: String
    }

    let name: String
    private(set) var messages: [String: Message] = [:]
    private var applied: Set<ChangeName> = []
    private var last = 0
    private(set) var changes = 0
    /// What was wrong with the changes.
    private(set) var complaints: [String] = []

    init(name: String) { self.name = name }

    mutating func apply(_ message: Message, change: Int) {
        changes += 1
        if !applied.insert(ChangeName(number: change, id: message.id)).inserted {
            complaints.append("\(name) got change \(change) (\(message.id)) twice")
        }
        if change < last { complaints.append("\(name) got change \(change) after change \(last)") }
        last = max(last, change)
        messages[message.id] = message
    }

    /// The stream is opened again within a change, of which what has come comes again.
    mutating func resume(within number: Int) { applied = applied.filter { $0.number != number } }

    mutating func reset() { (messages, applied, last) = ([:], [], 0) }

    /// Replaces everything by what pages show.
    mutating func replace(by pages: [Message]) {
        messages = Dictionary(pages.map { ($0.id, $0) }) { first, _ in first }
    }

    /// Applies an event of the stream.
    mutating func apply(_ event: ServerSentEvent) throws {
        guard event.name == "message", let change = event.change else { return }
        apply(try JSONDecoder().decode(Message.self, from: Data(event.data.utf8)), change: change)
    }

    /// Reads the answer of `GET /v1/changes`.
    ///
    /// - Returns: the new position, and whether everything has to be read again; `nil` for an answer that was cut off,
    ///   of which nothing is applied.
    mutating func read(_ body: Data) throws -> (since: String, mustReset: Bool)? {
        let lines = try String(decoding: body, as: UTF8.self).split(separator: "\n").map { line in
            try JSONDecoder().decode(JSON.self, from: Data(line.utf8))
        }
        guard let position = lines.last?["since"]?.text, lines.last?["end"] != nil else { return nil }
        if lines.contains(where: { $0["reset"] != nil }) { return (position, true) }
        for line in lines.dropLast() {
            guard line["kind"]?.text == "message", let seq = line["seq"]?.integer, let item = line["item"] else {
                continue
            }
            apply(try JSONDecoder().decode(Message.self, from: Data(item.encoded.utf8)), change: seq)
        }
        return (position, false)
    }
}
