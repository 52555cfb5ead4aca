import Foundation
import Model

extension BacklineConfiguration {
    package struct Spotify: Sendable, Equatable {
        /// `nil`: nobody can connect Spotify.
        package var clientID: String?

        init(reading reader: inout ConfigurationReader, http: HTTP) {
            clientID = reader.value(ConfigurationKeys.spotifyClientID)
            if clientID != nil, let url = http.publicURL, !ConfiguredURL.isRedirectTarget(url) {
                reader.report(
                    .error(
                        "http.publicURL is \(quoted(url)), to which Spotify sends nobody back (spotify.clientID is set);"
                            + " allowed: https, or plain http on the literal address 127.0.0.1 or [::1], and never the"
                            + " name localhost"))
            }
        }
    }

    package struct Google: Sendable, Equatable {
        /// Whose id tokens are accepted; the first is the site's own. Empty: nobody signs in with Google.
        package var clientIDs: [String]
        /// Read by the process that uses it alone; `nil`: the site's page offers no Google sign-in.
        package var clientSecretFile: String?
        /// Who gets an account at the first time.
        package var signUp: SignUpPolicy

        init(reading reader: inout ConfigurationReader) {
            clientIDs = reader.value(ConfigurationKeys.googleClientIDs)
            clientSecretFile = reader.value(ConfigurationKeys.googleClientSecretFile)
            signUp = reader.value(ConfigurationKeys.googleSignUp)
        }
    }

    package struct Vault: Sendable, Equatable {
        /// Of the keys that open what is sealed, for workers and the command line.
        package var keyFile: String
        /// Of the key that seals, for all.
        package var publicKeyFile: String
        /// Where releases up to schema 15 had the keys; `nil` when the configuration says where they are.
        package var formerKeyFile: String?

        init(reading reader: inout ConfigurationReader, database: Database) {
            let folder = (database.path as NSString).deletingLastPathComponent as NSString
            let configured = reader.value(ConfigurationKeys.vaultKeyFile)
            keyFile = configured ?? folder.appendingPathComponent("vault/vault.key")
            publicKeyFile =
                reader.value(ConfigurationKeys.vaultPublicKeyFile) ?? folder.appendingPathComponent("vault.pub")
            formerKeyFile = configured == nil ? folder.appendingPathComponent("vault.key") : nil
        }
    }
}
