import Storage

extension [PersonalTable] {
    /// The tables of releases that contain people's rows. Artists and releases belong to nobody.
    package static let releases: Self = [
        PersonalTable(
            "release_refreshes", keys: ["user_id"], erasure: .steps([.artists, .refresh]),
            export: .nothing(
                because: "how far Backline has read the lists of the artists whom the person ranks or listens to most"),
            showsLeftovers: true)
    ]
}
