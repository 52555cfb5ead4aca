import Settings

extension BacklineConfiguration {
    package struct Spotify: Sendable, Equatable {
        /// The OAuth client id of the installation's app; `nil` if people need their own app.
        package var clientID: String?
        /// Whether Spotify redirects people to this site's address.
        package var isReachable: Bool

        init(reading reader: inout ConfigurationReader, http: HTTP) {
            clientID = reader.value(ConfigurationKeys.spotifyClientID)
            isReachable = http.publicURL.map { ConfiguredURL.isRedirectTarget($0) } ?? true
            if clientID != nil, let url = http.publicURL, !isReachable {
                reader.report(
                    .error(
                        "http.publicURL is \(quoted(url)), which Spotify does not accept as a redirect address"
                            + " (spotify.clientID is set); allowed: https, or plain http on the literal address"
                            + " 127.0.0.1 or [::1], never the name localhost"))
            }
        }
    }

    package struct AppleMusic: Sendable, Equatable {
        /// The installation's developer key, so that people do not need their own; `nil` when none is configured.
        package var developerKey: DeveloperKey?
        /// The address of Apple's MusicKit on the Web.
        package var scriptURL: String
        /// The origins that MusicKit on the Web calls.
        package var signInOrigins: [String]

        package struct DeveloperKey: Sendable, Equatable {
            package var teamID: String
            package var keyID: String
            /// The private key in PEM, which only the sync-worker reads (``SecretFile/readPEM(_:)``).
            package var privateKeyFile: String

            package init(teamID: String, keyID: String, privateKeyFile: String) {
                self.teamID = teamID
                self.keyID = keyID
                self.privateKeyFile = privateKeyFile
            }
        }

        init(reading reader: inout ConfigurationReader) {
            scriptURL = reader.value(ConfigurationKeys.appleMusicScriptURL)
            signInOrigins = reader.value(ConfigurationKeys.appleMusicSignInOrigins)
            let values = [
                ConfigurationKeys.appleMusicTeamID, ConfigurationKeys.appleMusicKeyID,
                ConfigurationKeys.appleMusicPrivateKeyFile,
            ].map { (path: $0.path, value: reader.value($0)) }
            let missing = values.filter { $0.value == nil }.map { $0.path }
            if let teamID = values[0].value, let keyID = values[1].value, let file = values[2].value {
                developerKey = DeveloperKey(teamID: teamID, keyID: keyID, privateKeyFile: file)
            } else if missing.count < values.count {
                reader.report(
                    .error(
                        "Apple Music's developer key is incomplete without \(missing.joined(separator: " and "));"
                            + " allowed: appleMusic.teamID, appleMusic.keyID and appleMusic.privateKeyFile together,"
                            + " or none of them"))
            }
        }
    }

    package struct Google: Sendable, Equatable {
        /// The OAuth client ids for which ID tokens are accepted; the first is this site's web client. Empty if sign-in
        /// with Google is off.
        package var clientIDs: [String]
        /// The file with the web client's secret, which only the sync-worker reads; `nil` if the sign-in page does not
        /// offer Google sign-in.
        package var clientSecretFile: String?

        init(reading reader: inout ConfigurationReader) {
            clientIDs = reader.value(ConfigurationKeys.googleClientIDs)
            clientSecretFile = reader.value(ConfigurationKeys.googleClientSecretFile)
        }
    }
}
