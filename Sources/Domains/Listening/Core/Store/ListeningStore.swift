import Model
import Storage

/// What people listened to, read or written in a transaction: `transaction.listening`.
package struct ListeningStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var listening: ListeningStore<Self> { ListeningStore(transaction: self) }
}

extension ItemKind {
    /// The latest listen, with the number of all.
    package static let listen = ItemKind("listen")
}

extension ChangeTopic {
    /// People's listens.
    package static let listens = ChangeTopic("listens")
}

extension ListeningStore {
    /// The key of a person's history; `nil` before the first listen.
    func historyID(ofUser userID: String) throws -> Int64? {
        try transaction.row("SELECT id FROM listen_histories WHERE user_id = \(userID)").map { try $0["id"] }
    }
}

extension ListeningStore where Access == WriteTransaction {
    /// The key of a person's history, which is created on first use.
    func openHistory(ofUser userID: String, now: Timestamp) throws -> Int64 {
        if let known = try historyID(ofUser: userID) { return known }
        // A small number, since every row contains it.
        let last: Int64 = try transaction.row("SELECT COALESCE(MAX(id), 0) AS last FROM listen_histories")?["last"] ?? 0
        try transaction.run(
            """
            INSERT INTO listen_histories (user_id, id, listens, change, resolved_version, resolved_song)
            VALUES (\(userID), \(last + 1), 0, \(try transaction.nextChange()), 0, 0)
            """)
        return last + 1
    }

    /// Reserves keys above those of all rows, and returns the first; the others follow it.
    func nextKeys(_ count: Int, now: Timestamp) throws -> Int64 {
        let last: Int64 = try transaction.row("SELECT value FROM listen_keys")?["value"] ?? 0
        let first = max(last + 1, LibraryID(first: now).key)
        try transaction.run("UPDATE listen_keys SET value = \(first + Int64(max(1, count)) - 1)")
        return first
    }

    /// Records that listens of a history changed.
    ///
    /// - Parameter difference: by how much the number of listens grew.
    func recordChange(ofHistory history: Int64, userID: String, difference: Int) throws {
        try transaction.run(
            """
            UPDATE listen_histories SET listens = listens + \(difference), change = \(try transaction.nextChange())
            WHERE user_id = \(userID) AND id = \(history)
            """)
        transaction.recordChange(of: [userID], topic: .listens)
    }
}

extension Collection {
    /// The elements in batches of 250, far below the limit on the number of bound values in a statement.
    var inParts: [ArraySlice<Element>] {
        let elements = Array(self)
        return stride(from: 0, to: elements.count, by: 250).map { elements[$0..<Swift.min($0 + 250, elements.count)] }
    }
}

extension Array {
    /// Groups consecutive elements that begin within half a day, so that the surroundings of each group are examined
    /// separately, and are only a bounded part of a history.
    ///
    /// - Parameter start: the start of an element, in microseconds.
    func runs(by start: (Element) -> Int64) -> [[Element]] {
        var runs: [[Element]] = []
        var span: ClosedRange<Int64>?
        for element in self {
            let moment = start(element)
            if let known = span {
                let wider = Swift.min(known.lowerBound, moment)...Swift.max(known.upperBound, moment)
                if wider.upperBound - wider.lowerBound <= 12 * 3_600_000_000 {
                    runs[runs.count - 1].append(element)
                    span = wider
                    continue
                }
            }
            runs.append([element])
            span = moment...moment
        }
        return runs
    }
}
