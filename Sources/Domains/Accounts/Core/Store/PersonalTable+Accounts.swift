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
                    .init("is_admin", "isAdmin", .flag), .init("time_zone", "timeZone"),
                    .init("listening_name", "listeningName"), .init("name_changed_at", "usernameChangedAt", .time),
                    .init("suspended_at", "suspendedAt", .time), .init("last_seen_at", "lastSeenAt", .time),
                    .init("created_at", "createdAt", .time), .init("updated_at", "updatedAt", .time),
                ]), omits: [.derived("name_key", "picture_address"), .internals("name_state", "shows_onboarding")]),
        PersonalTable(
            "former_names", keys: ["name_key"], erasure: .cascade,
            export: .rows(
                member: "formerUsernames",
                [
                    .init("name", "username"), .init("ended_at", "endedAt", .time),
                    .init("held_until", "heldUntil", .time), .init("leads_on", "leadsOn", .flag),
                ]), omits: [.derived("name_key")]),
        PersonalTable(
            "account_words", keys: ["word", "name_key"], erasure: .cascade,
            export: .nothing(because: "the words of the names in the profile")),
        PersonalTable(
            "tokens", keys: ["id"], erasure: .cascade,
            export: .rows(
                member: "tokens",
                [
                    .init("id", "id"), .init("name", "name"), .init("scope", "scope"),
                    .init("made_with", "madeWith"), .init("created_at", "createdAt", .time),
                    .init("last_used_at", "lastUsedAt", .time), .init("expires_at", "expiresAt", .time),
                ]), omits: [.secrets("hash")]),
        PersonalTable(
            "sessions", keys: ["id"], erasure: .cascade,
            export: .rows(
                member: "sessions",
                [
                    .init("id", "id"), .init("user_agent", "userAgent"), .init("created_at", "createdAt", .time),
                    .init("last_used_at", "lastUsedAt", .time), .init("expires_at", "expiresAt", .time),
                    .init("ends_at", "endsAt", .time),
                ]), omits: [.secrets("hash", "token_hash")]),
        PersonalTable(
            "sign_in_links", keys: ["hash"], erasure: .cascade,
            export: .nothing(because: "secret, expires within ten minutes")),
        PersonalTable(
            "invitations", keys: ["hash"], erasure: .cascade,
            export: .rows(
                member: "invitations",
                [
                    .init("id", "id"), .init("created_at", "createdAt", .time),
                    .init("expires_at", "expiresAt", .time),
                ]), omits: [.secrets("hash")]),
        PersonalTable(
            "person_pictures", keys: ["user_id"], erasure: .cascade,
            export: .rows(
                member: "profilePicture",
                [
                    .init("address", "address"), .init("type", "type"), .init("bytes", "bytes", .bytes),
                    .init("created_at", "createdAt", .time),
                ])),
        PersonalTable(
            "erasures", keys: ["user_id"], erasure: .atEnd,
            export: .nothing(because: "only for erased people")),
    ]
}
