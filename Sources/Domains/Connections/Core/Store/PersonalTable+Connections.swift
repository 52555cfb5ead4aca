import Storage

extension [PersonalTable] {
    /// The tables of connections.
    package static let connections: Self = [
        PersonalTable(
            "connections", keys: ["provider"], erasure: .cascade,
            export: .rows(
                member: "connections",
                [
                    .init("provider", "provider"), .init("state", "state"), .init("reason", "reason"),
                    .init("account_id", "accountID"), .init("account_user_id", "accountUserID"),
                    .init("account_name", "accountName"), .init("details", "details", .json),
                    .init("scopes", "scopes"), .init("client_id", "clientID"), .init("until", "until", .time),
                    .init("authorized_at", "authorizedAt", .time), .init("renew_by", "renewBy", .time),
                    .init("updated_at", "updatedAt", .time),
                ]), omits: [.internals("token_expires_at", "refresh_owner", "refresh_expires_at", "refresh_boot")]),
        PersonalTable(
            "former_accounts", keys: ["provider", "account_id"], erasure: .cascade,
            export: .rows(
                member: "formerAccounts",
                [
                    .init("provider", "provider"), .init("account_id", "accountID"),
                    .init("account_name", "accountName"), .init("replaced_at", "replacedAt", .time),
                ])),
        PersonalTable(
            "personal_apps", keys: ["provider"], erasure: .cascade,
            export: .rows(
                member: "personalApps",
                [
                    .init("provider", "provider"), .init("client_id", "clientID"),
                    .init("entered_at", "enteredAt", .time),
                ])),
    ]
}
