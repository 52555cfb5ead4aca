import NIOCore
import Storage

/// A change as clients learn of it: an item as it is now, that it is gone, or that its kind is to be read again.
struct ItemChange: Sendable {
    enum State: Sendable {
        /// The item as JSON.
        case item([UInt8])
        case gone
        /// All items of the kind are to be read again.
        case reset
    }

    let change: Int64
    let kind: ItemKind
    let id: String
    let state: State

    /// Where it is among others. Of one change, what is gone comes first: somebody of whom everything is gone may still
    /// be in a list.
    var position: (Int64, Int) {
        if case .gone = state { return (change, 0) }
        return (change, 1)
    }
}

/// A person's changes in order, as far as one read found them.
struct ChangePage: Sendable {
    /// The most rows that are read at once from each source.
    static let size = 100

    var changes: [ItemChange] = []
    /// Up to where the page is complete; `.max` if nothing follows it.
    private(set) var horizon = Int64.max

    /// Whether these are the last changes.
    var isLast: Bool { horizon == .max }

    /// Reads what changed of a person's items of these sources after a number.
    init(
        of sources: [EventSource], userID: String, after: Int64, in reader: ReadTransaction
    ) throws {
        // Who reads everything reads every source.
        let topics = after > 0 ? try reader.topics(of: userID, changedAfter: after) : nil
        let hasAuthors = try topics == nil || !reader.authors(changedAfter: after, limit: 1).isEmpty
        for source in sources {
            guard source.reports(topics) || source.reportsAuthors && hasAuthors else { continue }
            let found = try source.changes(reader, userID, after, Self.size)
            add(
                found.map {
                    ItemChange(change: $0.number, kind: $0.kind ?? source.kind, id: $0.id, state: $0.state)
                },
                isComplete: found.count < Self.size)
        }
        let gone = try reader.goneItems(userID: userID, after: after, limit: Self.size)
        add(
            gone.map { ItemChange(change: $0.change, kind: $0.kind, id: $0.id, state: .gone) },
            isComplete: gone.count < Self.size)
        sort()
    }

    /// Adds the changes of a further source.
    ///
    /// - Parameter isComplete: whether it has no later ones.
    mutating func add(_ some: [ItemChange], isComplete: Bool) {
        // Later changes must wait until a source that may have more has been read equally far.
        if !isComplete { horizon = min(horizon, some.last?.change ?? .max) }
        changes += some
    }

    /// Sorts the changes, and leaves out those that have to wait for a source that was not read that far.
    mutating func sort() {
        // Several sources may have had items of a person whose profile has closed.
        var gone: Set<String> = []
        changes = changes.filter {
            guard $0.change <= horizon else { return false }
            guard case .gone = $0.state else { return true }
            return gone.insert("\($0.change) \($0.kind.name) \($0.id)").inserted
        }.sorted { $0.position < $1.position }
    }
}

extension ByteBuffer {
    /// Writes JSON in one line. It may have line breaks between tokens, which would end the line of an event or of JSON
    /// lines.
    mutating func writeLine(_ json: [UInt8]) {
        // It hardly ever does, and copying byte by byte takes much longer.
        if json.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
            writeBytes(json.lazy.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
        } else {
            writeBytes(json)
        }
    }
}
