import Foundation
import Logging
import Model

/// What an operator can set, read once at the start and then handed on as a value.
///
/// Each value comes from the environment, else from the file, else it is the built-in default.
/// `ConfigurationKeys` lists the keys; `config/backline.yaml` shows them to the operator.
package struct BacklineConfiguration: Sendable, Equatable {
    package var database: Database
    package var http: HTTP
    package var messaging: Messaging
    package var log: Log
    package var worker: Worker
    package var jobs: Jobs
    package var concerts: Concerts
    package var ticketmaster: Ticketmaster
    package var spotify: Spotify
    package var google: Google
    package var vault: Vault
    package var upstreams: Upstreams
    package var limits: Limits
    package var quotas: Quotas
    /// In the order of the file.
    package var schedules: [Schedule]

    init(reading reader: inout ConfigurationReader) {
        database = Database(reading: &reader)
        http = HTTP(reading: &reader)
        messaging = Messaging(reading: &reader, database: database)
        log = Log(reading: &reader)
        worker = Worker(reading: &reader)
        jobs = Jobs(reading: &reader)
        concerts = Concerts(reading: &reader)
        ticketmaster = Ticketmaster(reading: &reader)
        spotify = Spotify(reading: &reader, http: http)
        google = Google(reading: &reader)
        vault = Vault(reading: &reader, database: database)
        upstreams = Upstreams(reading: &reader)
        limits = Limits(reading: &reader)
        quotas = Quotas(reading: &reader)
        quotas.ticketmasterRequests = ticketmaster.dailyShare
        schedules = Schedule.all(reading: &reader)
    }

    /// What holds without a file and without any environment.
    package static let defaults: BacklineConfiguration = {
        var reader = ConfigurationReader(sources: [])
        return BacklineConfiguration(reading: &reader)
    }()
}

extension BacklineConfiguration {
    package struct Database: Sendable, Equatable {
        /// Relative paths are seen from the working folder.
        package var path: String

        init(reading reader: inout ConfigurationReader) {
            path = reader.value(ConfigurationKeys.databasePath)
        }
    }

    package struct HTTP: Sendable, Equatable {
        package var host: String
        /// 0 asks the system for a free port.
        package var port: Int
        /// Where browsers find the gateway, without a trailing slash; `nil` where it listens.
        package var publicURL: String?
        /// Proxies whose `X-Forwarded-For` is believed.
        package var trustedProxies: [AddressRange]
        /// How long browsers keep to TLS once they came over it; zero does not tell them to.
        package var transportSecurity: Duration
        /// The folder of the web pages; `nil` is the one beside the executable.
        package var webRoot: String?
        /// For the header of a request; for its body; between requests; for a client to take what it is sent.
        package var headerTimeout: Duration
        package var bodyTimeout: Duration
        package var keepAlive: Duration
        package var writeTimeout: Duration
        /// Of a request's line and header together.
        package var maximumHeaderBytes: Int

        init(reading reader: inout ConfigurationReader) {
            host = reader.value(ConfigurationKeys.httpHost)
            port = reader.value(ConfigurationKeys.httpPort)
            publicURL = reader.value(ConfigurationKeys.httpPublicURL)
            trustedProxies = reader.value(ConfigurationKeys.httpTrustedProxies)
            transportSecurity = reader.value(ConfigurationKeys.httpTransportSecuritySeconds)
            webRoot = reader.value(ConfigurationKeys.httpWebRoot)
            headerTimeout = reader.value(ConfigurationKeys.httpHeaderTimeoutSeconds)
            bodyTimeout = reader.value(ConfigurationKeys.httpBodyTimeoutSeconds)
            keepAlive = reader.value(ConfigurationKeys.httpKeepAliveSeconds)
            writeTimeout = reader.value(ConfigurationKeys.httpWriteTimeoutSeconds)
            maximumHeaderBytes = reader.value(ConfigurationKeys.httpMaximumHeaderBytes)
        }
    }

