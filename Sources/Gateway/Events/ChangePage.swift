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
}

extension ItemChange {
    init(_ change: EventSource.Change, of source: EventSource) {
        self.init(change: change.number, kind: change.kind ?? source.kind, id: change.id, state: change.state)
    }
}

/// A person's changes in order, as far as one read found them. A page never ends between the changes of one number,
/// since the next one begins after a number.
struct ChangePage: Sendable {
    /// The most rows that are read at once from each source.
    static let size = 100

    private(set) var changes: [ItemChange] = []
    /// The number up to which the page has everything; `nil` if nothing follows it.
    private(set) var end: Int64?

    /// Reads what changed of a person's items of these sources after a number.
    init(
        of sources: [EventSource], userID: String, after: Int64, in reader: ReadTransaction
    ) throws {
        // Who reads everything reads every source.
        let topics = after > 0 ? try reader.topics(of: userID, changedAfter: after) : nil
        for source in sources {
            guard
                try source.reports(topics)
                    || source.authors.map({ try reader.hasAuthors(changedAfter: after, $0.aspect) }) == true
            else { continue }
            try read { limit in
                try source.changes(reader, userID, after, limit).map { ItemChange($0, of: source) }
            }
        }
        if topics?.contains(.goneItems) != false {
            try read { limit in
                try reader.goneItems(userID: userID, after: after, limit: limit).map {
                    ItemChange(change: $0.change, kind: $0.kind, id: $0.id, state: .gone)
                }
            }
        }
        sort()
    }

    /// Changes that are everything up to the present.
    init(_ changes: [ItemChange]) {
        self.changes = changes
        sort()
    }

    /// Adds the changes of a further source.
    ///
    /// - Parameters:
    ///   - some: in their order.
    ///   - end: the number up to which the source was read, with everything of that number; `nil` if it has no more.
    mutating func add(_ some: [ItemChange], through end: Int64?) {
        changes += some
        if let end { self.end = min(self.end ?? end, end) }
        sort()
    }

    /// Reads a source as far as it can be known that it has nothing more of the last number.
    ///
    /// - Parameter source: the source's changes in order, about as many as asked for; fewer only if there are no others.
    private mutating func read(_ source: (_ limit: Int) throws -> [ItemChange]) rethrows {
        var limit = Self.size
        while true {
            let found = try source(limit)
            guard found.count >= limit, let last = found.last?.change else {
                changes += found
                return
            }
            // More of the last number may be missing.
            let whole = found.prefix { $0.change < last }
            if let end = whole.last?.change {
                changes += whole
                self.end = min(self.end ?? end, end)
                return
            }
            limit *= 2
        }
    }

    /// Leaves out the changes that have to wait for a source that was not read that far, and sorts the others. Those of
    /// one number stay in the order of their sources, and of each source.
    private mutating func sort() {
        if let end { changes.removeAll { $0.change > end } }
        changes.sort { $0.change < $1.change }
    }

    /// Whether further changes of the same number follow one of the changes.
    func isPart(at index: Int) -> Bool {
        index + 1 < changes.count && changes[index + 1].change == changes[index].change
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
