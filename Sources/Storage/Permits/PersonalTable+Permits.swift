extension [PersonalTable] {
    /// The tables of permits that have rows of people.
    package static let permits: Self = [
        PersonalTable(
            "call_shares", keys: ["provider", "day"], erasure: .rows,
            export: .nothing(because: "how many calls of the day counted for them, deleted the day after"))
    ]
}
