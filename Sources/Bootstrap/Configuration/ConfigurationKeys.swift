import Logging
import Settings
import Vault

/// The keys of Backline's engine and of the providers. Each domain declares its own (``SettingsSection``).
package enum ConfigurationKeys {
    /// The keys of processes.
    private static let processes: [ConfigurationKeySummary] = [
        databasePath.summary,
        httpHost.summary, httpPort.summary, httpPublicURL.summary, httpTrustedProxies.summary,
        httpTransportSecuritySeconds.summary, httpWebRoot.summary,
        httpHeaderTimeoutSeconds.summary, httpBodyTimeoutSeconds.summary, httpKeepAliveSeconds.summary,
        httpWriteTimeoutSeconds.summary, httpMaximumHeaderBytes.summary, httpMetrics.summary,
        messagingEndpoint.summary, messagingCurve.summary, messagingKeyFolder.summary, messagingKeyFile.summary,
        messagingGatewayKeyFile.summary,
        logLevel.summary, logFormat.summary,
        workerConcurrency.summary, workerName.summary, workerGraceSeconds.summary,
        jobsLeaseSeconds.summary, jobsHeartbeatSeconds.summary, jobsRetentionHours.summary,
        jobsMaximumAttempts.summary, jobsAgeingSeconds.summary,
    ]

    /// The keys of upstreams, limits and schedules.
    private static let upstreams: [ConfigurationKeySummary] =
        [
            ticketmasterAPIKey.summary, ticketmasterAPIKeyFile.summary, ticketmasterDailyShare.summary,
            spotifyClientID.summary,
            appleMusicTeamID.summary, appleMusicKeyID.summary, appleMusicPrivateKeyFile.summary,
            appleMusicScriptURL.summary, appleMusicSignInOrigins.summary,
            googleClientIDs.summary, googleClientSecretFile.summary,
        ]
        + VaultSettings.keys + UpstreamName.allCases.flatMap(summaries) + [
            limitsRequestsPerSecond.summary, limitsRequestBurst.summary, limitsMaximumBodyBytes.summary,
            limitsBufferedBodyMegabytes.summary,
            quotasUnfinishedJobs.summary, quotasUnfinishedBytes.summary, quotasRunningSearches.summary,
            quotasEventStreams.summary, quotasListens.summary, quotasListenBytes.summary,
        ]
        + scheduleSummaries(NamedSections.placeholder)

    /// Every key: those of no domain in the order of `config/backline.yaml`, then those of the domains.
    package static func all(with sections: [any SettingsSection.Type]) -> [ConfigurationKeySummary] {
        var keys = processes + upstreams
        for key in sections.flatMap({ $0.keys }) {
            // A file has each section once, so a domain's key in one of these sections, such as google.signUp, follows
            // the keys that are already there.
            let last = keys.lastIndex { $0.section == key.section } ?? keys.endIndex - 1
            keys.insert(key, at: last + 1)
        }
        return keys
    }

    /// The schedules.
    static let schedules = NamedSections(parent: "schedules", mainKey: "kind")

    static let databasePath = ConfigurationKey(
        "database.path", .databasePath, default: "data/backline.sqlite",
        meaning: """
            The SQLite database that all processes share. Its folder also holds the write lock file and, unless
            messaging.endpoint says otherwise, the gateway's socket. It must be on a local file system.
            """)

    static let httpHost = ConfigurationKey(
        "http.host", .host, default: "127.0.0.1",
        meaning: "The address that the gateway listens on. 0.0.0.0 and :: listen on every interface.")

    static let httpPort = ConfigurationKey(
        "http.port", .integer(0...65_535), default: 8_080,
        meaning: "The TCP port that the gateway listens on. 0 chooses a free port, which is written to the log.")

    static let httpPublicURL = ConfigurationKey(
        "http.publicURL", optional: .origin, example: "https://backline.example.org",
        meaning: """
            The address at which browsers reach the gateway if it is behind a proxy. Sign-in links begin with it. With
            https, cookies are sent over TLS only, and only pages of exactly this address may change anything.
            """)

    static let httpWebRoot = ConfigurationKey(
        "http.webRoot", optional: .folderPath, example: "/usr/share/backline/web",
        meaning: "The folder of the web pages. Unset, it is the folder that was built beside the api-gateway.")

    static let messagingEndpoint = ConfigurationKey(
        "messaging.endpoint", optional: .endpoint, example: "ipc://data/run/gateway.ipc",
        meaning: """
            The endpoint at which the gateway and the workers exchange ZeroMQ messages. Unset, it is the socket
            run/gateway.ipc in the folder of the database, which only the account that runs Backline can reach. The
            gateway needs an IP address (0.0.0.0 and [::] listen on every interface); a worker may use a host name. TCP,
            except 127.x.x.x and [::1], needs keys: 'backline keys new --gateway', then 'backline keys new NAME' for
            each worker.
            """)

    static let messagingCurve = ConfigurationKey(
        "messaging.curve", .choice, default: MessagingCurve.network,
        meaning: """
            Which TCP endpoints use CURVE, which encrypts messages and admits only known keys: all except loopback
            addresses (network), or all (always). The gateway and the workers need the same value. ipc:// sockets never
            use it.
            """)

    static let messagingKeyFolder = ConfigurationKey(
        "messaging.keyFolder", optional: .folderPath, example: "data/keys",
        meaning: """
            The folder with the gateway's key and the workers' allowed keys, which 'backline keys' writes. Unset, it is
            the folder keys beside the database.
            """)

    static let messagingKeyFile = ConfigurationKey(
        "messaging.keyFile", optional: .filePath, example: "/etc/backline/worker.secret",
        meaning: "The file with a worker's secret key, made by 'backline keys new NAME'. No other account may read it.")

    static let messagingGatewayKeyFile = ConfigurationKey(
        "messaging.gatewayKeyFile", optional: .filePath, example: "/etc/backline/gateway.pub",
        meaning: """
            The file with the gateway's public key, for workers. Unset, it is gateway.pub in messaging.keyFolder.
            """)

    static let logLevel = ConfigurationKey(
        "log.level", .choice, default: Logger.Level.info,
        meaning: "The least severe events that are logged. The log goes to standard error.")

    static let logFormat = ConfigurationKey(
        "log.format", .choice, default: LogFormat.text,
        meaning: "The format of log lines: text for people, json for log collectors.")

    static let workerConcurrency = ConfigurationKey(
        "worker.concurrency", .integer(1...1_024), default: 16,
        meaning: "How many jobs one worker process runs at once.")

    static let workerName = ConfigurationKey(
        "worker.name", optional: .name, example: "concert-1",
        meaning: "A worker's name in the log and at the gateway. Unset, the worker chooses one.")

    static let workerGraceSeconds = ConfigurationKey(
        "worker.graceSeconds", .seconds(1...3_600), default: .seconds(20),
        meaning: """
            Seconds that any process, including the gateway, has to finish or hand back its work after SIGTERM or
            SIGINT. A process that needs longer exits with an error. The supervisor must wait longer than this.
            """)

    static let jobsLeaseSeconds = ConfigurationKey(
        "jobs.leaseSeconds", .seconds(2...3_600), default: .seconds(10),
        meaning: """
            Seconds without a heartbeat after which a worker loses its jobs. It must be more than twice
            jobs.heartbeatSeconds, so that one lost heartbeat does no harm.
            """)

    static let jobsHeartbeatSeconds = ConfigurationKey(
        "jobs.heartbeatSeconds", .seconds(1...600), default: .seconds(2),
        meaning: "Seconds between heartbeats, the messages in which a worker lists the jobs that it is running.")

    static let jobsRetentionHours = ConfigurationKey(
        "jobs.retentionHours", .hours(1...87_600), default: .seconds(168 * 3_600),
        meaning: "Hours after which a finished job is deleted.")

    static let jobsMaximumAttempts = ConfigurationKey(
        "jobs.maximumAttempts", .integer(1...100), default: 5,
        meaning: "Attempts after which a job fails for good.")

    static let jobsAgeingSeconds = ConfigurationKey(
        "jobs.ageingSeconds", .seconds(1...86_400), default: .seconds(30),
        meaning: "Seconds of waiting that raise a job's priority by one.")

    static let ticketmasterAPIKey = ConfigurationKey(
        "ticketmaster.apiKey", optional: .secret, example: "YOUR-KEY", isSecret: true,
        meaning: """
            The installation's key for Ticketmaster's Discovery API, for people who have not saved their own. Everything
            starts without it, and their searches report what is missing. An environment variable or a separate file is
            a better place for it than this file.
            """)

    static let ticketmasterAPIKeyFile = ConfigurationKey(
        "ticketmaster.apiKeyFile", optional: .filePath, example: "/etc/backline/ticketmaster.key",
        meaning: "A file that contains only that key. Set this or ticketmaster.apiKey, not both.")

    static let ticketmasterDailyShare = ConfigurationKey(
        "ticketmaster.dailyShare", .integer(0...1_000_000), default: 1_000,
        meaning: """
            The most requests that one person's searches may make with that key in one day (UTC), so that nobody uses up
            the 5000 that Ticketmaster allows. Beyond it nothing is looked up for that person, and a warning explains
            how to enter their own key, which has no such limit. 0 sets no limit.
            """)

    static let limitsRequestsPerSecond = ConfigurationKey(
        "limits.requestsPerSecond", .integer(0...100_000), default: 50,
        meaning: """
            HTTP requests that one person may make per second, with all tokens and sessions together. Requests without a
            valid token or session have the same limit per address. For pictures, a person may make ten times as many. 0
            sets no limit.
            """)

    static let limitsRequestBurst = ConfigurationKey(
        "limits.requestBurst", .integer(0...1_000_000), default: 500,
        meaning: "The most requests that may arrive at once after a pause. 0 means one second's requests.")

    static let limitsMaximumBodyBytes = ConfigurationKey(
        "limits.maximumBodyBytes", .integer(1_024...8_000_000), default: 1_048_576,
        meaning: """
            The largest accepted request body, in bytes. A job must fit into one message to its worker, which is at most
            8 MiB.
            """)

    static let limitsBufferedBodyMegabytes = ConfigurationKey(
        "limits.bufferedBodyMegabytes", .integer(48...65_536), default: 64,
        meaning: """
            The memory, in MiB, for the bodies of all requests that are being received or handled. Beyond it, a request
            gets a 503 and has to be sent again. One person may use a quarter of it. Files that people import do not
            count: they are written to disk as they arrive.
            """)
}

/// Keys that exist once for each schedule.
extension ConfigurationKeys {
    static func scheduleSummaries(_ name: String) -> [ConfigurationKeySummary] {
        [scheduleKind(name).summary, scheduleEverySeconds(name).summary, schedulePayload(name).summary]
    }

    static func scheduleKind(_ name: String) -> ConfigurationKey<String?> {
        ConfigurationKey(
            schedules.path(name, "kind"), optional: .name, example: "diagnostics.echo",
            meaning: """
                A job that the gateway submits at a fixed interval. You choose NAME: lower-case letters, digits and
                hyphens, beginning with a letter. The kind of the job:
                """)
    }

    static func scheduleEverySeconds(_ name: String) -> ConfigurationKey<Duration?> {
        ConfigurationKey(
            schedules.path(name, "everySeconds"), optional: .seconds(1...31_536_000), example: "3600",
            meaning: "Seconds between two submissions.")
    }

    static func schedulePayload(_ name: String) -> ConfigurationKey<String?> {
        ConfigurationKey(
            schedules.path(name, "payload"), optional: .jsonObject,
            example: #"'{"message": "hello"}'"#,
            meaning: "The job's payload. Unset, it is an empty object.")
    }
}
