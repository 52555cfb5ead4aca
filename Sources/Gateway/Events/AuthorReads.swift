import JobStorage
import Storage
import Synchronization

/// Reads for event streams what changed of the authors whom their people follow.
///
/// One change of an author wakes the streams of all followers at the same moment. Those that ask while others are being
/// read are read together by the next read: in one snapshot, in a number of statements that does not depend on how many
/// they are, and with the JSON of an item made once for all who see the same. No answer is kept: who may see what is
/// decided by each read.
final class AuthorReads: Sendable {
    /// What one of the people reads.
    struct Answer: Sendable {
        /// Everything up to `lastChange`.
        let page: ChangePage
        let lastChange: Int64
    }

    private typealias Waiting = CheckedContinuation<Answer?, Never>

    private struct State {
        var waiting: [ChangeReader: [Waiting]] = [:]
        var isReading = false
    }

    /// The most readers of one read, so that the first of many streams does not wait for the last.
    private static let most = 500

    private let database: Database
    private let sources: [EventSource]
    private let state = Mutex(State())

    init(database: Database, sources: [EventSource]) {
        (self.database, self.sources) = (database, sources)
    }

    /// The changes of a person after a number.
    ///
    /// - Returns: `nil` if they have to be read alone: the person's own rows have changed as well, too much has changed,
    ///   or the read failed, perhaps because of somebody else's row.
    func changes(for reader: ChangeReader) async -> Answer? {
        await withCheckedContinuation { (waiting: Waiting) in
            let begins = state.withLock { state in
                state.waiting[reader, default: []].append(waiting)
                defer { state.isReading = true }
                return !state.isReading
            }
            if begins { Task { await readWaiting() } }
        }
    }

    private func readWaiting() async {
        while let batch = next() {
            let readers = Array(batch.keys)
            let found = try? await database.read { [sources] reader in
                (
                    pages: try ChangePage.authorPages(of: sources, for: readers, in: reader),
                    lastChange: try reader.lastChange()
                )
            }
            for (reader, waiting) in batch {
                let answer = found.flatMap { found in
                    found.pages[reader].map { Answer(page: $0, lastChange: found.lastChange) }
                }
                for one in waiting { one.resume(returning: answer) }
            }
        }
    }

    private func next() -> [ChangeReader: [Waiting]]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isReading = false
                return nil
            }
            guard state.waiting.count > Self.most else {
                defer { state.waiting = [:] }
                return state.waiting
            }
            let batch = Dictionary(uniqueKeysWithValues: state.waiting.prefix(Self.most).map { ($0.key, $0.value) })
            for reader in batch.keys { state.waiting[reader] = nil }
            return batch
        }
    }
}

extension ChangePage {
    /// What people read of whom only authors have changed.
    ///
    /// - Returns: all changes of each of them; without those whose changes have to be read alone.
    static func authorPages(
        of sources: [EventSource], for readers: [ChangeReader], in reader: ReadTransaction
    ) throws -> [ChangeReader: ChangePage] {
        let own = try reader.jobs.lastChanges(of: Set(readers.map(\.userID)))
        var left = readers.filter { $0.after > 0 && own[$0.userID] ?? 0 <= $0.after }
        var changes: [ChangeReader: [ItemChange]] = [:]
        for source in sources {
            guard let authors = source.authors, let first = left.map(\.after).min(),
                try reader.hasAuthors(changedAfter: first, authors.aspect)
            else { continue }
            let found = try authors.read?(reader, left) ?? [:]
            left.removeAll { found[$0] == nil }
            for one in left { changes[one, default: []] += (found[one] ?? []).map { ItemChange($0, of: source) } }
        }
        return left.reduce(into: [:]) { pages, one in
            let changes = changes[one] ?? []
            // Streams send large pages in parts.
            if changes.count <= size { pages[one] = ChangePage(changes) }
        }
    }
}
