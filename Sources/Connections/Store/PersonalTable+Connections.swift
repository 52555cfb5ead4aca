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
                    .init("account_id", "accountID"), .init("account_name", "accountName"), .init("scopes", "scopes"),
                    .init("authorized_at", "authorizedAt", .time), .init("renew_by", "renewBy", .time),
                    .init("updated_at", "updatedAt", .time),
                ]))
    ]
}