    package struct Messaging: Sendable, Equatable {
        /// `ipc://PATH`, or `tcp://HOST:PORT`.
        package var endpoint: String
        package var curve: MessagingCurve
        /// Of the gateway's key and its allow-list.
        package var keyFolder: String
        /// A worker's own secret key.
        package var keyFile: String?
        /// The public key of a worker's gateway.
        package var gatewayKeyFile: String?

        init(reading reader: inout ConfigurationReader, database: Database) {
            curve = reader.value(ConfigurationKeys.messagingCurve)
            let beside = (database.path as NSString).deletingLastPathComponent
            keyFolder =
                reader.value(ConfigurationKeys.messagingKeyFolder)
                ?? (beside as NSString).appendingPathComponent("keys")
            keyFile = reader.value(ConfigurationKeys.messagingKeyFile)
            gatewayKeyFile = reader.value(ConfigurationKeys.messagingGatewayKeyFile)
            let key = ConfigurationKeys.messagingEndpoint
            let derived = MessagingEndpoint.derived(fromDatabasePath: database.path)
            guard let given = reader.value(key) else {
                endpoint = derived
                if reader.problems.allSatisfy({ $0.severity == .warning }), !MessagingEndpoint.isAllowed(derived) {
                    reader.report(
                        .error(
                            "\(key.path) (derived from database.path) is \(quoted(derived));"
                                + " allowed: \(key.rule.allowed); set \(key.path) to a shorter path"))
                }
                return
            }
            endpoint = given
        }
    }

    package struct Log: Sendable, Equatable {
        package var level: Logger.Level
        package var format: LogFormat

        init(reading reader: inout ConfigurationReader) {
            level = reader.value(ConfigurationKeys.logLevel)
            format = reader.value(ConfigurationKeys.logFormat)
        }
    }

    package struct Worker: Sendable, Equatable {
        /// Jobs at once.
        package var concurrency: Int
        package var name: String?
        /// From the signal to stop until the process gives up; the gateway keeps to it too.
        package var gracePeriod: Duration

        init(reading reader: inout ConfigurationReader) {
            concurrency = reader.value(ConfigurationKeys.workerConcurrency)
            name = reader.value(ConfigurationKeys.workerName)
            gracePeriod = reader.value(ConfigurationKeys.workerGraceSeconds)
        }
    }

    package struct Concerts: Sendable, Equatable {
        /// How long an answer of the upstream is served without asking again.
        package var freshness: Duration
        /// How long an artist is kept that nobody asks for any more.
        package var artistRetention: Duration
        /// Further names of cities; the file was readable when the configuration was loaded.
        package var cityNamesFile: String?

        init(reading reader: inout ConfigurationReader) {
            freshness = reader.value(ConfigurationKeys.concertsFreshnessHours)
            artistRetention = reader.value(ConfigurationKeys.concertsArtistRetentionDays)
            let key = ConfigurationKeys.concertsCityNamesFile
            cityNamesFile = reader.value(key)
            if let cityNamesFile {
                do {
                    _ = try SmallFile(path: cityNamesFile, maximumBytes: Self.maximumCityNamesBytes)
                } catch {
                    reader.report(.error("\(key.path) names \(quoted(cityNamesFile)), which \(error.reason)"))
                }
            }
        }

        private static let maximumCityNamesBytes = 16_777_216
    }

    package struct Limits: Sendable, Equatable {
        /// For each token or address; `nil` when there is no limit.
        package var requestsPerSecond: Int?
        /// So many at once; `nil` for one second's.
        package var requestBurst: Int?
        package var maximumBodyBytes: Int

        init(reading reader: inout ConfigurationReader) {
            let perSecond = reader.value(ConfigurationKeys.limitsRequestsPerSecond)
            requestsPerSecond = perSecond == 0 ? nil : perSecond
            let burst = reader.value(ConfigurationKeys.limitsRequestBurst)
            requestBurst = burst == 0 ? nil : burst
            maximumBodyBytes = reader.value(ConfigurationKeys.limitsMaximumBodyBytes)
        }
    }
}
