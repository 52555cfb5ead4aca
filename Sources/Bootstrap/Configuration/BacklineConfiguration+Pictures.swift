import Foundation
import Model

extension BacklineConfiguration {
    package struct Pictures: Sendable, Equatable {
        /// The file with the key that signs the paths of pictures, for the gateway only.
        package var keyFile: String
        /// The folder for pictures that were fetched, which the gateway and the workers share.
        package var folder: String
        /// The most bytes of all files in it.
        package var capacity: Int
        /// The names of the providers' hosts.
        fileprivate var names: [Provider: [String]] = [:]

        init(reading reader: inout ConfigurationReader, database: Database) {
            let beside = (database.path as NSString).deletingLastPathComponent as NSString
            keyFile =
                reader.value(ConfigurationKeys.picturesKeyFile) ?? beside.appendingPathComponent("pictures.key")
            folder = reader.value(ConfigurationKeys.picturesFolder) ?? beside.appendingPathComponent("pictures")
            capacity = reader.value(ConfigurationKeys.picturesMegabytes) << 20
            for provider in ConfigurationKeys.pictureProviders {
                names[provider] = reader.value(ConfigurationKeys.pictureHosts(provider))
            }
        }
    }

    package struct Previews: Sendable, Equatable {
        /// The names of the hosts from which browsers play previews.
        fileprivate var names: [String]

        init(reading reader: inout ConfigurationReader) {
            names = reader.value(ConfigurationKeys.previewHosts)
        }
    }

    /// The hosts from which browsers play previews, including the hosts of simulated upstreams.
    package var previewHosts: MediaHosts {
        MediaHosts(
            [.itunes: previews.names],
            baseURLs: [
                .itunes: upstreams[.itunes].baseURL, .spotify: upstreams[.spotify].baseURL,
                .appleMusic: upstreams[.appleMusic].baseURL,
            ])
    }

    /// The hosts from which pictures are fetched, including the hosts of simulated upstreams.
    package var pictureHosts: MediaHosts {
        MediaHosts(
            pictures.names,
            baseURLs: [
                .spotify: upstreams[.spotify].baseURL, .appleMusic: upstreams[.appleMusic].baseURL,
                .ticketmaster: upstreams[.ticketmaster].baseURL, .google: upstreams[.google].baseURL,
            ])
    }
}
