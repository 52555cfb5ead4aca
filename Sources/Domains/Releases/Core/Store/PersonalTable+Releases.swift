import Storage

extension [PersonalTable] {
    /// The tables of releases that contain people's rows. Artists and releases belong to nobody.
    package static let releases: Self = [
        PersonalTable(
            "release_refreshes", keys: ["user_id"], erasure: .rows, large: ["troubles"],
            export: .nothing(because: "how far Backline has read the lists of the person's artists"))
    ]
}
