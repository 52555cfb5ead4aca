import Composition
import Curation
import Foundation
import Settings
import TestSupport
import Testing

@testable import Bootstrap

@Suite("The configuration file")
struct ConfigurationFileTests {
    private func complaint(file: String, environment: [String: String] = [:]) throws -> [String] {
        do {
            _ = try BacklineConfiguration.load(sections: .all, file: file, environment: environment)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test("A given file that is missing prevents the start")
    func missingFile() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/none.yaml"
        let expected = [#"error: the configuration file "\#(path)" does not exist"#]
        #expect(try complaint(file: path) == expected)
        #expect(throws: ConfigurationError(problems: [.error(String(expected[0].dropFirst("error: ".count)))])) {
            try BacklineConfiguration.load(sections: .all, environment: ["BACKLINE_CONFIG": path])
        }
    }

    @Test("A file that cannot be parsed is reported with its line, and the environment is checked as well")
    func unparsableFile() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("http:\n  port: 1\nlog: {level: info\nworker: 3\n", to: "bad.yaml")
        let lines = try complaint(file: path, environment: ["BACKLINE_HTTP_PORT": "x"])
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix(#"error: the configuration file "\#(path)", line "#))
        #expect(lines[0].contains("is not valid YAML: "))
        #expect(lines[1].hasPrefix("error: http.port (environment variable BACKLINE_HTTP_PORT)"))
    }

    @Test("A parser's error does not quote the line, which may contain a secret")
    func noSnippet() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("ticketmaster:\n  apiKey: \"s3cret\n", to: "bad.yaml")
        let lines = try complaint(file: path).joined()
        #expect(lines.contains("is not valid YAML"))
        #expect(!lines.contains("s3cret"))
    }

