import Model

/// Pictures of services, which the gateway serves.
extension ConfigurationKeys {
    /// The providers that have pictures, in the order of `config/backline.yaml`.
    static let pictureProviders: [Provider] = [.spotify, .appleMusic, .ticketmaster, .google]

    static let picturesKeyFile = ConfigurationKey(
        "pictures.keyFile", optional: .filePath, example: "/var/lib/backline/pictures.key",
        meaning: """
            The file of the key that signs the paths of pictures. Only the gateway reads it, and makes it when it is
            missing. Unset, it is pictures.key beside the database. It needs no backup.
            """)

    /// Of one provider.
    static func pictureHosts(_ provider: Provider) -> ConfigurationKey<[String]> {
        ConfigurationKey(
            "pictures.hosts.\(provider.rawValue)", .hostNames, default: defaultPictureHosts(provider),
            meaning: """
                The hosts from which \(provider.displayName)'s pictures are fetched, over https only. Pictures at other
                hosts are not shown.
                """)
    }

    private static func defaultPictureHosts(_ provider: Provider) -> [String] {
        switch provider {
        case .spotify: [".scdn.co", ".spotifycdn.com"]
        case .appleMusic: [".mzstatic.com"]
        case .ticketmaster: [".ticketm.net"]
        case .google: (3...6).map { "lh\($0).googleusercontent.com" }
        case .gemini: []
        }
    }
}
