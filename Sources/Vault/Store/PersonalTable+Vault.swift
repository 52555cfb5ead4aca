import Storage

extension [PersonalTable] {
    /// The tables with sealed values.
    package static let vault: Self = [
        PersonalTable(
            "secrets", keys: ["provider", "field"], erasure: .cascade,
            export: .rows(
                member: "secrets",
                [
                    .init("provider", "provider"), .init("field", "field"), .init("hint", "hint"),
                    .init("updated_at", "updatedAt", .time),
                ]), omits: [.secrets("sealed"), .internals("key_id")]),
        PersonalTable(
            "credential_candidates", keys: ["id"], erasure: .cascade,
            export: .nothing(because: "secret, expires within ten minutes")),
        PersonalTable(
            "authorizations", keys: ["id"], erasure: .cascade,
            export: .nothing(because: "secret, expires within ten minutes")),
    ]
}