    @Test("A repeated key prevents the start, nested or dotted")
    func duplicateKeys() throws {
        let folder = try TemporaryFolder()
        let plain = try folder.write("http:\n  port: 1\n  port: 2\n", to: "a.yaml")
        #expect(
            try complaint(file: plain) == [
                #"error: the configuration file "\#(plain)", line 2, gives the same key more than once in the"#
                    + #" section that begins here: "port""#
            ])
        let dotted = try folder.write("http:\n  port: 1\nhttp.port: 2\n", to: "b.yaml")
        #expect(
            try complaint(file: dotted) == [
                #"error: the configuration file "\#(dotted)", line 3, gives "http.port" again (first on line 2)"#
            ])
    }

    @Test("A dotted key is equivalent to the nested one")
    func dottedKeys() throws {
        #expect(try load(yaml: "http.port: 81").configuration.http.port == 81)
    }

    @Test(
        "A file of comments, an empty file and empty sections keep the defaults",
        arguments: [
            "", "# nothing\n", "---\n", "http:\nlog:\n  # level: debug\nschedules:\nupstreams:\n  ticketmaster:\n",
            "~\n",
        ])
    func emptyFileKeepsDefaults(yaml: String) throws {
        let loaded = try load(yaml: yaml)
        #expect(loaded.configuration == .defaults(with: .all))
        #expect(loaded.warnings.isEmpty)
    }

    @Test("A file with a list, a folder, and text that is not UTF-8 are refused")
    func unusableFiles() throws {
        let folder = try TemporaryFolder()
        let list = try folder.write("- a\n- b\n", to: "list.yaml")
        #expect(
            try complaint(file: list)
                == [#"error: the configuration file "\#(list)", line 1, does not contain keys and values"#])
        #expect(
            try complaint(file: folder.path)
                == [#"error: the configuration file "\#(folder.path)" is not a regular file"#])
        let latin = folder.path + "/latin.yaml"
        try Data([0x68, 0xe4, 0x3a, 0x20, 0x31]).write(to: URL(filePath: latin))
        #expect(
            try complaint(file: latin) == [#"error: the configuration file "\#(latin)" is not UTF-8 text"#])
    }

    @Test("An empty path is refused, not ignored")
    func emptyName() throws {
        #expect(
            try complaint(file: "") == [
                "error: the path of the configuration file (--config) is empty; allowed: the path of a file"
            ])
        #expect(throws: ConfigurationError.self) {
            try BacklineConfiguration.load(sections: .all, environment: ["BACKLINE_CONFIG": ""])
        }
    }

    @Test("Unknown keys and variables are warnings that name the nearest known one")
    func unknownKeys() throws {
        let yaml = """
            htpp:
              port: 1
            upstreams:
              ticketmaster:
                baseUrl: https://example.com
                retries: 3
            schedules:
              hourly:
                kind: diagnostics.echo
                everySeconds: 60
                every: 3
            """
        let environment = [
            "BACKLINE_WORKER_CONCURENCY": "3", "BACKLINE_TEST_ANYTHING": "1", "BACKLINE_CONFIG": "x",
            "BACKLINE_SCHEDULES_HOURLY_PAYLOAD": "{}", "HOME": "/root",
        ]
        let warnings = try load(yaml: yaml, environment: environment).warnings.map(\.description)
        #expect(
            warnings == [
                #"warning: unknown key "htpp.port" (backline.yaml, line 2) is ignored;"#
                    + " the nearest known key is http.port",
                #"warning: unknown key "upstreams.ticketmaster.baseUrl" (backline.yaml, line 5) is ignored;"#
                    + " the nearest known key is upstreams.ticketmaster.baseURL",
                #"warning: unknown key "upstreams.ticketmaster.retries" (backline.yaml, line 6) is ignored;"#
                    + " the nearest known key is upstreams.ticketmaster.requests",
                #"warning: unknown key "schedules.hourly.every" (backline.yaml, line 11) is ignored;"#
                    + " the nearest known key is schedules.hourly.everySeconds",
                #"warning: unknown environment variable "BACKLINE_WORKER_CONCURENCY" is ignored;"#
                    + " the nearest known one is BACKLINE_WORKER_CONCURRENCY",
            ])
    }

    @Test("Schedules are read in the order of the file, and the environment can change them")
    func orderOfSchedules() throws {
        let yaml = """
            schedules:
              zeta-2:
                kind: diagnostics.echo
                everySeconds: 60
                payload: '{"message": "hello"}'
              alpha:
                kind: concerts.refresh
                everySeconds: 3600
            """
        let environment = ["BACKLINE_SCHEDULES_ZETA_2_EVERY_SECONDS": "5"]
        let schedules = try load(yaml: yaml, environment: environment).configuration.schedules
        #expect(schedules.map(\.name) == ["zeta-2", "alpha"])
        #expect(schedules.map(\.kind) == ["diagnostics.echo", "concerts.refresh"])
        #expect(schedules.map(\.interval) == [.seconds(5), .seconds(3_600)])
        #expect(schedules.map(\.payload) == [#"{"message": "hello"}"#, "{}"])
    }

    @Test("Missing and wrong keys of a schedule are reported")
    func wrongSchedules() throws {
        let yaml = """
            schedules:
              one: {everySeconds: 60}
              two: {kind: a.b, everySeconds: 0}
              three: {kind: a.b, everySeconds: 1, payload: {message: hello}}
              Four: {kind: a.b, everySeconds: 1}
              five: {kind: a.b, everySeconds: 1, payload: '[1]'}
              six: 7
              seven:
            """
        let lines = try complaints(yaml: yaml)
        let name = "allowed: 1 to 64 letters, digits, dots, hyphens and underscores"
        let json = #"allowed: a JSON object in single quotes, such as '{"message": "hello"}'"#
        let seconds = "allowed: a whole number from 1 to 31536000"
        #expect(
            lines == [
                #"error: schedules has the name "Four"; allowed: 1 to 64 lower-case letters, digits and hyphens,"#
                    + " beginning with a letter",
                "error: schedules.one.kind is missing; \(name)",
                #"error: schedules.two.everySeconds (backline.yaml, line 3) is "0"; \#(seconds)"#,
                "error: schedules.three.payload (backline.yaml, line 4) is a section with keys below it; \(json)",
                #"error: schedules.five.payload (backline.yaml, line 6) is "[1]"; \#(json)"#,
                "error: schedules.six.kind is missing; \(name)",
                "error: schedules.six.everySeconds is missing; \(seconds)",
                "error: schedules.seven.kind is missing; \(name)",
                "error: schedules.seven.everySeconds is missing; \(seconds)",
                #"error: schedules.six (backline.yaml, line 7) is "7"; allowed: a section with keys below it"#,
            ])
    }

    @Test("Model servers are read in the order of the file, and variables can change and add some")
    func modelServers() throws {
        let yaml = """
            ai:
              endpoints:
                home-2: {url: 'http://127.0.0.1:11434', model: 'llama3.1:8b', contextTokens: 8192}
                fast: {url: 'https://models.example/v1', model: qwen3, keyFile: /k, timeoutSeconds: 20}
            """
        let environment = [
            "BACKLINE_AI_ENDPOINTS_HOME_2_MODEL": "other", "BACKLINE_AI_ENDPOINTS_WORK_URL": "https://work.example",
            "BACKLINE_AI_ENDPOINTS_WORK_MODEL": "m", "BACKLINE_AI_ENDPOINTS_AT_WORK_URL": "https://work.example",
            "BACKLINE_AI_ENDPOINTS_AT_WORK_MODEL": "n",
        ]
        let loaded = try load(yaml: yaml, environment: environment)
        let endpoints = loaded.configuration[CurationSettings.self].endpoints
        #expect(loaded.warnings.isEmpty)
        #expect(endpoints.map(\.name) == ["home-2", "fast", "at-work", "work"])
        #expect(
            endpoints.map(\.url) == [
                "http://127.0.0.1:11434/v1", "https://models.example/v1", "https://work.example/v1",
                "https://work.example/v1",
            ])
        #expect(endpoints.map(\.model) == ["other", "qwen3", "n", "m"])
        #expect(endpoints.map(\.keyFile) == [nil, "/k", nil, nil])
        #expect(endpoints.map(\.contextTokens) == [8_192, 4_096, 4_096, 4_096])
        #expect(endpoints.map(\.timeout) == [.seconds(300), .seconds(20), .seconds(300), .seconds(300)])
    }

    @Test("Missing, wrong and former keys of a model server are reported")
    func wrongEndpoints() throws {
        let yaml = """
            ai:
              endpointURL: http://127.0.0.1:11434
              endpoints:
                home: {model: m}
                gemini: {url: 'https://models.example', model: m}
                Fast: {url: 'https://models.example', model: m}
                far: {url: 'http://models.example', model: m}
                near: {url: 'https://models.example', modell: m}
            """
        let environment = [
            "BACKLINE_AI_ENDPOINT_MODEL": "m", "BACKLINE_AI_ENDPOINTS_LOST_MODEL": "m",
            "BACKLINE_AI_ENDPOINTS_9_URL": "https://models.example",
        ]
        let lines = try complaints(yaml: yaml, environment: environment)
        let url =
            "allowed: an https:// URL (http:// for loopback and private addresses only) without user, query or fragment"
        #expect(
            lines == [
                #"error: ai.endpoints has the name "gemini", which has a meaning of its own; allowed: names other than"#
                    + " gemini, none",
                #"error: ai.endpoints has the name "Fast"; allowed: 1 to 64 lower-case letters, digits and hyphens,"#
                    + " beginning with a letter",
                #"error: ai.endpoints has the name "9"; allowed: 1 to 64 lower-case letters, digits and hyphens,"#
                    + " beginning with a letter",
                "error: ai.endpoints.home.url is missing; \(url)",
                #"error: ai.endpoints.far.url (backline.yaml, line 7) is "http://models.example"; \#(url)"#,
                "error: ai.endpoints.near.model is missing; allowed: a name of 1 to 200 characters",
                #"warning: unknown key "ai.endpointURL" (backline.yaml, line 2) is ignored;"#
                    + " the nearest known key is ai.endpoints.NAME.url",
                #"warning: unknown key "ai.endpoints.near.modell" (backline.yaml, line 8) is ignored;"#
                    + " the nearest known key is ai.endpoints.near.model",
                #"warning: unknown environment variable "BACKLINE_AI_ENDPOINTS_LOST_MODEL" is ignored;"#
                    + " the nearest known one is BACKLINE_AI_ENDPOINTS_FAST_MODEL",
                #"warning: unknown environment variable "BACKLINE_AI_ENDPOINT_MODEL" is ignored;"#
                    + " the nearest known one is BACKLINE_AI_ENDPOINTS_NAME_MODEL",
            ])
    }
}
