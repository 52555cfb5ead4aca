import Storage

extension [PersonalTable] {
    /// The tables of permits that hold rows of people.
    package static let permits: Self = [
        PersonalTable(
            "call_shares", keys: ["provider", "day"], erasure: .rows,
            export: .nothing(because: "numbers of calls, deleted after two days"))
    ]
}
