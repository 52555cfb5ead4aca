import Composition
import Concerts
import Foundation
import LibraryImports
import Model
import Pictures
import Releases
import TestSupport
import Testing
import Vault

@testable import Bootstrap
@testable import Settings

@Suite("The source of a value")
struct ConfigurationPrecedenceTests {
    @Test("Without a file and an environment, the defaults apply")
    func defaultValues() throws {
        let folder = try TemporaryFolder()
        let loaded = try BacklineConfiguration.load(
            sections: .all, environment: [:], defaultFile: folder.path + "/none.yaml")
        let configuration = loaded.configuration
        #expect(configuration == .defaults(with: .all))
        #expect(loaded.file == nil)
        #expect(loaded.warnings.isEmpty)
        #expect(configuration.database.path == "data/backline.sqlite")
        #expect(configuration.http.host == "127.0.0.1")
        #expect(configuration.http.port == 8080)
        #expect(configuration.messaging.endpoint == "ipc://data/run/gateway.ipc")
        #expect(configuration.log.level == .info)
        #expect(configuration.log.format == .text)
        #expect(configuration.worker.concurrency == 16)
        #expect(configuration.worker.name == nil)
        #expect(configuration.worker.gracePeriod == .seconds(20))
        #expect(configuration.jobs.lease == .seconds(10))
        #expect(configuration.jobs.heartbeat == .seconds(2))
        #expect(configuration.jobs.retention == .seconds(168 * 3600))
        #expect(configuration.jobs.maximumAttempts == 5)
        #expect(configuration.jobs.ageing == .seconds(30))
        #expect(configuration[ConcertSettings.self].freshness == .seconds(6 * 3600))
        #expect(configuration[ConcertSettings.self].refreshCallsPerDay == 2_000)
        #expect(configuration[ConcertSettings.self].cityNamesFile == nil)
        #expect(configuration[ReleaseSettings.self].activity == .seconds(30 * 86_400))
        #expect(configuration[ReleaseSettings.self].appleMusicCountry == "us")
        #expect(configuration[ReleaseSettings.self].artistRetention == .seconds(90 * 86_400))
        #expect(configuration.ticketmaster.apiKey == nil)
        let ticketmaster = configuration.upstreams[.ticketmaster]
        #expect(ticketmaster.baseURL == "https://app.ticketmaster.com/discovery/v2")
        #expect(ticketmaster.requests == 5)
        #expect(ticketmaster.window == .seconds(1))
        #expect(ticketmaster.timeout == .seconds(10))
        #expect(configuration.limits.requestsPerSecond == 50)
        #expect(configuration.limits.requestBurst == 500)
        #expect(configuration.limits.bufferedBodyBytes == 64 << 20)
        #expect(configuration.http.metrics == .local)
        #expect(configuration.limits.maximumBodyBytes == 1_048_576)
        #expect(configuration.http.headerTimeout == .seconds(10))
        #expect(configuration.http.bodyTimeout == .seconds(60))
        #expect(configuration.http.keepAlive == .seconds(75))
        #expect(configuration.http.writeTimeout == .seconds(60))
        #expect(configuration.http.maximumHeaderBytes == 32_768)
        #expect(configuration.http.trustedProxies.isEmpty)
        #expect(configuration.schedules.isEmpty)
    }

    @Test("The environment overrides the file, and the file overrides the default")
    func environmentOverridesFile() throws {
        let yaml = """
            http:
              host: 0.0.0.0
              port: 9000
            """
        let configuration = try load(yaml: yaml, environment: ["BACKLINE_HTTP_PORT": "9100"]).configuration
        #expect(configuration.http.port == 9100)
        #expect(configuration.http.host == "0.0.0.0")
        #expect(configuration.worker.concurrency == 16)
    }

    @Test("A wrong value in the file is ignored if the environment overrides it")
    func overriddenWrongValue() throws {
        let configuration = try load(yaml: "http: {port: none}", environment: ["BACKLINE_HTTP_PORT": "0"]).configuration
        #expect(configuration.http.port == 0)
    }

    @Test("--config overrides BACKLINE_CONFIG, which overrides the file in the working folder")
    func whichFileIsRead() throws {
        let folder = try TemporaryFolder()
        let byDefault = try folder.write("http: {port: 1}", to: "default.yaml")
        let byVariable = try folder.write("http: {port: 2}", to: "variable.yaml")
        let byArgument = try folder.write("http: {port: 3}", to: "argument.yaml")
        let environment = ["BACKLINE_CONFIG": byVariable]
        func port(_ file: String?, _ environment: [String: String]) throws -> Int {
            try BacklineConfiguration.load(sections: .all, file: file, environment: environment, defaultFile: byDefault)
                .configuration.http.port
        }
        #expect(try port(byArgument, environment) == 3)
        #expect(try port(nil, environment) == 2)
        #expect(try port(nil, [:]) == 1)
    }

