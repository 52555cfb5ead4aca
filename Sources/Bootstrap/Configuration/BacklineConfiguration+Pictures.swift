import Foundation
import Model

extension BacklineConfiguration {
    package struct Pictures: Sendable, Equatable {
        /// The file of the key that signs the paths of pictures, for the gateway alone.
        package var keyFile: String
        /// The names of the providers' hosts.
        fileprivate var names: [Provider: [String]] = [:]

        init(reading reader: inout ConfigurationReader, database: Database) {
            let beside = (database.path as NSString).deletingLastPathComponent as NSString
            keyFile =
                reader.value(ConfigurationKeys.picturesKeyFile) ?? beside.appendingPathComponent("pictures.key")
            for provider in ConfigurationKeys.pictureProviders {
                names[provider] = reader.value(ConfigurationKeys.pictureHosts(provider))
            }
        }
    }

    /// The hosts from which pictures are fetched, those of stand-ins for upstreams among them.
    package var pictureHosts: PictureHosts {
        PictureHosts(
            pictures.names,
            baseURLs: [
                .spotify: upstreams[.spotify].baseURL, .appleMusic: upstreams[.appleMusic].baseURL,
                .ticketmaster: upstreams[.ticketmaster].baseURL, .google: upstreams[.google].baseURL,
            ])
    }
}
