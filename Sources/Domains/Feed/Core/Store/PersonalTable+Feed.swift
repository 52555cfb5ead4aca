import Storage
import Visibility

extension [PersonalTable] {
    /// The tables of what people hide, mute and have read.
    package static let feed: Self = [
        PersonalTable(
            "feed_marks", keys: ["person"], owner: person("person"), erasure: .with("people"),
            export: .nothing(because: "how far the person has read the feed")),
        PersonalTable(
            "feed_muted_kinds", keys: ["kind"], owner: person("person"), erasure: .with("people"),
            export: .rows(
                member: "mutedFeedKinds",
                [
                    .init(
                        "kind", "kind",
                        as: """
                            CASE feed_muted_kinds.kind WHEN 1 THEN 'share' WHEN 2 THEN 'concert' WHEN 3 THEN 'release'
                            WHEN 4 THEN 'follow' WHEN 5 THEN 'recommendation' WHEN 6 THEN 'comingShows'
                            ELSE 'sentSong' END
                            """),
                    .init("muted_at", "mutedAt", .time),
                ])),
        PersonalTable(
            "feed_hidden_items", keys: ["kind", "item"], owner: person("person"), erasure: .rows,
            export: .rows(
                member: "hiddenFeedItems",
                [
                    .init(
                        "kind", "kind",
                        as: """
                            CASE feed_hidden_items.kind WHEN 1 THEN 'share' WHEN 2 THEN 'concert' WHEN 3 THEN 'release'
                            WHEN 4 THEN 'follow' WHEN 5 THEN 'recommendation' WHEN 6 THEN 'comingShows'
                            ELSE 'sentSong' END
                            """),
                    .init("item", "id"), .init("hidden_at", "hiddenAt", .time),
                ])),
        PersonalTable(
            "feed_openings", keys: ["person"], owner: person("person"), erasure: .with("people"),
            export: .rows(
                member: "feedOpenings",
                [.init("first_at", "firstAt", .time), .init("last_at", "lastAt", .time)])),
    ]

    private static func person(_ column: StaticString) -> PersonalTable.Owner {
        .row(column: column, of: "people", key: "key")
    }
}
