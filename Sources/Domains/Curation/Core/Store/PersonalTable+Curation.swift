import Storage

extension [PersonalTable] {
    /// The tables of lists that are made for people.
    package static let curation: Self = [
        PersonalTable(
            "curated_lists", keys: ["id"], erasure: .rows, large: ["request", "answer", "found", "sent", "dropped"],
            export: .rows(
                member: "curatedLists",
                [
                    .init("id", "id"), .init("kind", "kind"), .init("request", "request", .json),
                    .init("state", "state"), .init("title", "title"), .init("model", "model"),
                    .init("total_tokens", "totalTokens", .number), .init("input_tokens", "inputTokens", .number),
                    .init("output_tokens", "outputTokens", .number), .init("cost_amount", "cost"),
                    .init("cost_currency", "costCurrency"), .init("sent", "sent", .json),
                    .init("answer", "answer", .json), .init("found", "found", .json),
                    .init("dropped", "dropped", .json), .init("fallback", "fallback"),
                    .init("error_code", "error"), .init("error_message", "errorMessage"),
                    .init("is_scheduled", "isScheduled", .flag), .init("created_at", "createdAt", .time),
                    .init("finished_at", "finishedAt", .time), .init("removed_songs", "removedSongs", .number),
                    .init(
                        "partner_id", "with",
                        as: """
                            (SELECT users.name FROM users
                                JOIN people AS partners ON partners.user_id = users.id
                                JOIN people AS own ON own.user_id = curated_lists.user_id
                            WHERE users.id = curated_lists.partner_id AND partners.state = 0
                                AND partners.visibility > 0 AND NOT EXISTS (
                                    SELECT 1 FROM blocks
                                    WHERE blocks.blocker = own.key AND blocks.blocked = partners.key
                                        OR blocks.blocker = partners.key AND blocks.blocked = own.key))
                            """),
                ]),
            omits: [
                .keys("job_id"), .internals("calls", "pending_tokens", "pending_month", "cache_key"),
            ], mentions: ["partner_id"]),
        PersonalTable(
            "curated_tracks", keys: ["list_id", "position"], erasure: .rows, large: ["track"],
            export: .rows(
                member: "curatedTracks",
                [
                    .init("list_id", "listID"), .init("position", "position", .number),
                    // As `CurationStore.tracks(of:)` shows them.
                    .init(
                        "track", "track", .json,
                        part: .init(
                            where: """
                                EXISTS (
                                    SELECT 1 FROM curated_lists
                                    WHERE curated_lists.user_id = curated_tracks.user_id
                                        AND curated_lists.id = curated_tracks.list_id
                                        AND curated_lists.kind = 'blend' AND curated_lists.partner_id IS NULL)
                                """
                        ) { text in
                            let track: CuratedTrack = try JSONColumn.decode(text, column: "track")
                            return try JSONColumn.encode(track.withoutPartner())
                        }),
                ])),
        PersonalTable(
            "blend_partners", keys: ["partner_id"],
            // This includes the partners' rows, which name the person.
            erasure: .steps([
                ErasureStep { reader, userID, limit in
                    try reader.curation.everyPartner(of: userID, limit: limit).map { .init($0) }
                } erase: { transaction, userID, partners in
                    for partner in partners { try transaction.curation.erase(partner, and: userID) }
                },
                // The blends of others that name the person. No more of them are written, since both people must agree.
                ErasureStep { reader, userID, limit in
                    try reader.curation.lists(naming: userID, limit: limit)
                } erase: { transaction, _, lists in
                    try transaction.curation.forgetPartner(inLists: lists)
                },
            ]),
            export: .rows(
                member: "blendPartners",
                [
                    // As the list of partners shows them (`BlendPartner.facet`).
                    .init(
                        "partner_id", "username",
                        as: """
                            COALESCE((
                                SELECT users.name FROM users
                                    JOIN people AS partners ON partners.user_id = users.id
                                    JOIN people AS own ON own.user_id = blend_partners.user_id
                                WHERE users.id = blend_partners.partner_id AND partners.state = 0
                                    AND (partners.visibility > 0 OR blend_partners.state <> 'asking')
                                    AND NOT EXISTS (
                                        SELECT 1 FROM blocks
                                        WHERE blocks.blocker = own.key AND blocks.blocked = partners.key
                                            OR blocks.blocker = partners.key AND blocks.blocked = own.key)),
                                blend_partners.name)
                            """),
                    .init("state", "state"), .init("since_at", "since", .time),
                ]), omits: [.keys("id"), .derived("name")],
            showsLeftovers: true),
        PersonalTable(
            "former_blend_partners", keys: ["partner_id"], erasure: .steps([.formerBlendPartners]),
            export: .nothing(because: "from whom blends are still to be separated")),
        PersonalTable(
            "recommended_songs", keys: ["number"], erasure: .rows,
            export: .nothing(because: "which songs of the lists, which are exported, are in the feed")),
        PersonalTable(
            "curation_settings", keys: ["user_id"], erasure: .rows,
            export: .rows(member: "curationSettings", [.init("model", "model")])),
        PersonalTable(
            "curation_dismissals", keys: ["reference"], erasure: .rows,
            export: .rows(
                member: "curationDismissals",
                [
                    .init("reference", "song"), .init("title", "title"), .init("artist", "artist"),
                    .init("album", "album"), .init("duration_ms", "durationMs", .number), .init("isrc", "isrc"),
                    .init("dismissed_at", "dismissedAt", .time),
                ])),
        PersonalTable(
            "curation_usage", keys: ["month"], erasure: .rows,
            export: .rows(
                member: "curationUsage", [.init("month", "month"), .init("tokens", "tokens", .number)])),
    ]
}
