import Storage

extension [PersonalTable] {
    /// The tables of accounts.
    package static let accounts: Self = [
        PersonalTable(
            "users", keys: ["id"], owner: .person(column: "id"), erasure: .cascade,
            export: .rows(
                member: "profile",
                [
                    .init("id", "id"), .init("name", "username"), .init("display_name", "displayName"),
                    .init("bio", "bio"), .init("picture_url", "pictureURL"), .init("home_city", "homeCity"),
                    .init("email", "email"), .init("google_subject", "googleSubject"),
                    .init("profile_visibility", "profileVisibility"),
                    .init("show_listening_stats", "showListeningStats", .flag), .init("is_admin", "isAdmin", .flag),
                    .init("time_zone", "timeZone"),
                    // The token itself is a secret of the service that sends the messages.
                    .init(
                        "push_token", "hasPushToken", .flag,
                        as: "CASE WHEN users.push_token IS NULL THEN 0 ELSE 1 END"),
                    .init("created_at", "createdAt", .time), .init("updated_at", "updatedAt", .time),
                ])),
        PersonalTable(
            "tokens", keys: ["id"], erasure: .cascade,
            export: .rows(
                member: "tokens",
                [
                    .init("id", "id"), .init("name", "name"), .init("scope", "scope"),
                    .init("made_with", "madeWith"), .init("created_at", "createdAt", .time),
                    .init("last_used_at", "lastUsedAt", .time), .init("expires_at", "expiresAt", .time),
                ])),
        PersonalTable(
            "sessions", keys: ["id"], erasure: .cascade,
            export: .rows(
                member: "sessions",
                [
                    .init("id", "id"), .init("user_agent", "userAgent"), .init("created_at", "createdAt", .time),
                    .init("last_used_at", "lastUsedAt", .time), .init("expires_at", "expiresAt", .time),
                    .init("ends_at", "endsAt", .time),
                ])),
        PersonalTable(
            "sign_in_links", keys: ["hash"], erasure: .cascade,
            export: .nothing(because: "secret, expires within ten minutes")),
        PersonalTable(
            "erasures", keys: ["user_id"], erasure: .atEnd,
            export: .nothing(because: "only for erased people")),
    ]
}
