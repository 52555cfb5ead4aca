import TestSupport
import Testing

@Suite("Commands about the identity of songs", .timeLimit(.minutes(5)))
struct IdentityCommandTests {
    private func start(_ verb: String, _ options: [String] = []) throws -> ChildProcess {
        // Errors are part of the output that is read.
        try ChildProcess(
            "/bin/sh", ["-c", #"exec "$0" identity "$@" 2>&1"#, Executable.product("backline"), verb] + options,
            hasInput: true)
    }

    private func output(
        _ verb: String, _ options: [String] = [], of input: String
    ) async throws -> (ChildProcess.End, [String]) {
        let process = try start(verb, options)
        try process.write(input)
        process.closeInput()
        return (try await process.waitForEnd(), process.output.lines)
    }

    private static func pair(_ one: String, _ other: String) -> String {
        #"{"a": {"title": "\#(one)", "artist": "Nora", "album": "Harbor", "durationMs": 200000, "released": "18-May-15"}, "#
            + #""b": {"title": "\#(other)", "artist": "Nora", "album": null, "durationMs": 201000.0, "isrc": null}}"#
            + "\n"
    }

    @Test("Each pair is answered before the next one is sent")
    func pairsAreAnsweredAtOnce() async throws {
        let process = try start("compare")
        try process.write(Self.pair("Rain", "Rain"))
        #expect(
            try await process.waitForOutput(lines: 1).last?
                .hasPrefix(#"{"verdict":"same","evidence":["The titles agree"#) == true)
        try process.write("\n" + Self.pair("Rain", "Rain (Live)") + Self.pair("東京", "Tokyo"))
        let lines = try await process.waitForOutput(lines: 3)
        #expect(lines[1].hasPrefix(#"{"verdict":"different""#))
        #expect(lines[2].hasPrefix(#"{"verdict":"undecided""#))
        process.closeInput()
        #expect(try await process.waitForEnd() == .exited(0))
    }

    @Test("The setting for remasters is an option")
    func optionForRemasters() async throws {
        let pair = Self.pair("Rain", "Rain - Remastered 2011")
        #expect(try await output("compare", of: pair).1[0].contains("same"))
        #expect(try await output("compare", ["--separate-remasters"], of: pair).1[0].contains("different"))
    }

    @Test(
        "A line that cannot be read is an error with its number, after the results of the lines before it",
        arguments: [
            ("{", "Line 3 cannot be read: It is not a JSON object."),
            (#"{"a": {"title": "x"}}"#, "Line 3 cannot be read: b is missing."),
            (
                #"{"a": {"title": "x"}, "b": {"title": 1}}"#,
                "Line 3 cannot be read: b.title has a value of the wrong type."
            ),
            (#"{"a": {"title": "x"}, "b": {"title": null}}"#, "Line 3 cannot be read: b.title is missing."),
            ("\u{0}\u{0}\u{0}", "Line 3 cannot be read: It is not a JSON object."),
        ])
    func unreadableLines(line: String, expected: String) async throws {
        let (end, lines) = try await output(
            "compare", of: Self.pair("a", "a") + " \t\r\n" + line + "\n" + Self.pair("a", "a"))
        #expect(end == .exited(66))
        #expect(lines.count == 2)
        #expect(lines.last == "backline: \(expected)")
    }

    @Test("Records of one song have the same track, the first of their ids, in the order of the lines")
    func clustersOfRecords() async throws {
        func record(_ id: String, _ title: String) -> String {
            #"{"id": \#(id), "title": "\#(title)", "artist": "Nora", "album": "Harbor", "durationMs": 200000}"#
        }
        let lines = [record(#""c/é""#, "Rain"), record("7", "Fire"), record(#""b""#, "Rain (Remastered)")]
        let (end, answers) = try await output("cluster", of: lines.joined(separator: "\n"))
        #expect(end == .exited(0))
        #expect(answers == [#"{"id":"c/é","track":"b"}"#, #"{"id":7,"track":7}"#, #"{"id":"b","track":"b"}"#])
        let (failure, complaint) = try await output("cluster", of: [lines[1], "", lines[1]].joined(separator: "\n"))
        #expect(failure == .exited(66))
        #expect(complaint == ["backline: Line 3 cannot be read: Its id was used on an earlier line."])
    }
}