    @Test("Every documented variable changes its value")
    func environmentContract() throws {
        let configuration = try load(environment: [
            "BACKLINE_DATABASE_PATH": "/srv/b.sqlite", "BACKLINE_HTTP_HOST": "::1", "BACKLINE_HTTP_PORT": "0",
            "BACKLINE_MESSAGING_ENDPOINT": "tcp://127.0.0.1:5555", "BACKLINE_LOG_LEVEL": "debug",
            "BACKLINE_WORKER_CONCURRENCY": "3", "BACKLINE_TICKETMASTER_API_KEY": "k3y",
            "BACKLINE_UPSTREAMS_TICKETMASTER_BASE_URL": "http://127.0.0.1:8099/discovery/v2",
            "BACKLINE_UPSTREAMS_TICKETMASTER_REQUESTS": "7", "BACKLINE_UPSTREAMS_TICKETMASTER_WINDOW_MS": "250",
        ])
        #expect(configuration.warnings.isEmpty)
        var expected = BacklineConfiguration.defaults(with: .all)
        expected.database.path = "/srv/b.sqlite"
        expected.http.host = "::1"
        expected.http.port = 0
        expected.messaging.endpoint = "tcp://127.0.0.1:5555"
        expected.messaging.keyFolder = "/srv/keys"
        expected.vault.keyFile = "/srv/vault/vault.key"
        expected.vault.publicKeyFile = "/srv/vault.pub"
        expected[TextKeySettings.self].keyFile = "/srv/messages/messages.key"
        expected[PictureSettings.self].keyFile = "/srv/pictures.key"
        expected[PictureSettings.self].folder = "/srv/pictures"
        expected[ImportSettings.self].folder = "/srv/imports"
        expected.log.level = .debug
        expected.worker.concurrency = 3
        expected.ticketmaster.apiKey = Secret("k3y")
        expected.upstreams[.ticketmaster].baseURL = "http://127.0.0.1:8099/discovery/v2"
        expected.upstreams[.ticketmaster].requests = 7
        expected.upstreams[.ticketmaster].window = .milliseconds(250)
        #expect(configuration.configuration == expected)
    }

    @Test("The names of the variables do not change")
    func environmentNames() {
        let names = Dictionary(
            uniqueKeysWithValues: ConfigurationKeys.all(with: .all).map { ($0.path, $0.environmentName) })
        #expect(names["database.path"] == "BACKLINE_DATABASE_PATH")
        #expect(names["upstreams.ticketmaster.baseURL"] == "BACKLINE_UPSTREAMS_TICKETMASTER_BASE_URL")
        #expect(names["upstreams.ticketmaster.windowMs"] == "BACKLINE_UPSTREAMS_TICKETMASTER_WINDOW_MS")
        #expect(names["ticketmaster.apiKey"] == "BACKLINE_TICKETMASTER_API_KEY")
        #expect(names["ticketmaster.apiKeyFile"] == "BACKLINE_TICKETMASTER_API_KEY_FILE")
        #expect(names["limits.maximumBodyBytes"] == "BACKLINE_LIMITS_MAXIMUM_BODY_BYTES")
        #expect(names["worker.graceSeconds"] == "BACKLINE_WORKER_GRACE_SECONDS")
        #expect(Set(names.values).count == names.count)
    }

    @Test("The list of keys contains every key that is read, and no other")
    func completeList() throws {
        let yaml = """
            ai: {endpoints: {home: {url: 'http://127.0.0.1:11434', model: m}}}
            schedules: {home: {kind: a.b, everySeconds: 1}}
            """
        let file = try ConfigurationFile(path: "b.yaml", yaml: yaml)
        let keys = ConfigurationKeys.all(with: .all).map(\.path)
        var reader = ConfigurationReader(environment: [:], file: file, keys: [])
        _ = BacklineConfiguration(sections: .all, reading: &reader)
        #expect(
            Set(reader.readPaths.map { $0.replacing(".home.", with: ".\(NamedSections.placeholder).") }) == Set(keys))
        #expect(keys.count == Set(keys).count)
    }

    @Test(
        "The socket is beside the database unless an endpoint is set",
        arguments: [
            ("/var/lib/backline/b.sqlite", "ipc:///var/lib/backline/run/gateway.ipc"),
            ("b.sqlite", "ipc://run/gateway.ipc"),
            ("data/deep/b.sqlite", "ipc://data/deep/run/gateway.ipc"),
        ])
    func derivedEndpoint(path: String, endpoint: String) throws {
        let configuration = try load(environment: ["BACKLINE_DATABASE_PATH": path]).configuration
        #expect(configuration.messaging.endpoint == endpoint)
    }

    @Test("A base URL loses its trailing slash")
    func baseURL() throws {
        let environment = ["BACKLINE_UPSTREAMS_TICKETMASTER_BASE_URL": "https://example.com/discovery/v2//"]
        let configuration = try load(environment: environment).configuration
        #expect(configuration.upstreams[.ticketmaster].baseURL == "https://example.com/discovery/v2")
    }

    @Test("New releases can be turned off, and are read in any country")
    func releaseSettings() throws {
        let environment = ["BACKLINE_RELEASES_ACTIVE_DAYS": "0", "BACKLINE_RELEASES_APPLE_MUSIC_COUNTRY": "DE"]
        let configuration = try load(environment: environment).configuration
        #expect(configuration[ReleaseSettings.self].activity == nil)
        #expect(configuration[ReleaseSettings.self].appleMusicCountry == "de")
    }

    @Test("A request limit of 0 means no limit")
    func requestLimit() throws {
        let limited = try load(environment: ["BACKLINE_LIMITS_REQUESTS_PER_SECOND": "20"]).configuration
        #expect(limited.limits.requestsPerSecond == 20)
        let yaml = "limits: {requestsPerSecond: 20}"
        let off = try load(yaml: yaml, environment: ["BACKLINE_LIMITS_REQUESTS_PER_SECOND": "0"]).configuration
        #expect(off.limits.requestsPerSecond == nil)
    }
}
