import Foundation
import TestProcesses

/// A person's app: the people whom it knows, from lists and from changes, in whatever order these arrive.
struct PersonDevice: Sendable {
    /// A person as lists and changes show them.
    struct Card: Decodable, Sendable, Equatable {
        var id: String
        var username: String
        var displayName: String?
        var follow: String
        var followsMe: Bool
    }

    /// A line of `GET /v1/changes`, or an event of the stream.
    struct Change: Sendable {
        var number: Int
        var kind: String
        var id: String
        /// `nil` if it is gone.
        var card: Card?
    }

    /// A page of a list of people.
    struct Page: Decodable, Sendable {
        var items: [Card]
        var nextCursor: String?
        var seq: Int
    }

    private struct ChangeName: Hashable {
        var number: Int
        var kind: String
        var id: String
    }

    let name: String
    private(set) var cards: [String: Card] = [:]
    /// The number of the last change that the device has applied, or of the list that it has read, for each person.
    private var numbers: [String: Int] = [:]
    private var applied: Set<ChangeName> = []
    private var last = 0
    /// How often it was told to read everything again.
    private(set) var resets = 0
    private(set) var changes = 0
    /// What was wrong with the changes.
    private(set) var complaints: [String] = []

    init(name: String) { self.name = name }

    // MARK: Changes

    mutating func apply(_ change: Change) {
        guard change.kind == "person" || change.kind == "itemsOf" else { return }
        changes += 1
        if !applied.insert(ChangeName(number: change.number, kind: change.kind, id: change.id)).inserted {
            complaints.append("\(name) got change \(change.number) (\(change.kind) \(change.id)) twice")
        }
        if change.number < last { complaints.append("\(name) got change \(change.number) after change \(last)") }
        last = max(last, change.number)
        // A list that was read later has it.
        guard change.number >= numbers[change.id] ?? 0 else { return }
        numbers[change.id] = change.number
        cards[change.id] = change.card
    }

    /// The stream is opened again within a change, of which what has come comes again.
    mutating func resume(within number: Int) {
        applied = applied.filter { $0.number != number }
    }

    mutating func reset() {
        (cards, numbers, applied, last) = ([:], [:], [], 0)
        resets += 1
    }

    /// Reads the answer of `GET /v1/changes`.
    ///
    /// - Parameter since: the position that was sent.
    /// - Returns: the new position, and whether everything has to be read again; `nil` for an answer that was cut off,
    ///   of which nothing is applied.
    mutating func read(_ body: Data, since: String?) throws -> (since: String, mustReset: Bool)? {
        let lines = try String(decoding: body, as: UTF8.self).split(separator: "\n").map { line in
            try JSONDecoder().decode(JSON.self, from: Data(line.utf8))
        }
        guard let end = lines.last, let number = end["end"]?.integer, let position = end["since"]?.text else {
            return nil
        }
        if lines.contains(where: { $0["reset"] != nil }) { return (position, true) }
        for line in lines.dropLast() {
            guard let kind = line["kind"]?.text, let id = line["id"]?.text, let seq = line["seq"]?.integer else {
                complaints.append("\(name) got a line that is no change: \(line)")
                continue
            }
            if seq > number { complaints.append("\(name) got change \(seq) although the changes end at \(number)") }
            guard kind == "person" || kind == "itemsOf" else { continue }
            let card = try line["item"].map { try JSONDecoder().decode(Card.self, from: Data($0.encoded.utf8)) }
            if since == nil, card == nil {
                complaints.append("\(name), which knew nothing, was told that \(id) is gone")
            }
            apply(Change(number: seq, kind: kind, id: id, card: card))
        }
        return (position, false)
    }

    // MARK: Lists

    /// Applies the complete lists of those whom the person follows and who follow the person. They may be older than
    /// changes that the device knows.
    ///
    /// - Parameter resets: ``resets`` when reading began. Lists from before a reset are dropped.
    mutating func apply(_ pages: [Page], resets: Int) {
        guard resets == self.resets, let first = pages.map(\.seq).min() else { return }
        var listed: Set<String> = []
        for page in pages {
            for card in page.items {
                listed.insert(card.id)
                guard page.seq >= numbers[card.id] ?? 0 else { continue }
                numbers[card.id] = page.seq
                cards[card.id] = card
            }
        }
        for (id, card) in cards where card.isListed && !listed.contains(id) && numbers[id] ?? 0 <= first {
            cards[id] = nil
        }
    }
}

extension PersonDevice.Card {
    /// Whether the person is in a list of those whom somebody follows, or of those who follow.
    var isListed: Bool { follow == "following" || followsMe }
}

extension PersonDevice.Change {
    /// An event of the stream; `nil` for one that is no change of a person.
    init?(_ event: ServerSentEvent) throws {
        guard let number = event.change else { return nil }
        let data = Data(event.data.utf8)
        switch event.name {
        case "person":
            let card = try JSONDecoder().decode(PersonDevice.Card.self, from: data)
            self.init(number: number, kind: "person", id: card.id, card: card)
        case "gone":
            struct Gone: Decodable {
                var kind: String
                var id: String
            }
            let gone = try JSONDecoder().decode(Gone.self, from: data)
            self.init(number: number, kind: gone.kind, id: gone.id, card: nil)
        default: return nil
        }
    }
}
