import Composition
import Testing

@testable import Bootstrap

@Suite("Wrong values")
struct ConfigurationProblemTests {
    @Test("A wrong value in the environment is reported with key, variable, value and what is allowed")
    func environmentText() throws {
        #expect(
            try complaints(environment: ["BACKLINE_HTTP_PORT": "eighty"]) == [
                #"error: http.port (environment variable BACKLINE_HTTP_PORT) is "eighty";"#
                    + " allowed: a whole number from 0 to 65535"
            ])
    }

    @Test("A wrong value in the file is reported with key, file and line")
    func fileText() throws {
        let yaml = """
            # A comment.
            worker:
              concurrency: 0
            """
        #expect(
            try complaints(yaml: yaml) == [
                #"error: worker.concurrency (backline.yaml, line 3) is "0"; allowed: a whole number from 1 to 1024"#
            ])
    }

    @Test("The import folder has at least 2 MiB, of which one person gets half")
    func importFolder() throws {
        #expect(try complaints(yaml: "imports: {folderMegabytes: 2}").isEmpty)
        #expect(
            try complaints(yaml: "imports: {folderMegabytes: 1}") == [
                #"error: imports.folderMegabytes (backline.yaml, line 1) is "1";"#
                    + " allowed: a whole number from 2 to 1000000"
            ])
    }

    @Test("A wrong choice lists the allowed ones")
    func choiceText() throws {
        #expect(
            try complaints(yaml: "log: {level: loud}") == [
                #"error: log.level (backline.yaml, line 1) is "loud"; allowed: trace, debug, info, notice,"#
                    + " warning, error, critical"
            ])
    }

    @Test("All problems are reported together, one line each, including warnings")
    func allProblemsAtOnce() throws {
        let yaml = """
            http:
              port: 99999
              hots: a
            log: loud
            jobs:
              leaseSeconds: 4
            """
        let environment = ["BACKLINE_LOG_FORMAT": "xml", "BACKLINE_HTTP_HOTS": "b"]
        let lines = try complaints(yaml: yaml, environment: environment)
        #expect(
            lines == [
                #"error: http.port (backline.yaml, line 2) is "99999"; allowed: a whole number from 0 to 65535"#,
                #"error: log.format (environment variable BACKLINE_LOG_FORMAT) is "xml"; allowed: text, json"#,
                "error: jobs.leaseSeconds is 4 and jobs.heartbeatSeconds is 2; allowed: a lease of more than"
                    + " two heartbeats",
                #"warning: unknown key "http.hots" (backline.yaml, line 3) is ignored; the nearest known key is"#
                    + " http.host",
                #"error: log (backline.yaml, line 4) is "loud"; allowed: a section with keys below it"#,
                #"warning: unknown environment variable "BACKLINE_HTTP_HOTS" is ignored; the nearest known one is"#
                    + " BACKLINE_HTTP_HOST",
            ])
        #expect(lines.allSatisfy { !$0.contains("\n") })
    }

    @Test(
        "Each of these prevents the start, naming the variable",
        arguments: [
            ("BACKLINE_DATABASE_PATH", ["", " ", "data/", "..", ":memory:", "file:b?mode=memory", "a\nb"]),
            (
                "BACKLINE_HTTP_HOST",
                ["", "http://localhost", "[::1]", "127.0.0.1:80", "a b", "256.1.1.1", "1.2", "-a", "a..b"]
            ),
            ("BACKLINE_HTTP_PORT", ["", " 80", "80 ", "-1", "65536", "8080.0", "0x50", "99999999999999999999"]),
            (
                "BACKLINE_MESSAGING_ENDPOINT",
                [
                    "", "ipc://", "ipc://@abstract", "ipc://*", "ipc://run/", "tcp://*:5555", "tcp://127.0.0.1",
                    "tcp://127.0.0.1:0", "tcp://127.0.0.1:*", "tcp://::1:5555", "tcp://127.1:1", "inproc://gateway",
                    "ipc://" + String(repeating: "x", count: 108),
                ]
            ),
            ("BACKLINE_MESSAGING_CURVE", ["", "off", "never"]),
            ("BACKLINE_MESSAGING_KEY_FOLDER", ["", " "]),
            ("BACKLINE_MESSAGING_KEY_FILE", ["", "keys/"]),
            ("BACKLINE_MESSAGING_GATEWAY_KEY_FILE", ["", ".."]),
            ("BACKLINE_LOG_LEVEL", ["", "INFO", "warn", "loud"]),
            ("BACKLINE_LOG_FORMAT", ["", "xml"]),
            ("BACKLINE_WORKER_CONCURRENCY", ["", "0", "1025", "many"]),
            ("BACKLINE_WORKER_NAME", ["", "a b", "ä", String(repeating: "x", count: 65)]),
            ("BACKLINE_WORKER_GRACE_SECONDS", ["", "0", "3601", "1.5"]),
            ("BACKLINE_JOBS_LEASE_SECONDS", ["", "1", "3601"]),
            ("BACKLINE_JOBS_HEARTBEAT_SECONDS", ["", "0", "5"]),
            ("BACKLINE_JOBS_RETENTION_HOURS", ["", "0", "87601"]),
            ("BACKLINE_JOBS_MAXIMUM_ATTEMPTS", ["", "0", "101"]),
            ("BACKLINE_LIBRARY_SPOTIFY_SETTLE_SECONDS", ["", "0", "3601", "0.5"]),
            ("BACKLINE_LIBRARY_APPLE_MUSIC_SETTLE_SECONDS", ["", "0", "3601", "-1"]),
            ("BACKLINE_JOBS_AGEING_SECONDS", ["", "0", "86401"]),
            ("BACKLINE_CONCERTS_FRESHNESS_HOURS", ["", "0", "8761"]),
            ("BACKLINE_CONCERTS_CITY_NAMES_FILE", ["", "/no/such/file"]),
            (
                "BACKLINE_UPSTREAMS_TICKETMASTER_BASE_URL",
                [
                    "", "app.ticketmaster.com", "/discovery/v2", "ftp://example.com", "https://", "https:///v2",
                    "http://example.com", "http://127.evil.example", "https://user@example.com", "https://a b.example",
                    "https://example.com/v2?x=1", "https://example.com/v2#x", "https://example.com:0",
                    "https://example.com:99999",
                ]
            ),
            ("BACKLINE_UPSTREAMS_TICKETMASTER_REQUESTS", ["", "0", "1001"]),
            ("BACKLINE_UPSTREAMS_TICKETMASTER_WINDOW_MS", ["", "99", "3600001", "1s"]),
            ("BACKLINE_UPSTREAMS_TICKETMASTER_TIMEOUT_MS", ["", "99", "120001"]),
            (
                "BACKLINE_AI_PRICES",
                [
                    "", "1/2", "=1/2", "model", "model=1", "model=1/2/3", "model=1/", "model=-1/2", "model=1e3/2",
                    "model=1,5/2", "model=1/2 USD", "model=0.0000001/2", "model=1000001/2", "model=1/2, model=3/4",
                    "model=1/2,",
                ]
            ),
            ("BACKLINE_AI_PRICE_CURRENCY", ["", "usd", "$", "EURO", "E R"]),
            ("BACKLINE_LIMITS_REQUESTS_PER_SECOND", ["", "-1", "100001", "off"]),
            ("BACKLINE_LIMITS_MAXIMUM_BODY_BYTES", ["", "1023", "67108865"]),
            ("BACKLINE_LIMITS_BUFFERED_BODY_MEGABYTES", ["", "47", "65537"]),
            ("BACKLINE_HTTP_METRICS", ["", "everybody"]),
        ])
    func refusedValues(variable: String, values: [String]) throws {
        let key = try #require(ConfigurationKeys.all(with: .all).first { $0.environmentName == variable })
        for value in values {
            let lines = try complaints(environment: [variable: value])
            #expect(lines.count == 1, "\(variable)=\(value)")
            #expect(lines.allSatisfy { $0.hasPrefix("error: ") && !$0.contains("\n") }, "\(lines)")
            #expect(lines.allSatisfy { $0.contains(key.path) }, "\(lines)")
            if value.isEmpty {
                #expect(
                    lines == ["error: \(key.path) (environment variable \(variable)) is empty; allowed: \(key.allowed)"]
                )
            }
        }
    }

    @Test(
        "Each of these is accepted",
        arguments: [
            ("BACKLINE_HTTP_HOST", ["0.0.0.0", "::", "localhost", "gateway.internal-1.example"]),
            ("BACKLINE_HTTP_PORT", ["0", "65535"]),
            (
                "BACKLINE_MESSAGING_ENDPOINT",
                [
                    "ipc://run/a.ipc", "ipc:///r/a", "tcp://127.9.9.9:1", "tcp://[::1]:65535", "tcp://0.0.0.0:5555",
                    "tcp://[fd00::1]:1", "tcp://gateway.example:5555",
                ]
            ),
            (
                "BACKLINE_UPSTREAMS_TICKETMASTER_BASE_URL",
                ["http://localhost:1/v2", "http://[::1]:80", "https://a.example"]
            ),
            ("BACKLINE_WORKER_NAME", ["concert-1.a_B"]),
            ("BACKLINE_AI_PRICES", ["model=0/0", "a=0.30/2.50,  org/b:7b = 1 / 1000000 , c=d=0.000001/1"]),
        ])
    func acceptedValues(variable: String, values: [String]) throws {
        for value in values {
            #expect(try complaints(environment: [variable: value]).isEmpty, "\(variable)=\(value)")
        }
    }

    @Test("An empty key in the file, a list and a section in place of a value are refused")
    func valuesOfWrongShape() throws {
        let yaml = """
            http:
              port:
              host: [a, b]
            worker:
              concurrency: {at: once}
            """
        #expect(
            try complaints(yaml: yaml) == [
                "error: http.host (backline.yaml, line 3) is a list; allowed: an IP address or a host name,"
                    + " without scheme, port or brackets",
                "error: http.port (backline.yaml, line 2) is empty; allowed: a whole number from 0 to 65535",
                "error: worker.concurrency (backline.yaml, line 5) is a section with keys below it; allowed:"
                    + " a whole number from 1 to 1024",
            ])
    }

    @Test("A refused base URL shows neither its password nor its query")
    func urlSecrets() throws {
        let environment = [
            "BACKLINE_UPSTREAMS_TICKETMASTER_BASE_URL": "https://me:hunter2@example.com/v2?apikey=s3cret"
        ]
        let lines = try complaints(environment: environment).joined()
        #expect(lines.contains(#"is "https://•••@example.com/v2?•••""#))
        #expect(!lines.contains("hunter2") && !lines.contains("s3cret"))
    }

    @Test("A database path too long for the socket beside it needs an endpoint")
    func longDerivedEndpoint() throws {
        let path = "/" + String(repeating: "d", count: 100) + "/b.sqlite"
        let lines = try complaints(environment: ["BACKLINE_DATABASE_PATH": path])
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("error: messaging.endpoint (derived from database.path) is \"ipc:///dd") == true)
        #expect(lines.first?.hasSuffix("; set messaging.endpoint to a shorter path") == true)
        let short = ["BACKLINE_DATABASE_PATH": path, "BACKLINE_MESSAGING_ENDPOINT": "ipc://run/b.ipc"]
        #expect(try complaints(environment: short).isEmpty)
    }

    @Test("A wrong value is shown on one line, and truncated")
    func hostileText() throws {
        let value = "x\nerror: forged\u{1b}[2J" + String(repeating: "y", count: 5_000)
        let lines = try complaints(environment: ["BACKLINE_LOG_LEVEL": value])
        let line = try #require(lines.first)
        #expect(lines.count == 1)
        #expect(line.contains(#"is "x\nerror: forged\u001b[2J"#))
        #expect(!line.contains("\n") && !line.contains("\u{1b}"))
        #expect(line.count < 400)
    }
}
