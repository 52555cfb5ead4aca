import Accounts
import Domains
import Feed
import Model
import People
import Storage
import TestSupport
import Timeline
import Visibility

@testable import Gateway

/// A domain with items of feeds in a table of its own, as shares and concerts are.
extension Domain {
    static let sampleItems = Domain(
        "samples",
        migrations: [
            Migration(
                domain: "samples", number: 1, name: "tables",
                statements: [
                    """
                    CREATE TABLE sample_items (
                        number \(Dialect.integerKey) PRIMARY KEY,
                        id TEXT NOT NULL,
                        source TEXT NOT NULL,
                        version BIGINT NOT NULL
                    )
                    """
                ])
        ])
}

extension [Domain] {
    /// Those whose tables the tests use. An erasure needs the table of users.
    static let tested: [Domain] = [
        .storage, .visibility, .accounts, .jobs, .people, .timeline, .feed, .sampleItems,
    ]
}

/// Creates a migrated database, runs `body` with it, and closes it.
func withDatabase<Value>(_ body: (_ database: Database) async throws -> Value) async throws -> Value {
    try await withDatabase(of: .tested) { database, _ in
        database.register([EventSubscriber].people + [EventSubscriber].feed)
        return try await body(database)
    }
}

/// An item of the table `sample_items`.
struct SampleItem: Sendable, Hashable {
    let kind: TimelineKind
    let number: Int64
    let id: String
    let authors: [TimelineAuthor]
    let moment: Timestamp
}

extension WriteTransaction {
    /// Adds an item with its content.
    ///
    /// - Parameter source: whose it is: the id of a person, or any other text.
    @discardableResult
    func addItem(
        _ kind: TimelineKind, _ id: String, of source: String, by authors: [TimelineAuthor], moment: Timestamp
    ) throws -> SampleItem {
        let number = try addContent(id, of: source)
        try timeline.insert(kind, number: number, by: authors, moment: moment)
        return SampleItem(kind: kind, number: number, id: id, authors: authors, moment: moment)
    }

    /// Adds an item that one person alone has.
    @discardableResult
    func addOwnItem(_ kind: TimelineKind, _ id: String, for person: PersonKey, moment: Timestamp) throws -> SampleItem {
        let number = try addContent(id, of: "own")
        try timeline.insertOwn(kind, number: number, for: person, moment: moment)
        return SampleItem(kind: kind, number: number, id: id, authors: [], moment: moment)
    }

    private func addContent(_ id: String, of source: String) throws -> Int64 {
        let number = try nextChange()
        try run("INSERT INTO sample_items (number, id, source, version) VALUES (\(number), \(id), \(source), 1)")
        return number
    }

    func edit(_ item: SampleItem) throws {
        try run("UPDATE sample_items SET version = version + 1 WHERE number = \(item.number)")
        try timeline.touch(item.kind, number: item.number, by: item.authors, moment: item.moment)
    }

    func remove(_ item: SampleItem, now: Timestamp) throws {
        try run("DELETE FROM sample_items WHERE number = \(item.number)")
        try timeline.remove(
            item.kind, number: item.number, id: item.id, by: item.authors, moment: item.moment, now: now)
    }

    func removeOwn(_ item: SampleItem, for person: PersonKey, now: Timestamp) throws {
        try run("DELETE FROM sample_items WHERE number = \(item.number)")
        try timeline.removeOwn(
            item.kind, number: item.number, id: item.id, for: person, moment: item.moment, now: now)
    }
}

extension FeedSources {
    /// The contents of `sample_items`, and those who follow the reader.
    static var samples: FeedSources {
        let sources = FeedSources()
        let forMany: @Sendable (ReadTransaction, [Viewer], [Int64]) throws -> [SeenContent] = {
            reader, viewers, subjects in
            try contents(of: subjects, in: reader).map {
                SeenContent(subject: $0.key, content: $0.value, viewers: viewers.map(\.key))
            }
        }
        let items = TimelineKind.allCases.filter { $0 != .follow }.map { kind -> FeedItemSource in
            FeedItemSource(
                kind,
                subjects: { reader, _, ids in
                    // The latest revision has the highest number.
                    try reader.rows("SELECT number, id FROM sample_items ORDER BY number").reduce(into: [:]) {
                        numbers, row in
                        let key = HiddenFeedItem.key(ofItem: try row["id"])
                        if ids.contains(key) { numbers[key] = try row["number"] as Int64 }
                    }
                },
                // One kind is read for one viewer at a time.
                contentsForMany: kind == .release ? nil : forMany,
                contents: { reader, _, subjects in try contents(of: subjects, in: reader) })
        }
        let follows = FeedItemSource(.follow) { reader, _, ids in
            try reader.visibility.keys(ofUsers: ids).mapValues(\.rawValue)
        } contents: { reader, viewer, subjects in
            try reader.people.followers(among: subjects.map { PersonKey(rawValue: $0) }, of: viewer)
                .reduce(into: [:]) { contents, follower in
                    contents[follower.key.rawValue] = FeedContent(
                        id: follower.userID, foldSource: "followers",
                        json: JSONWriter.object { $0.member("version", 1) })
                }
        }
        sources.add(of: [GatewayDomain("samples", feedItemSources: items + [follows])])
        return sources
    }

    private static func contents(of subjects: [Int64], in reader: ReadTransaction) throws -> [Int64: FeedContent] {
        try reader.rows(
            "SELECT number, id, source, version FROM sample_items WHERE number IN (\(list: subjects))"
        ).reduce(into: [:]) { contents, row in
            let (source, version): (String, Int) = (try row["source"], try row["version"])
            contents[try row["number"]] = FeedContent(
                id: try row["id"], foldSource: source,
                json: JSONWriter.object { json in
                    json.member("source", source)
                    json.member("version", version)
                })
        }
    }
}
