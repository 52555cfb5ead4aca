import Model
import Settings

/// The settings of the services' pictures.
package struct PictureSettings: SettingsSection {
    /// The file with the key that signs the paths of pictures, for the gateway only.
    package var keyFile: String
    /// The folder for pictures that were fetched, which the gateway and the workers share.
    package var folder: String
    /// The most bytes of all files in it.
    package var capacity: Int
    /// The executable that reads pictures that people upload.
    package var helper = PictureHelper.besideExecutable
    /// The names of the providers' hosts.
    private var names: [Provider: [String]] = [:]

    /// The providers that have pictures, in the order of `settings.yaml`.
    private static let providers: [Provider] = [.spotify, .appleMusic, .ticketmaster, .google]

    package static let keys =
        [Keys.keyFile.summary, Keys.folder.summary, Keys.megabytes.summary] + providers.map { Keys.hosts($0).summary }

    package init(reading reader: inout ConfigurationReader) {
        keyFile = reader.value(Keys.keyFile) ?? reader.path(besideDatabase: "pictures.key")
        folder = reader.value(Keys.folder) ?? reader.path(besideDatabase: "pictures")
        capacity = reader.value(Keys.megabytes) << 20
        for provider in Self.providers { names[provider] = reader.value(Keys.hosts(provider)) }
    }

    /// The hosts from which pictures are fetched, including the hosts of simulated upstreams.
    ///
    /// - Parameter baseURLs: the base URLs of all providers.
    package func hosts(baseURLs: [Provider: String]) -> MediaHosts {
        MediaHosts(names, baseURLs: baseURLs.filter { Self.providers.contains($0.key) })
    }
}

extension PictureFolder {
    package convenience init(_ settings: PictureSettings) {
        self.init(path: settings.folder, capacity: settings.capacity)
    }
}

extension PictureHelper {
    package convenience init(_ settings: PictureSettings) {
        self.init(path: settings.helper)
    }
}

private enum Keys {
    static let keyFile = ConfigurationKey(
        "pictures.keyFile", optional: .filePath, example: "/var/lib/backline/pictures.key",
        meaning: """
            The file with the key that signs the paths of pictures. Only the gateway reads it, and creates it if it is
            missing. Unset, it is pictures.key beside the database. It needs no backup.
            """)

    static let folder = ConfigurationKey(
        "pictures.folder", optional: .folderPath, example: "/var/cache/backline/pictures",
        meaning: """
            The folder for pictures that were fetched, which the gateway and the sync-worker share. Unset, it is the
            folder pictures beside the database. It needs no backup, and may be emptied at any time.
            """)

    static let megabytes = ConfigurationKey(
        "pictures.megabytes", .integer(16...1_000_000), default: 1_024,
        meaning: "The most MiB in that folder. Beyond it, the least recently used pictures are removed.")

    /// The picture hosts of one provider.
    static func hosts(_ provider: Provider) -> ConfigurationKey<[String]> {
        ConfigurationKey(
            "pictures.hosts.\(provider.rawValue)", .hostNames, default: defaultHosts(provider),
            meaning: """
                The hosts from which \(provider.displayName)'s pictures are fetched, over https only. Pictures at other
                hosts are not shown.
                """)
    }

    private static func defaultHosts(_ provider: Provider) -> [String] {
        switch provider {
        case .spotify: [".scdn.co", ".spotifycdn.com"]
        case .appleMusic: [".mzstatic.com"]
        case .ticketmaster: [".ticketm.net"]
        case .google: (3...6).map { "lh\($0).googleusercontent.com" }
        default: []
        }
    }
}
