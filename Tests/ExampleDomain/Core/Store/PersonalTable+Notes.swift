import Storage

extension [PersonalTable] {
    /// The tables of notes.
    package static let notes: Self = [
        PersonalTable(
            "notes", keys: ["id"], erasure: .rows, large: ["words"],
            export: .rows(
                member: "notes",
                [
                    .init("id", "id"), .init("words", "words"), .init("provider", "provider"),
                    .init("created_at", "createdAt", .time),
                ]))
    ]
}
