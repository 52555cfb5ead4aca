import Storage

extension [PersonalTable] {
    /// The tables of listens. Their rows are found by the key of the person's history. The table of histories comes
    /// first, so it is erased last: all rows that are left go with it, in one transaction.
    package static let listening: Self = [
        PersonalTable(
            "listen_histories", keys: ["id"], erasure: .rows,
            export: .nothing(because: "the key that the other tables share, and counters")),
        PersonalTable(
            "listens", keys: ["started_at", "id"], owner: ofHistory, erasure: .rows,
            export: .rows(
                member: "listens",
                [
                    .init("id", "id", .libraryID), .init("started_at", "listenedAt", .time),
                    .init("song_id", "songID", .number), .init("played_ms", "durationPlayedMs", .number),
                ]), omits: [.derived("sources")]),
        PersonalTable(
            "listen_observations", keys: ["started_at", "id"], owner: ofHistory, erasure: .rows,
            export: .rows(
                member: "listenObservations",
                [
                    .init("started_at", "startedAt", .time), .init("time", "said", .time),
                    .init("source", "source", .number), .init("song_id", "songID", .number),
                    .init("played_ms", "durationPlayedMs", .number), .init("source_id", "sourceID"),
                    .init("client_id", "clientID", .number), .init("details_id", "detailsID", .number),
                    .init("listen_id", "listenID", .libraryID), .init("is_deleted", "isDeleted", .flag),
                ]), omits: [.keys("id", "import_id"), .internals("form")]),
        PersonalTable(
            "listen_songs", keys: ["id"], owner: ofHistory, erasure: .rows,
            export: .rows(
                member: "listenSongs",
                [
                    .init("id", "id", .number), .init("title", "title"), .init("artist", "artist"),
                    .init("album", "album"), .init("duration_ms", "durationMs", .number), .init("isrc", "isrc"),
                    .init("recording_mbid", "recordingMBID"), .init("spotify_id", "spotifyID"),
                    .init("apple_music_id", "appleMusicID"),
                ]), omits: [.keys("track_id"), .derived("said_key", "plays")]),
        PersonalTable(
            "listen_tracks_to_count", keys: ["track_id"], owner: ofHistory, erasure: .rows,
            export: .nothing(because: "tracks whose listens are about to be counted")),
        PersonalTable(
            "listen_details", keys: ["id"], owner: ofHistory, erasure: .rows, large: ["details"],
            export: .rows(
                member: "listenDetails", [.init("id", "id", .number), .init("details", "details", .json)]),
            omits: [.derived("said_key")]),
        PersonalTable(
            "listen_clients", keys: ["id"], owner: ofHistory, erasure: .rows,
            export: .rows(member: "listenClients", [.init("id", "id", .number), .init("name", "name")])),
        PersonalTable(
            "listen_repeats", keys: ["import_id", "started_at", "observation_id"], owner: ofHistory, erasure: .rows,
            export: .nothing(because: "which imports repeated the same listens, needed only for undoing them")),
        PersonalTable(
            "listen_contacts", keys: ["source"], owner: ofHistory, erasure: .rows,
            export: .rows(
                member: "listenSources", [.init("source", "source", .number), .init("last_at", "lastContact", .time)])),
        PersonalTable(
            "listen_gaps", keys: ["source", "from_at"], owner: ofHistory, erasure: .rows,
            export: .rows(
                member: "listenGaps",
                [
                    .init("source", "source", .number), .init("from_at", "from", .time), .init("to_at", "to", .time),
                ])),
        PersonalTable(
            "listen_spotify_reads", keys: ["history_id"], owner: ofHistory, erasure: .rows,
            export: .nothing(because: "how far Spotify's list of plays was read")),
        PersonalTable(
            "listen_latest_imports", keys: ["service"], owner: ofHistory, erasure: .rows,
            export: .rows(
                member: "listenLatestImports", [.init("service", "service"), .init("latest", "latest", .number)])),
        PersonalTable(
            "listen_feedback", keys: ["id"], owner: ofHistory, erasure: .rows,
            export: .rows(
                member: "listenFeedback",
                [
                    .init("id", "id", .libraryID), .init("recording_msid", "recordingMSID"),
                    .init("recording_mbid", "recordingMBID"), .init("score", "score", .number),
                    .init("created_at", "createdAt", .time), .init("song_id", "songID", .number),
                    .init("title", "title"), .init("artist", "artist"), .init("album", "album"),
                ]), omits: [.derived("song_key")]),
        PersonalTable(
            "listen_months", keys: ["month"], owner: ofHistory, erasure: .rows,
            export: .nothing(because: "which months have changed, which follows from the listens")),
        PersonalTable(
            "listen_removals", keys: ["source"], owner: ofHistory, erasure: .rows,
            export: .nothing(because: "removals in progress")),
    ]

    private static let ofHistory = PersonalTable.Owner.row(column: "history_id", of: "listen_histories")
}
