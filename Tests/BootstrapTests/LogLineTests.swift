import Foundation
import Logging
import Model
import Synchronization
import Testing

@testable import Bootstrap

@Suite("Log lines")
struct LogLineTests {
    private func line(_ message: String, _ metadata: Logger.Metadata = [:], label: String = "jobs") -> LogLine {
        // 2026-11-20T22:15:42.123456Z
        LogLine(
            time: Timestamp(microseconds: 1_795_212_942_123_456), level: .info, label: label, message: message,
            metadata: metadata)
    }

    @Test("A text line has time, level, label, message and sorted metadata")
    func textFormat() {
        #expect(
            line("claimed", ["run": "3", "job": "0195", "worker": "concert 1"]).text
                == #"2026-11-20T22:15:42.123456Z info jobs: claimed job=0195 run=3 worker="concert 1""#)
    }

    @Test("Nested metadata becomes dotted keys")
    func nestedMetadata() {
        let metadata: Logger.Metadata = [
            "where": ["city": "Praha", "at": .dictionary(["hall": "O2"])], "ids": ["a", "b"], "none": [], "empty": [:],
        ]
        #expect(
            line("m", metadata).text.hasSuffix(
                "m empty={} ids.0=a ids.1=b none=[] where.at.hall=O2 where.city=Praha"))
    }

    @Test("A JSON line is one object with a member for the sorted metadata")
    func jsonFormat() throws {
        let text = line("claimed \"it\"", ["b": ["x", ["k": "v"]], "a": "1"]).json
        #expect(
            text == #"{"time":"2026-11-20T22:15:42.123456Z","level":"info","logger":"jobs","#
                + #""message":"claimed \"it\"","metadata":{"a":"1","b":["x",{"k":"v"}]}}"#)
        #expect(
            line("m").json == #"{"time":"2026-11-20T22:15:42.123456Z","level":"info","logger":"jobs","message":"m"}"#)
    }

    static let hostile = [
        "a\n2026-11-20T22:15:42.000000Z critical jobs: forged", "a\r\nb", "a\u{1b}[31mred\u{7}",
        "a\u{2028}b\u{2029}c\u{85}d",
        "a\u{202e}b\u{2066}c\u{feff}", "a\u{0}b\u{7f}", "key=value \"quoted\" \\", "tab\there", "", " ", "\u{a0}",
        "🎸 naïve 東京",
        "\u{e0001}",
    ]

    @Test("No message, label, key or value breaks an event's line", arguments: hostile)
    func nothingBreaksALine(text: String) throws {
        let event = line(text, [text: .string(text), "list": [.string(text)]], label: text)
        for rendered in [event.text, event.json] {
            let isClean = rendered.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: false
                default: true
                }
            }
            #expect(isClean, "\(rendered.debugDescription)")
        }
        let object = try #require(
            JSONSerialization.jsonObject(with: Data(event.json.utf8)) as? [String: Any])
        #expect(object["message"] as? String == text)
        let metadata = try #require(object["metadata"] as? [String: Any])
        #expect(metadata[text] as? String == text)
        #expect(metadata["list"] as? [String] == [text])
    }

    @Test("A value cannot be mistaken for another key")
    func valueInjection() {
        #expect(line("m", ["a": "1 admin=true"]).text.hasSuffix(#" m a="1 admin=true""#))
        #expect(line("m", ["a": "b=c"]).text.hasSuffix(#" m a="b=c""#))
        #expect(line("m", ["a": #"" b=c"#]).text.hasSuffix(#" m a="\" b=c""#))
        #expect(line("m", ["a": ""]).text.hasSuffix(#" m a="""#))
        #expect(line("m", ["a b=c": "d"]).text.hasSuffix(" m _a_b_c=d"))
        #expect(line("m", ["a": "東京"]).text.hasSuffix(" m a=東京"))
    }

    @Test("Line breaks in a message are escaped")
    func lineBreaksInMessages() {
        #expect(line("a\nb\\n").text.hasSuffix(#"jobs: a\nb\\n"#))
    }
}

