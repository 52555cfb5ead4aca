import Model
import Settings

/// The settings of song previews.
package struct PreviewSettings: SettingsSection {
    /// The names of the hosts from which browsers play previews.
    private var names: [String]

    package static let keys = [hosts.summary]

    package init(reading reader: inout ConfigurationReader) {
        names = reader.value(Self.hosts)
    }

    /// The hosts from which browsers play previews, including the hosts of simulated upstreams.
    ///
    /// - Parameter baseURLs: the base URLs of all providers.
    package func hosts(baseURLs: [Provider: String]) -> MediaHosts {
        let providers: [Provider] = [.itunes, .spotify, .appleMusic]
        return MediaHosts([.itunes: names], baseURLs: baseURLs.filter { providers.contains($0.key) })
    }

    private static let hosts = ConfigurationKey(
        "previews.hosts", .hostNames, default: ["audio-ssl.itunes.apple.com", "p.scdn.co"],
        meaning: """
            The hosts from which browsers play song previews, over https only. Pages may play sound from no other hosts.
            """)
}
