import ArgumentParser
import Foundation
import Model
import Testing

@testable import AccountsCommands
@testable import CommandSupport
@testable import Commands
@testable import ConcertsCommands

@Suite("Small parts of commands")
struct SmallCommandTests {
    private let list = ArtistListAnswer(
        artists: [
            .init(id: "a", name: "Die Ärzte", rank: 1), .init(id: "b", name: "2", rank: 2),
            .init(id: "c", name: "Coldplay", rank: 3),
        ], capacity: 20)

    @Test(
        "An artist is found by id, otherwise by name as people type it, otherwise by rank",
        arguments: [("c", "c"), ("die arzte", "a"), ("COLDPLAY", "c"), ("2", "b"), ("3", "c")])
    func waysToNameAnArtist(text: String, id: String) throws {
        #expect(try list.artist(called: text).id == id)
    }

    @Test("An artist that is not in the list is refused", arguments: ["Muse", "4", "0", ""])
    func noArtist(text: String) {
        #expect(throws: CommandFailure.self) { _ = try list.artist(called: text) }
    }

    @Test("A refusal is a sentence without the place in a request that the command has written")
    func sentenceOfARefusal() {
        func text(_ json: String) -> String? { ProblemDocument.text(of: Data(json.utf8)) }
        #expect(
            text(#"{"title":"Bad","detail":"$.prompt: write what it should be like.","field":"$.prompt"}"#)
                == "Write what it should be like.")
        #expect(text(#"{"title":"Bad","detail":"city: name a city.","field":"city"}"#) == "city: name a city.")
        #expect(text(#"{"title":"Bad","detail":"No.","field":"$.prompt"}"#) == "No.")
        #expect(text(#"{"title":"Bad"}"#) == "Bad")
    }

    @Test("A link's code is a fragment")
    func codeIsAFragment() throws {
        let address = try #require(GatewayAddress("https://music.example/backline/"))
        #expect(OpenCommand.link(to: address, code: "bll_x") == "https://music.example/backline/sign-in#bll_x")
    }

    @Test("The user of a link must be given only if there are several")
    func userOfALink() throws {
        #expect(try OpenCommand.onlyName(given: "eve", among: []) == "eve")
        #expect(try OpenCommand.onlyName(given: nil, among: ["ada"]) == "ada")
        #expect(throws: CommandFailure.self) { _ = try OpenCommand.onlyName(given: nil, among: []) }
        #expect(throws: ValidationError.self) { _ = try OpenCommand.onlyName(given: nil, among: ["ada", "bob"]) }
    }

    @Test("Times and sizes are written in a suitable unit")
    func suitableUnits() {
        #expect(
            [5, 119, 120, 7_199, 7_200, 172_800].map { HumanTime.text(.seconds($0)) }
                == ["5 s", "119 s", "2 min", "119 min", "2 h", "2 d"])
        #expect([0, 1_023, 1_024, 1_572_864].map { HumanTime.bytes($0) } == ["0 B", "1023 B", "1.0 KiB", "1.5 MiB"])
        #expect(HumanTime.text(rfc3339: "2026-11-20T22:15:42.000123Z") == "2026-11-20 22:15:42")
    }

    @Test("As much of the progress is written as is known")
    func partialProgress() {
        func text(_ phase: String?, _ done: Int, _ total: Int, _ counts: [String: Int]? = nil) -> String {
            JobEntry.Progress(phase: phase, done: done, total: total, counts: counts).text
        }
        #expect(text("reading", 2, 9, ["tracks": 120, "albums": 7]) == "reading: 2 of 9 (albums 7, tracks 120)")
        #expect(text(nil, 3, 0) == "3")
    }

    @Test("A new job has the given values, and its payload byte for byte")
    func newJob() throws {
        let plain = try NewJobBody.json(kind: "diagnostics.echo", payload: " 1.50 ")
        #expect(String(decoding: plain, as: UTF8.self) == #"{"kind":"diagnostics.echo","payload": 1.50 }"#)
        let full = try NewJobBody.json(
            kind: "a\"b", payload: #"{"x":[]}"#, priority: -5, runAt: "2026-12-01T08:00:00Z", uniqueKey: "k")
        let object = try JSONSerialization.jsonObject(with: full) as? [String: Any]
        #expect(object?["kind"] as? String == "a\"b")
        #expect(object?["priority"] as? Int == -5)
        #expect(object?["runAt"] as? String == "2026-12-01T08:00:00Z")
        #expect(object?["uniqueKey"] as? String == "k")
        #expect((object?["payload"] as? [String: Any])?["x"] as? [Int] == [])
        #expect(throws: NewJobBody.NoJSON.self) { _ = try NewJobBody.json(kind: "a", payload: "{} {}") }
    }

    @Test("A negative priority is not mistaken for an option, and a dash is standard input")
    func submitArguments() throws {
        let command = try JobsCommand.Submit.parse(["diagnostics.echo", "-", "--priority", "-5"])
        #expect(command.payload == "-")
        #expect(command.priority == -5)
        #expect(try JobsCommand.Submit.parse(["diagnostics.echo"]).payload == "{}")
    }

    @Test("Without a terminal, a destructive command needs --yes")
    func confirmationWithoutATerminal() {
        #expect(throws: Never.self) { try Confirmation.ask("Really?", isGiven: true) }
    }

    @Test("Limits and times out of range are refused")
    func refusedLimits() {
        for arguments in [
            ["jobs", "list", "--limit", "0"], ["jobs", "watch", "--timeout", "0"],
            ["jobs", "watch", "x", "--kind", "y"],
            ["jobs", "list", "--ids", "--json"], ["jobs", "list", "--state", "done"], ["jobs", "cancel"],
            ["jobs", "list", "--everyone", "--state", "queued"], ["jobs", "list", "--everyone", "--kind", "x"],
            ["jobs", "submit"], ["jobs", "submit", "diagnostics.echo", "{"],
            ["jobs", "submit", "diagnostics.echo", "1,\"priority\":9"],
            ["jobs", "submit", "diagnostics.echo", "--priority", "10"],
            ["jobs", "submit", "diagnostics.echo", "--run-at", "tomorrow"],
            ["library", "tracks", "--limit", "0"], ["library", "tracks", "--source", "napster"],
            ["library", "tracks", "--sort", "length"], ["library", "search"], ["library", "search", " "],
            ["library", "sync", "--source", "both"], ["library", "sync", "--timeout", "0"],
        ] {
            let error = #expect(throws: (any Error).self) { _ = try BacklineCommand.parseAsRoot(arguments) }
            if let error { #expect(BacklineCommand.exitCode(for: error) == ExitCode(64), "\(arguments)") }
        }
    }
}
