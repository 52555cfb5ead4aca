import JobStorage
import Storage

extension [PersonalTable] {
    /// The tables of concerts that contain people's rows. Events, targets and cities belong to nobody.
    package static let concerts: Self = [
        PersonalTable(
            "ranked_artists", keys: ["id"], erasure: .rows,
            export: .rows(
                member: "artists",
                [
                    .init("id", "id"), .init("rank", "rank", .number), .init("name", "name"),
                    .init("spotify_id", "spotifyId"), .init("picture", "picture"), .init("genres", "genres"),
                ])),
        PersonalTable(
            "artist_lists", keys: ["user_id"], erasure: .rows,
            export: .nothing(because: "only when the list of artists was saved")),
        PersonalTable(
            "concert_searches", keys: ["id"],
            erasure: .steps([
                // Cancels lookups that only this person waits for; the others are queued under the next person who
                // waits.
                ErasureStep { reader, userID, limit in
                    // Each search together with the rows of its targets.
                    try reader.concerts.searches(ofUser: userID, limit: limit)
                        .map { .init($0, bytes: ArtistList.capacity * 4_096) }
                } erase: { transaction, _, ids in
                    _ = try ConcertSearches.delete(ids, as: .erased, in: transaction)
                }
            ]),
            export: .rows(
                member: "concertSearches",
                [
                    .init("id", "id"), .init("kind", "kind"), .init("home_city", "homeCity"),
                    .init("created_at", "createdAt", .time), .init("cancelled_at", "cancelledAt", .time),
                ]), omits: [.internals("is_running")], showsLeftovers: true),
        PersonalTable(
            "concert_search_subjects", keys: ["search_id", "rank"],
            owner: .row(column: "search_id", of: "concert_searches"), erasure: .with("concert_searches"),
            export: .rows(
                member: "concertSearchSubjects",
                [
                    .init("search_id", "searchID"), .init("rank", "rank", .number), .init("name", "name"),
                    .init("status", "status"), .init("warning_code", "warningCode"),
                ]), omits: [.keys("artist_id", "subject_key", "job_id"), .internals("resets_at", "waits_since")]),
        PersonalTable(
            "concert_readers", keys: ["user_id"], erasure: .rows,
            export: .nothing(because: "only when the feed was first opened")),
        PersonalTable(
            "concert_watches", keys: ["topic"], erasure: .rows,
            export: .nothing(because: "follows from the list of artists and the home city")),
        PersonalTable(
            "concert_coming_shows", keys: ["number"], erasure: .rows,
            export: .nothing(because: "only which artists and cities the feed has introduced")),
        PersonalTable(
            "concert_calendars", keys: ["user_id"], erasure: .rows,
            export: .rows(
                member: "concertCalendar",
                [
                    .init(
                        "places", "places",
                        as: "CASE WHEN concert_calendars.places = 2 THEN 'anywhere' ELSE 'home' END"),
                    .init("made_at", "madeAt", .time), .init("read_at", "lastReadAt", .time),
                ]), omits: [.secrets("token")]),
    ]
}
