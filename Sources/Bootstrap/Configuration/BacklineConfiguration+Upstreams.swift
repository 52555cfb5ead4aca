import Model
import Settings

extension BacklineConfiguration {
    package struct Upstreams: Sendable, Equatable {
        private var upstreams: [UpstreamName: Upstream] = [:]

        init(reading reader: inout ConfigurationReader) {
            for name in UpstreamName.allCases { upstreams[name] = Upstream(name: name, reading: &reader) }
        }

        package subscript(name: UpstreamName) -> Upstream {
            get {
                guard let upstream = upstreams[name] else { preconditionFailure("each upstream is read above") }
                return upstream
            }
            set { upstreams[name] = newValue }
        }

        /// The base URLs of the providers' APIs.
        package var baseURLs: [Provider: String] {
            [
                .spotify: self[.spotify].baseURL, .appleMusic: self[.appleMusic].baseURL,
                .ticketmaster: self[.ticketmaster].baseURL, .google: self[.google].baseURL,
                .gemini: self[.gemini].baseURL, .itunes: self[.itunes].baseURL,
            ]
        }
    }

    /// The address, limits and timeout of one upstream.
    package struct Upstream: Sendable, Equatable {
        /// The base URL without a trailing slash; `http` only for loopback addresses.
        package var baseURL: String
        /// The most requests in any period of ``window``.
        package var requests: Int
        package var window: Duration
        /// The most requests per day; 0 for no limit, and for upstreams without a daily limit.
        package var requestsPerDay: Int
        /// The most input tokens in any minute; 0 for no limit, and for upstreams that do not count tokens.
        package var tokensPerMinute: Int
        /// The timeout of a whole request, connecting included.
        package var timeout: Duration

        init(name: UpstreamName, reading reader: inout ConfigurationReader) {
            baseURL = reader.value(ConfigurationKeys.upstreamBaseURL(name))
            requests = reader.value(ConfigurationKeys.upstreamRequests(name))
            window = reader.value(ConfigurationKeys.upstreamWindowMs(name))
            requestsPerDay = ConfigurationKeys.upstreamRequestsPerDay(name).map { reader.value($0) } ?? 0
            tokensPerMinute = ConfigurationKeys.upstreamTokensPerMinute(name).map { reader.value($0) } ?? 0
            timeout = reader.value(ConfigurationKeys.upstreamTimeoutMs(name))
        }
    }

    package struct Ticketmaster: Sendable, Equatable {
        /// The installation's API key; `nil` if searches use only people's own keys.
        package var apiKey: Secret?
        /// The file that the key was read from; `nil` when it was given directly.
        package var apiKeyFile: String?
        /// The most requests with that key for one person in one day (UTC); `nil` sets no limit.
        package var dailyShare: Int?

        init(reading reader: inout ConfigurationReader) {
            let share = reader.value(ConfigurationKeys.ticketmasterDailyShare)
            dailyShare = share == 0 ? nil : share
            apiKey = nil
            apiKeyFile = nil
            // Source by source: a key in the environment overrides a key file named in the configuration
            // file. Only a key and a key file from the same source are a contradiction.
            for source in reader.sources {
                let key = reader.value(ConfigurationKeys.ticketmasterAPIKey, in: source)
                let file = reader.value(ConfigurationKeys.ticketmasterAPIKeyFile, in: source)
                switch (key, file) {
                case (nil, nil):
                    continue
                case (let key?, let file?):
                    reader.report(
                        .error(
                            "ticketmaster.apiKey (\(key.origin)) and ticketmaster.apiKeyFile (\(file.origin))"
                                + " are both set; allowed: one of them"))
                case (let key?, nil):
                    apiKey = key.value ?? nil
                    warnIfReadable(source, reader: &reader)
                case (nil, let file?):
                    if let path = file.value ?? nil {
                        apiKeyFile = path
                        apiKey = Self.secret(inFile: path, origin: file.origin, reader: &reader)
                    }
                }
                return
            }
        }

        private func warnIfReadable(_ source: ConfigurationReader.Source, reader: inout ConfigurationReader) {
            if case .file(let file, _) = source, file.isReadableByOthers, apiKey != nil {
                reader.report(
                    .warning(
                        "\(file.path) contains ticketmaster.apiKey and every account can read it:"
                            + " chmod o-r \(file.path), or use ticketmaster.apiKeyFile"))
            }
        }

        /// The secret in a key file; `nil` when a problem was reported.
        private static func secret(
            inFile path: String, origin: String, reader: inout ConfigurationReader
        ) -> Secret? {
            let subject = "ticketmaster.apiKeyFile (\(origin)) names \(quoted(path)), which"
            do throws(SecretFile.Failure) {
                let content = try SecretFile.content(path)
                if content.isReadableByOthers {
                    reader.report(.warning("\(subject) every account can read: chmod o-r \(path)"))
                }
                return content.secret
            } catch {
                // A service manager passes an empty file when the operator has not provided a key.
                reader.report(
                    error.isEmpty ? .warning("\(subject) is empty: there is no key") : .error("\(subject) \(error)"))
                return nil
            }
        }
    }
}
