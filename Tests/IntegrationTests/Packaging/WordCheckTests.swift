import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite("scripts/check-words", .timeLimit(.minutes(20)))
struct WordCheckTests {
    /// A file, and what the script prints about it: a line and the refused words.
    struct Sample: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var file: String
        var text: String
        var refused: [String]
    }

    static let samples = [
        Sample(
            testDescription: "literals of Swift joined by +", file: "a.swift",
            text: #"""
                let first = "The list is "
                    + "no playlist. The tests "
                    + (isLong ? "go " : "run ") + "on."
                let second = "The timers " + name + " go " +
                    "on."
                """#, refused: ["1: 'is no'", "4: 'go on'"]),
        Sample(
            testDescription: "a literal of Swift in several lines", file: "b.swift",
            text: #"""
                let text = """
                    The archive \
                    is
                    no backup.
                    """
                """#, refused: ["3: 'is no'"]),
        Sample(
            testDescription: "interpolated values of Swift, and literals within them", file: "c.swift",
            text: #"""
                let text = "\(count) \(count == 1 ? "song is no file" : "songs (\(size))") told"
                """#, refused: ["1: 'is no'", "1: 'told'"]),
        Sample(
            testDescription: "templates of JavaScript", file: "d.js",
            text: """
                const first = `The ${count === 1 ? "song is no file" : `songs ${size}`} go `
                    + "on";
                const second = "The page's heading";
                """, refused: ["1: 'is no'", "1: 'go on'", "3: 'e's'"]),
        Sample(
            testDescription: "a page", file: "e.html", text: "<p>This <b>is</b>\n  no page.</p><p>is</p><p>no page</p>",
            refused: ["1: 'is no'"]),
        Sample(
            testDescription: "comments of a configuration", file: "f.yaml",
            text: "# Backups are\n# no copies.\n\n# They are\nkey: 1\n# no copies\n", refused: ["1: 'are no'"]),
        Sample(
            testDescription: "comments of code, names and other sentences", file: "g.swift",
            text: #"""
                // This is no sentence for people.
                let tells = ["is", "no song"]  // told
                let text = "It is " + "no longer there. Nobody can" + " tell them apart."
                let address = "https://example.org/" + "path" /* go on */
                """#, refused: []),
    ]

    @Test("Wording is refused also in texts that are divided", arguments: samples)
    func dividedTexts(sample: Sample) async throws {
        let folder = try TemporaryFolder()
        let path = folder.file(sample.file)
        try Data(sample.text.utf8).write(to: URL(fileURLWithPath: path))
        let result = try await ChildProcess.run(Repository.path("scripts/check-words"), [path])
        let printed = result.output.lines.filter { $0.hasPrefix("/") }
        #expect(printed.count == sample.refused.count, "\(printed)")
        for refused in sample.refused {
            #expect(printed.contains { $0.contains("\(sample.file):\(refused): write ") }, "\(printed)")
        }
        #expect(result.end == .exited(sample.refused.isEmpty ? 0 : 1), "\(result.errors.lines)")
    }
}
