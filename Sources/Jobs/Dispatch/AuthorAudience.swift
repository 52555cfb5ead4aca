import Storage
import Synchronization

/// Wakes the event streams of those who follow an author whose items changed. Nothing is written for each follower, and
/// no index of followers is kept that could be out of date: the followers among the people with open streams are looked
/// up with every change.
final class AuthorAudience: Sendable {
    /// Finds those of the people with open streams who follow one of the authors.
    typealias Followers =
        @Sendable (_ authors: Set<Int64>, _ people: Set<String>, _ reader: ReadTransaction) throws -> Set<String>

    private struct State {
        var followers: [Followers] = []
        var changed: Set<Int64> = []
        var isReading = false
    }

    private let state = Mutex(State())
    private let database: Database
    private let events: JobEvents

    init(database: Database, events: JobEvents) {
        self.database = database
        self.events = events
    }

    func find(by followers: @escaping Followers) {
        state.withLock { $0.followers.append(followers) }
    }

    /// Wakes the streams of those who follow these authors; returns before that is done.
    ///
    /// Changes that arrive during a look-up share the next one. After an error, the streams are woken by the poll of
    /// the table.
    func changed(_ authors: Set<Int64>) {
        let begins = state.withLock { state in
            guard !state.followers.isEmpty, !authors.isEmpty else { return false }
            state.changed.formUnion(authors)
            defer { state.isReading = true }
            return !state.isReading
        }
        guard begins else { return }
        Task {
            while let (authors, followers) = next() {
                let people = events.listeners
                guard !people.isEmpty else { continue }
                let woken = try? await database.read { try followers.found(authors, people, $0) }
                events.changedAuthors(followedBy: woken ?? [])
            }
        }
    }

    private func next() -> (Set<Int64>, [Followers])? {
        state.withLock { state in
            guard !state.changed.isEmpty else {
                state.isReading = false
                return nil
            }
            defer { state.changed = [] }
            return (state.changed, state.followers)
        }
    }

    /// Those of the people with open streams who follow an author of whom something changed after `change`, and the
    /// number of the last such change.
    func followers(
        ofAuthorsChangedAfter change: Int64, in reader: ReadTransaction
    ) throws -> (people: Set<String>, last: Int64) {
        let followers = state.withLock { $0.followers }
        guard !followers.isEmpty else { return ([], 0) }
        let authors = try reader.latestAuthors(changedAfter: change, .items, limit: Self.mostAuthors + 1)
        guard let last = authors.first?.change else { return ([], 0) }
        let people = events.listeners
        // That many at once are read by everybody, rather than looked up.
        guard authors.count <= Self.mostAuthors else { return (people, last) }
        return (try followers.found(Set(authors.map(\.author)), people, reader), last)
    }

    /// The most authors that are looked up by one poll.
    private static let mostAuthors = 1_000
}

extension [AuthorAudience.Followers] {
    /// Those of the people whom one of the functions finds.
    fileprivate func found(
        _ authors: Set<Int64>, _ people: Set<String>, _ reader: ReadTransaction
    ) throws -> Set<String> {
        try reduce(into: []) { $0.formUnion(try $1(authors, people, reader)) }
    }
}
