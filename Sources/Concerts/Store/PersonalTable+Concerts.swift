import Storage

extension [PersonalTable] {
    /// The tables of concerts that have rows of people; events and places are everybody's.
    package static let concerts: Self = [
        PersonalTable(
            "ranked_artists", keys: ["id"], erasure: .rows,
            export: .rows(
                member: "artists", [.init("id", "id"), .init("rank", "rank", .number), .init("name", "name")])),
        PersonalTable(
            "concert_searches", keys: ["id"], erasure: .rows,
            export: .rows(
                member: "concertSearches",
                [
                    .init("id", "id"), .init("kind", "kind"), .init("home_city", "homeCity"),
                    .init("created_at", "createdAt", .time), .init("cancelled_at", "cancelledAt", .time),
                ])),
        PersonalTable(
            "concert_search_subjects", keys: ["search_id", "rank"],
            owner: .row(column: "search_id", of: "concert_searches"), erasure: .rows,
            export: .rows(
                member: "concertSearchSubjects",
                [
                    .init("search_id", "searchID"), .init("rank", "rank", .number), .init("name", "name"),
                    .init("status", "status"), .init("warning_code", "warningCode"),
                ])),
    ]
}
