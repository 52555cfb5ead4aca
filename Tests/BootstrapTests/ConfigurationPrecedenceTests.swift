import Foundation
import Model
import Testing

@testable import Bootstrap

@Suite("The source of a value")
struct ConfigurationPrecedenceTests {
    @Test("Without a file and an environment, the defaults apply")
    func defaults() throws {
        let folder = try TemporaryFolder()
        let loaded = try BacklineConfiguration.load(environment: [:], defaultFile: folder.path + "/none.yaml")
        let configuration = loaded.configuration
        #expect(configuration == .defaults)
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
        #expect(configuration.concerts.freshness == .seconds(6 * 3600))
        #expect(configuration.concerts.cityNamesFile == nil)
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
    func precedence() throws {
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
    func files() throws {
        let folder = try TemporaryFolder()
        let byDefault = try folder.file("default.yaml", "http: {port: 1}")
        let byVariable = try folder.file("variable.yaml", "http: {port: 2}")
        let byArgument = try folder.file("argument.yaml", "http: {port: 3}")
        let environment = ["BACKLINE_CONFIG": byVariable]
        func port(_ file: String?, _ environment: [String: String]) throws -> Int {
            try BacklineConfiguration.load(file: file, environment: environment, defaultFile: byDefault)
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
        var expected = BacklineConfiguration.defaults
        expected.database.path = "/srv/b.sqlite"
        expected.http.host = "::1"
        expected.http.port = 0
        expected.messaging.endpoint = "tcp://127.0.0.1:5555"
        expected.messaging.keyFolder = "/srv/keys"
        expected.vault.keyFile = "/srv/vault/vault.key"
        expected.vault.publicKeyFile = "/srv/vault.pub"
        expected.pictures.keyFile = "/srv/pictures.key"
        expected.pictures.folder = "/srv/pictures"
        expected.imports.folder = "/srv/imports"
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
        let names = Dictionary(uniqueKeysWithValues: ConfigurationKeys.all.map { ($0.path, $0.environmentName) })
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
        let file = try ConfigurationFile(
            path: "b.yaml", yaml: "schedules: {NAME: {kind: a.b}}")
        // NAME is not a valid name of a section, so its keys are requested one by one.
        var reader = ConfigurationReader(sources: [.file(file, file.provider(secrets: []))])
        _ = BacklineConfiguration(reading: &reader)
        let name = NamedSections.placeholder
        _ = reader.value(ConfigurationKeys.scheduleKind(name))
        _ = reader.value(ConfigurationKeys.scheduleEverySeconds(name))
        _ = reader.value(ConfigurationKeys.schedulePayload(name))
        _ = reader.value(ConfigurationKeys.aiEndpointURL(name))
        _ = reader.value(ConfigurationKeys.aiEndpointModel(name))
        _ = reader.value(ConfigurationKeys.aiEndpointKeyFile(name))
        _ = reader.value(ConfigurationKeys.aiEndpointContextTokens(name))
        _ = reader.value(ConfigurationKeys.aiEndpointTimeoutSeconds(name))
        #expect(reader.readPaths == Set(ConfigurationKeys.all.map(\.path)))
        #expect(ConfigurationKeys.all.count == Set(ConfigurationKeys.all.map(\.path)).count)
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

    @Test("A request limit of 0 means no limit")
    func requestLimit() throws {
        let limited = try load(environment: ["BACKLINE_LIMITS_REQUESTS_PER_SECOND": "20"]).configuration
        #expect(limited.limits.requestsPerSecond == 20)
        let yaml = "limits: {requestsPerSecond: 20}"
        let off = try load(yaml: yaml, environment: ["BACKLINE_LIMITS_REQUESTS_PER_SECOND": "0"]).configuration
        #expect(off.limits.requestsPerSecond == nil)
    }
}
