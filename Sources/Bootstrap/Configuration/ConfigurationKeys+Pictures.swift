import Model

/// Keys for the services' pictures, which the gateway serves, and for previews.
extension ConfigurationKeys {
    /// The providers that have pictures, in the order of `config/backline.yaml`.
    static let pictureProviders: [Provider] = [.spotify, .appleMusic, .ticketmaster, .google]

    static let picturesKeyFile = ConfigurationKey(
        "pictures.keyFile", optional: .filePath, example: "/var/lib/backline/pictures.key",
        meaning: """
            The file with the key that signs the paths of pictures. Only the gateway reads it, and creates it if it is
            missing. Unset, it is pictures.key beside the database. It needs no backup.
            """)

    static let picturesFolder = ConfigurationKey(
        "pictures.folder", optional: .folderPath, example: "/var/cache/backline/pictures",
        meaning: """
            The folder for pictures that were fetched, which the gateway and the sync-worker share. Unset, it is the
            folder pictures beside the database. It needs no backup, and may be emptied at any time.
            """)

    static let picturesMegabytes = ConfigurationKey(
        "pictures.megabytes", .integer(16...1_000_000), default: 1_024,
        meaning: "The most MiB in that folder. Beyond it, the least recently used pictures are removed.")

    /// The picture hosts of one provider.
    static func pictureHosts(_ provider: Provider) -> ConfigurationKey<[String]> {
        ConfigurationKey(
            "pictures.hosts.\(provider.rawValue)", .hostNames, default: defaultPictureHosts(provider),
            meaning: """
                The hosts from which \(provider.displayName)'s pictures are fetched, over https only. Pictures at other
                hosts are not shown.
                """)
    }

    static let previewHosts = ConfigurationKey(
        "previews.hosts", .hostNames, default: ["audio-ssl.itunes.apple.com", "p.scdn.co"],
        meaning: """
            The hosts from which browsers play song previews, over https only. Pages may play sound from no other hosts.
            """)

    private static func defaultPictureHosts(_ provider: Provider) -> [String] {
        switch provider {
        case .spotify: [".scdn.co", ".spotifycdn.com"]
        case .appleMusic: [".mzstatic.com"]
        case .ticketmaster: [".ticketm.net"]
        case .google: (3...6).map { "lh\($0).googleusercontent.com" }
        case .gemini, .itunes, .aiEndpoint: []
        }
    }
}
