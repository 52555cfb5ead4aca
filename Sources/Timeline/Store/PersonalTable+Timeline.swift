import Storage
import Visibility

extension [PersonalTable] {
    /// The tables of feeds. What the items contain is in the export of each domain.
    package static let timeline: Self = [
        PersonalTable(
            "timeline_items", keys: ["score", "number"], owner: person("author"), erasure: .steps([.items]),
            export: .nothing(because: "where the items are in feeds, which follows from their times")),
        PersonalTable(
            "timeline_latest", keys: ["author"], owner: person("author"), erasure: .with("timeline_items"),
            export: .nothing(because: "the time of the person's last item")),
        PersonalTable(
            "timeline_openings", keys: ["author"], owner: person("author"), erasure: .with("people"),
            export: .nothing(because: "when programs of others have to read their feeds again")),
        PersonalTable(
            "timeline_own_items", keys: ["score", "number"], owner: person("person"), erasure: .rows,
            export: .nothing(because: "where the items are in the feed, which follows from their times")),
        PersonalTable(
            "timeline_topic_readers", keys: ["topic", "reason"], owner: person("person"), erasure: .steps([.topics]),
            export: .nothing(because: "made from the home city, the ranked artists and the listens")),
        PersonalTable(
            "timeline_resets", keys: ["person"], owner: person("person"), erasure: .with("people"),
            export: .nothing(because: "when the person's programs have to read the feed again")),
    ]

    private static func person(_ column: StaticString) -> PersonalTable.Owner {
        .row(column: column, of: "people", key: "key")
    }
}

extension ErasureStep {
    /// The items of the person, whom nobody sees any longer.
    fileprivate static let items = ErasureStep { reader, userID, limit in
        guard let person = try reader.visibility.key(ofUser: userID) else { return [] }
        return try reader.map("SELECT number FROM timeline_items WHERE author = \(person) LIMIT \(limit)") {
            Item(String(try $0["number"] as Int64))
        }
    } erase: { transaction, userID, numbers in
        guard let person = try transaction.visibility.key(ofUser: userID) else { return }
        _ = try transaction.timeline.removeItems(of: TimelineAuthor(person), limit: numbers.count)
    }

    /// What the person reads about. A topic that nobody else reads goes at once: it may say what the person heard.
    fileprivate static let topics = ErasureStep { reader, userID, limit in
        guard let person = try reader.visibility.key(ofUser: userID) else { return [] }
        return try reader.map(
            "SELECT DISTINCT topic FROM timeline_topic_readers WHERE person = \(person) LIMIT \(limit)"
        ) { Item(String(try $0["topic"] as Int64)) }
    } erase: { transaction, userID, topics in
        guard let person = try transaction.visibility.key(ofUser: userID) else { return }
        for topic in topics.compactMap({ Int64($0) }) {
            try transaction.timeline.removeReader(person, of: TimelineAuthor(rawValue: topic))
        }
    }
}
