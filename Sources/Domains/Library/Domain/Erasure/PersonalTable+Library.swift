import Storage

extension [PersonalTable] {
    /// The tables of libraries. They are erased by the steps of `libraries`, which know the library's key.
    static let library: Self = [
        PersonalTable(
            "libraries", keys: ["id"],
            erasure: .steps(.ofLibrary),
            export: .rows(
                member: "librarySettings",
                [
                    .init("remasters_differ", "remastersDiffer", .flag),
                    .init("identity_rules", "identityRules", .number),
                ]),
            omits: [
                .keys("id"),
                .derived(
                    "tracks", "apple_tracks", "spotify_tracks", "shared_tracks", "missing_tracks", "playlists",
                    "albums", "identity_stage", "identity_after", "last_synced_at"), .internals("songs_change"),
            ],
            showsLeftovers: true),
        PersonalTable(
            "library_accounts", keys: ["source", "account"], owner: ofLibrary, erasure: .with("libraries"),
            export: .rows(
                member: "libraryAccounts",
                [.init("source", "source", .musicSource), .init("account", "account")]), omits: [.keys("id")]),
        PersonalTable(
            "library_readings", keys: ["source", "list"], owner: ofLibrary, erasure: .with("libraries"),
            export: .nothing(because: "fingerprints that show a sync whether anything has changed")),
        PersonalTable(
            "library_sources", keys: ["source"], owner: ofLibrary, erasure: .with("libraries"),
            export: .nothing(because: "when each source was last read, which is also in the syncs")),
        PersonalTable(
            "library_tracks", keys: ["added_at", "id"], owner: ofLibrary, erasure: .with("libraries"),
            export: .rows(
                member: "libraryTracks",
                [
                    .init("id", "id", .libraryID), .init("title", "title"), .init("artist", "artist"),
                    .init("album", "album"), .init("isrc", "isrc"), .init("is_saved", "inLibrary", .flag),
                    .init("missing_since", "missingSince", .time), .init("added_at", "addedAt", .time),
                ]),
            omits: [
                .derived(
                    "title_key", "artist_key", "album_key", "sources", "album_artist", "composer", "genres",
                    "duration_ms", "is_explicit", "disc_number", "track_number", "album_position", "release_date",
                    "artwork", "plays", "listens", "total_plays")
            ]),
        PersonalTable(
            "library_source_tracks", keys: ["source", "source_id"], owner: ofLibrary, erasure: .with("libraries"),
            export: .rows(
                member: "librarySourceTracks",
                [
                    .init("id", "id", .libraryID), .init("track_id", "trackID", .libraryID),
                    .init("source", "source", .musicSource), .init("source_id", "sourceID"),
                    .init("is_saved", "inLibrary", .flag), .init("missing_since", "missingSince", .time),
                    .init("title", "title"), .init("artist", "artist"), .init("album", "album"),
                    .init("catalog_id", "catalogID"), .init("storefront", "storefront"),
                    .init("album_artist", "albumArtist"), .init("composer", "composer"), .init("genres", "genres"),
                    .init("duration_ms", "durationMs", .number), .init("isrc", "isrc"),
                    .init("is_explicit", "explicit", .flag), .init("disc_number", "discNumber", .number),
                    .init("track_number", "trackNumber", .number), .init("release_date", "releaseDate"),
                    .init("artwork", "artwork"), .init("added_at", "addedAt", .time),
                    .init("popularity", "popularity", .number), .init("preview", "previewURL"),
                    .init("plays", "playCount", .number), .init("last_played_at", "lastPlayedAt", .time),
                    .init("rating", "rating", .number), .init("created_at", "createdAt", .time),
                ]), omits: [.keys("account_id"), .internals("synced_at")]),
        PersonalTable(
            "library_playlists", keys: ["id"], erasure: .with("libraries"),
            export: .rows(
                member: "libraryPlaylists",
                [
                    .init("id", "id", .libraryID), .init("source", "source", .musicSource),
                    .init("source_id", "sourceID"), .init("name", "name"), .init("description", "description"),
                    .init("owner_id", "ownerID"), .init("owner_name", "owner"),
                    .init("is_public", "isPublic", .flag), .init("is_collaborative", "isCollaborative", .flag),
                    .init("artwork", "artwork"), .init("entry_count", "trackCount", .number),
                    .init("entries_version", "version", .number), .init("added_at", "addedAt", .time),
                    .init("missing_since", "missingSince", .time),
                ]),
            omits: [
                .keys("library_id", "account_id"), .derived("name_key"),
                .internals(
                    "can_edit", "entries_state", "edits", "upstream_version", "is_due", "due_version", "listed_count",
                    "read_count", "read_at", "synced_at"),
            ]),
        PersonalTable(
            "library_playlist_entries", keys: ["playlist_id", "version", "position"],
            owner: .row(column: "playlist_id", of: "library_playlists"), erasure: .with("libraries"),
            export: .rows(
                member: "libraryPlaylistEntries",
                [
                    .init("playlist_id", "playlistID", .libraryID), .init("version", "version", .number),
                    .init("position", "position", .number), .init("kind", "kind"), .init("title", "title"),
                    .init("source_track_id", "sourceTrackID", .libraryID), .init("added_at", "addedAt", .time),
                ])),
        PersonalTable(
            "library_albums", keys: ["source", "source_id"], owner: ofLibrary, erasure: .with("libraries"),
            export: .rows(
                member: "libraryAlbums",
                [
                    .init("id", "id", .libraryID), .init("source", "source", .musicSource),
                    .init("source_id", "sourceID"), .init("name", "name"), .init("artist", "artist"),
                    .init("artwork", "artwork"), .init("release_date", "releaseDate"),
                    .init("track_count", "trackCount", .number), .init("genres", "genres"),
                    .init("added_at", "addedAt", .time), .init("missing_since", "missingSince", .time),
                ]), omits: [.keys("account_id"), .derived("name_key", "artist_key"), .internals("synced_at")]),
        PersonalTable(
            "library_changes", keys: ["id"], owner: ofLibrary, erasure: .with("libraries"),
            export: .rows(
                member: "libraryChanges",
                [
                    .init("at", "at", .time), .init("kind", "kind"), .init("item", "item"),
                    .init("item_id", "itemID", .libraryID), .init("source", "source", .musicSource),
                    .init("title", "title"), .init("entries_version", "replacedVersion", .number),
                ]), omits: [.keys("id"), .internals("sync")]),
        PersonalTable(
            "library_decisions", keys: ["id"], owner: ofLibrary, erasure: .with("libraries"),
            export: .rows(
                member: "libraryDecisions",
                [.init("id", "id", .libraryID), .init("kind", "kind"), .init("at", "at", .time)]),
            omits: [.keys("split_track_id"), .derived("holds_sides")]),
        PersonalTable(
            "library_decision_tracks", keys: ["decision_id", "source", "source_id"], owner: ofLibrary,
            erasure: .with("libraries"),
            export: .rows(
                member: "libraryDecisionTracks",
                [
                    .init("decision_id", "decisionID", .libraryID), .init("source", "source", .musicSource),
                    .init("source_id", "sourceID"), .init("side", "side", .number),
                ])),
        PersonalTable(
            "library_former_tracks", keys: ["id"], owner: ofLibrary, erasure: .with("libraries"),
            export: .nothing(because: "ids that the tracks above had before they were merged")),
        PersonalTable(
            "library_duplicates", keys: ["first_track_id", "second_track_id"], owner: ofLibrary,
            erasure: .with("libraries"), export: .nothing(because: "pairs of similar tracks among those above")),
        PersonalTable(
            "library_identity_keys", keys: ["identity_key", "source_track_id"], owner: ofLibrary,
            erasure: .with("libraries"), export: .nothing(because: "hashes of the names of the source tracks above")),
        PersonalTable(
            "library_fetched_pages", keys: ["source", "place"], owner: ofLibrary, erasure: .with("libraries"),
            export: .nothing(because: "pages of the tracks above during a sync")),
        PersonalTable(
            "library_sightings", keys: ["source", "item", "item_id"], owner: ofLibrary, erasure: .with("libraries"),
            export: .nothing(because: "which rows the last sync saw")),
        PersonalTable(
            "library_search_blocks", keys: ["first_id"], owner: ofLibrary, erasure: .with("libraries"),
            export: .nothing(because: "the texts of the tracks above in a searchable form")),
        PersonalTable(
            "library_syncs", keys: ["id"], erasure: .rows,
            export: .rows(
                member: "librarySyncs",
                [
                    .init("id", "id"), .init("state", "state"), .init("asked_at", "askedAt", .time),
                    .init("started_at", "startedAt", .time), .init("finished_at", "finishedAt", .time),
                    .init("merged", "merged", .number),
                ]), omits: [.keys("number"), .internals("sources", "is_single", "is_forced")]),
        PersonalTable(
            "library_sync_sources", keys: ["sync_id", "source"], owner: .row(column: "sync_id", of: "library_syncs"),
            erasure: .with("library_syncs"), export: .nothing(because: "the progress of syncs")),
        PersonalTable(
            "library_imports", keys: ["id"], erasure: .rows,
            export: .rows(
                member: "libraryImports",
                [
                    .init("id", "id", .libraryID), .init("filename", "filename"), .init("kind", "kind"),
                    .init("state", "state"), .init("bytes", "bytes", .number), .init("rows_new", "new", .number),
                    .init("rows_joined", "joined", .number), .init("rows_skipped", "skipped", .number),
                    .init("error", "error"), .init("created_at", "createdAt", .time),
                    .init("finished_at", "finishedAt", .time),
                ]), omits: [.internals("file", "pruning_since", "pruned_at")]),
        PersonalTable(
            "library_import_skips", keys: ["import_id", "number"], erasure: .rows,
            export: .rows(
                member: "libraryImportSkips",
                [
                    .init("import_id", "importID", .libraryID), .init("line", "line", .number),
                    .init("reason", "reason"),
                ]), omits: [.keys("number")]),
        PersonalTable(
            "library_import_items", keys: ["import_id", "item", "item_id"], erasure: .rows,
            export: .nothing(because: "which of the songs and playlists above came from which file")),
        PersonalTable(
            "library_copies", keys: ["id"], erasure: .rows,
            export: .rows(
                member: "libraryCopies",
                [
                    .init("id", "id", .libraryID), .init("playlist_id", "playlistID", .libraryID),
                    .init("name", "name"), .init("description", "description"),
                    .init("target", "to", .musicSource), .init("state", "state"),
                    .init("total", "total", .number), .init("made_id", "madeID", .libraryID),
                    .init("error_code", "error"), .init("error_message", "errorMessage"),
                    .init("created_at", "createdAt", .time), .init("finished_at", "finishedAt", .time),
                ]), omits: [.keys("last_edit", "job_id"), .internals("entries_version", "repeats", "restores")]),
        PersonalTable(
            "library_copy_entries", keys: ["copy_id", "position"], erasure: .rows,
            export: .rows(
                member: "libraryCopyEntries",
                [
                    .init("copy_id", "copyID", .libraryID), .init("position", "position", .number),
                    .init("state", "state"), .init("title", "title"), .init("artist", "artist"),
                    .init("reference", "uri"), .init("tried", "tried", .json), .init("nearest", "nearest", .json),
                ]), omits: [.keys("source_track_id", "edit_id"), .internals("written_id", "other_id")]),
        PersonalTable(
            "library_copy_choices", keys: ["source", "source_id", "target"], erasure: .rows,
            export: .rows(
                member: "libraryCopyChoices",
                [
                    .init("source", "source", .musicSource), .init("source_id", "sourceID"),
                    .init("target", "to", .musicSource), .init("reference", "uri"),
                ])),
        PersonalTable(
            "library_edits", keys: ["id"], erasure: .rows, large: ["undo", "missing"],
            export: .rows(
                member: "libraryEdits",
                [
                    .init("id", "id", .libraryID), .init("source", "source", .musicSource), .init("kind", "kind"),
                    .init("state", "state"), .init("target", "target"), .init("title", "title"),
                    .init("playlist_id", "playlistID", .libraryID), .init("done", "done", .number),
                    .init("total", "total", .number), .init("error_code", "error"),
                    .init("missing", "missing", .json),
                    .init("error_message", "errorMessage"), .init("question", "question"),
                    .init("created_at", "createdAt", .time), .init("finished_at", "finishedAt", .time),
                ]), omits: [.keys("library_id", "account_id", "job_id", "part_of"), .internals("undo", "restores")]),
        PersonalTable(
            "library_edit_steps", keys: ["edit_id", "number"],
            owner: .row(column: "edit_id", of: "library_edits"), erasure: .with("library_edits"),
            large: ["action"],
            export: .rows(
                member: "libraryEditSteps",
                [
                    .init("edit_id", "editID", .libraryID), .init("number", "number", .number),
                    .init("action", "action", .json), .init("state", "state"), .init("sent_at", "sentAt", .time),
                    .init("answered_at", "answeredAt", .time),
                ]), omits: [.internals("before", "after", "lost_at")]),
        PersonalTable(
            "library_edit_holds", keys: ["edit_id", "item", "item_id"],
            owner: .row(column: "edit_id", of: "library_edits"), erasure: .with("library_edits"),
            export: .nothing(because: "which rows syncs leave alone while edits change them")),
    ]

    private static let ofLibrary = PersonalTable.Owner.row(column: "library_id", of: "libraries", key: "id")
}