@Suite("The log handler")
struct LineLogHandlerTests {
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        @Sendable func append(_ line: String) { lines.withLock { $0.append(line) } }
    }

    private let lines = Lines()

    private func logger(
        _ level: Logger.Level = .info, _ format: LogFormat = .text, hasPriorities: Bool = false,
        provider: Logger.MetadataProvider? = nil
    ) -> Logger {
        let lines = lines
        return Logger(label: "jobs") { label in
            LineLogHandler(
                label: label, level: level, format: format, hasPriorities: hasPriorities, metadataProvider: provider,
                write: lines.append)
        }
    }

    /// The lines without their time.
    private func ends() -> [String] {
        lines.all.map { String($0.drop { $0 != " " }) }
    }

    @Test("The handler writes one line for each event at its level and above")
    func levelsOfTheHandler() {
        let logger = logger(.notice)
        logger.info("quiet")
        logger.notice("heard")
        logger.critical("loud")
        #expect(ends() == [" notice jobs: heard\n", " critical jobs: loud\n"])
    }

    @Test("For journald, each line begins with its priority, in both formats", arguments: LogFormat.allCases)
    func priorityPrefixes(format: LogFormat) {
        let logger = logger(.trace, format, hasPriorities: true)
        for level in Logger.Level.allCases { logger.log(level: level, "m") }
        #expect(lines.all.map { String($0.prefix(3)) } == ["<7>", "<7>", "<6>", "<5>", "<4>", "<3>", "<2>"])
        #expect(lines.all.allSatisfy { $0.dropFirst(3).first == (format == .text ? "2" : "{") })
    }

    @Test("Lines have priorities only if standard error is the stream that systemd named")
    func journalStream() throws {
        let file = try FileHandle(forReadingFrom: URL(filePath: "/dev/null"))
        var status = stat()
        #expect(fstat(file.fileDescriptor, &status) == 0)
        func isWanted(_ stream: String?) -> Bool {
            let environment = stream.map { ["JOURNAL_STREAM": $0] } ?? [:]
            return JournalPriority.isWanted(environment: environment, descriptor: file.fileDescriptor)
        }
        #expect(isWanted("\(status.st_dev):\(status.st_ino)"))
        #expect(!isWanted("\(status.st_dev):\(status.st_ino + 1)") && !isWanted("") && !isWanted(nil))
    }

    @Test("The event's metadata overrides its context's, which overrides the logger's")
    func precedenceOfMetadata() {
        var logger = logger(provider: Logger.MetadataProvider { ["b": "context", "c": "context"] })
        logger[metadataKey: "a"] = "logger"
        logger[metadataKey: "b"] = "logger"
        logger.info("m", metadata: ["c": "event"])
        #expect(ends() == [" info jobs: m a=logger b=context c=event\n"])
    }

    @Test("A secret is printed as dots, anywhere in a line and in both formats", arguments: LogFormat.allCases)
    func secretsAreDots(format: LogFormat) {
        let secret = Secret("s3cret")
        struct Holder { let key: Secret }
        logger(.info, format).info(
            "using \(secret)",
            metadata: [
                "key": "\(secret)", "value": .stringConvertible(secret), "list": ["\(secret)"],
                "holder": "\(Holder(key: secret))",
            ])
        let line = lines.all.joined()
        #expect(!line.contains("s3cret"))
        #expect(line.split(separator: "•••", omittingEmptySubsequences: false).count == 6)
    }

    @Test("An event's error is written with its type")
    func errorWithItsType() {
        struct Broken: Error {}
        logger().error("failed", error: Broken())
        #expect(ends().first?.contains("error.message=Broken() error.type=") == true)
    }

    @Test("Two loggers do not share their level or metadata")
    func valueSemantics() {
        let first = logger()
        var second = first
        second.logLevel = .debug
        second[metadataKey: "only"] = "second"
        first.debug("quiet")
        first.info("one")
        second.debug("two")
        #expect(ends() == [" info jobs: one\n", " debug jobs: two only=second\n"])
    }
}
