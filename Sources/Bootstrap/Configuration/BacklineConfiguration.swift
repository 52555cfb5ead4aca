import Foundation
import Logging
import Model
import Platform
import Settings
import Telemetry
import Vault

/// The configuration, a value that is read once at the start.
///
/// Each key comes from the environment, otherwise from the file, otherwise it has its built-in default.
/// `ConfigurationKeys` and the sections of the domains declare the keys; `config/backline.yaml` and the `settings.yaml`
/// of each domain document them for the operator.
package struct BacklineConfiguration: Sendable, Equatable {
    package var database: Database
    package var http: HTTP
    package var messaging: Messaging
    package var log: Log
    package var worker: Worker
    package var jobs: Jobs
    package var ticketmaster: Ticketmaster
    package var spotify: Spotify
    package var appleMusic: AppleMusic
    package var google: Google
    package var vault: VaultSettings
    package var upstreams: Upstreams
    package var limits: Limits
    package var quotas: Quotas
    /// The schedules, in the order of the file.
    package var schedules: [Schedule]
    /// The sections of the domains.
    package private(set) var sections: SettingsSections

    init(sections: [any SettingsSection.Type], reading reader: inout ConfigurationReader) {
        database = Database(reading: &reader)
        reader.databaseFolder = (database.path as NSString).deletingLastPathComponent
        http = HTTP(reading: &reader)
        messaging = Messaging(reading: &reader, database: database)
        log = Log(reading: &reader)
        worker = Worker(reading: &reader)
        jobs = Jobs(reading: &reader)
        self.sections = SettingsSections(sections, reading: &reader)
        ticketmaster = Ticketmaster(reading: &reader)
        spotify = Spotify(reading: &reader, http: http)
        appleMusic = AppleMusic(reading: &reader)
        google = Google(reading: &reader)
        vault = VaultSettings(reading: &reader)
        upstreams = Upstreams(reading: &reader)
        limits = Limits(reading: &reader)
        quotas = Quotas(reading: &reader)
        quotas.ticketmasterRequests = ticketmaster.dailyShare
        schedules = Schedule.all(reading: &reader)
    }

    /// The configuration without a file and without any variable.
    package static func defaults(with sections: [any SettingsSection.Type]) -> BacklineConfiguration {
        var reader = ConfigurationReader(sources: [])
        return BacklineConfiguration(sections: sections, reading: &reader)
    }

    /// The settings of a domain, whose section has to be one of those with which the configuration was loaded.
    package subscript<Section: SettingsSection>(type: Section.Type) -> Section {
        get { sections[type] }
        set { sections[type] = newValue }
    }
}

extension BacklineConfiguration {
    package struct Database: Sendable, Equatable {
        /// The database file. A relative path is relative to the working folder.
        package var path: String

        init(reading reader: inout ConfigurationReader) {
            path = reader.value(ConfigurationKeys.databasePath)
        }
    }

    package struct HTTP: Sendable, Equatable {
        package var host: String
        /// 0 lets the system choose a free port.
        package var port: Int
        /// Scheme, host and port at which browsers reach the gateway, without a trailing slash; `nil` for the address
        /// it listens on.
        package var publicURL: String?
        /// The proxies whose `X-Forwarded-For` is trusted.
        package var trustedProxies: [AddressRange]
        /// The `max-age` of `Strict-Transport-Security`; zero sends no header.
        package var transportSecurity: Duration
        /// The folder of the web pages; `nil` for the one beside the executable.
        package var webRoot: String?
        /// The time for the header of a request.
        package var headerTimeout: Duration
        /// The time for the body of a request.
        package var bodyTimeout: Duration
        /// How long a connection stays open between requests.
        package var keepAlive: Duration
        /// The time within which a client has to read at least one byte of a pending response.
        package var writeTimeout: Duration
        /// The most bytes of a request's line and header together.
        package var maximumHeaderBytes: Int
        /// Who may read `/metrics`, as it is configured.
        package var metrics: MetricsAccess

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
            metrics = reader.value(ConfigurationKeys.httpMetrics)
        }
    }

    package struct Messaging: Sendable, Equatable {
        /// `ipc://PATH`, or `tcp://HOST:PORT`.
        package var endpoint: String
        package var curve: MessagingCurve
        /// The folder with the gateway's key and the workers' allowed keys.
        package var keyFolder: String
        /// The file with a worker's own secret key.
        package var keyFile: String?
        /// The file with the gateway's public key, for a worker.
        package var gatewayKeyFile: String?

        init(reading reader: inout ConfigurationReader, database: Database) {
            curve = reader.value(ConfigurationKeys.messagingCurve)
            keyFolder = reader.value(ConfigurationKeys.messagingKeyFolder) ?? reader.path(besideDatabase: "keys")
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
        /// The most jobs at once.
        package var concurrency: Int
        package var name: String?
        /// The time that any process, including the gateway, has to shut down after SIGTERM or SIGINT.
        package var gracePeriod: Duration

        init(reading reader: inout ConfigurationReader) {
            concurrency = reader.value(ConfigurationKeys.workerConcurrency)
            name = reader.value(ConfigurationKeys.workerName)
            gracePeriod = reader.value(ConfigurationKeys.workerGraceSeconds)
        }
    }

    package struct Limits: Sendable, Equatable {
        /// The requests per second of one person, and of one address without a valid credential; `nil` for no limit.
        package var requestsPerSecond: Int?
        /// The most requests at once; `nil` for one second's requests.
        package var requestBurst: Int?
        package var maximumBodyBytes: Int
        /// The most bytes of all bodies that are being received or handled.
        package var bufferedBodyBytes: Int

        init(reading reader: inout ConfigurationReader) {
            let perSecond = reader.value(ConfigurationKeys.limitsRequestsPerSecond)
            requestsPerSecond = perSecond == 0 ? nil : perSecond
            let burst = reader.value(ConfigurationKeys.limitsRequestBurst)
            requestBurst = burst == 0 ? nil : burst
            maximumBodyBytes = reader.value(ConfigurationKeys.limitsMaximumBodyBytes)
            bufferedBodyBytes = reader.value(ConfigurationKeys.limitsBufferedBodyMegabytes) << 20
        }
    }
}
