import ArgumentParser
import Composition
import Foundation
import TestSupport
import Testing

@testable import CommandSupport
@testable import Commands

@Suite("Help and completion")
struct HelpTests {
    /// Every command with its words, such as `["jobs", "watch"]`.
    private static func commands(
        below command: any ParsableCommand.Type, path: [String] = []
    ) -> [(path: [String], command: any ParsableCommand.Type)] {
        let children =
            command.configuration.subcommands + command.configuration.groupedSubcommands.flatMap(\.subcommands)
        return children.flatMap { child in
            let childPath = path + [child._commandName]
            return [(childPath, child)] + commands(below: child, path: childPath)
        }
    }

    private static let all = commands(below: BacklineCommand.self)

    @Test("All documented commands exist")
    func documentedCommandsExist() {
        let names = Set(Self.all.map { $0.path.joined(separator: " ") })
        for name in [
            "user add", "user invite", "user list", "user release-name", "user remove", "token add", "token list",
            "token revoke", "jobs list", "jobs show", "jobs requeue", "jobs cancel", "jobs watch", "workers",
            "artists list", "artists add", "artists move",
            "artists remove", "calendar show", "calendar new", "calendar off", "search", "permits", "doctor", "open",
            "migrate", "backup", "restore", "compact",
            "keys new", "keys list", "keys revoke", "jobs submit", "library summary", "library sync", "library tracks",
            "library search", "ai playlist", "identity compare", "identity cluster",
        ] {
            #expect(names.contains(name))
        }
    }

    @Test("Each command's help has one to three examples, and they parse")
    func examplesParse() throws {
        for (path, command) in Self.all {
            let help = BacklineCommand.helpMessage(for: command, columns: 200)
            let name = "backline " + path.joined(separator: " ")
            let examples = help.split(separator: "\n").filter { $0.contains(name) && !$0.contains("USAGE") }
            #expect(help.contains("Example"), "\(name)")
            #expect((1...5).contains(examples.count), "\(name): \(examples)")
        }
    }

    @Test("No example is wrapped, even where a terminal has only 80 columns")
    func examplesAreNotWrapped() {
        let root: (path: [String], command: any ParsableCommand.Type) = ([], BacklineCommand.self)
        for (path, command) in [root] + Self.all {
            let written = BacklineCommand.helpMessage(for: command, columns: 1_000).split(separator: "\n")
            let shown = Set(BacklineCommand.helpMessage(for: command, columns: 80).split(separator: "\n"))
            for example in written where example.hasPrefix("  backline ") {
                #expect(example.count <= 76 && shown.contains(example), "\(path): \(example)")
            }
        }
    }

    @Test("Each command that prints rows or documents has --json")
    func commandsWithJSON() {
        let silent = [
            "user set", "user release-name", "token revoke", "keys revoke", "vault rotate", "vault new", "user", "keys",
            "token", "jobs",
            "artists", "calendar", "calendar off", "library", "ai", "vault", "identity", "identity compare",
            "identity cluster",
        ]
        for (path, command) in Self.all where !silent.contains(path.joined(separator: " ")) {
            #expect(BacklineCommand.helpMessage(for: command).contains("--json"), "\(path)")
        }
    }

    @Test("Each exit status is in the help and in the documents once")
    func exitStatusesAreDocumented() throws {
        #expect(Set(CommandExit.table.map(\.status)).count == CommandExit.table.count)
        let document = try Repository.text("docs/operations.md")
        for (status, meaning) in CommandExit.table {
            #expect(document.contains("| \(status) | \(meaning) |"), "\(status)")
        }
    }

    @Test(
        "Completion scripts contain states and kinds, and shells accept them",
        arguments: ["bash", "zsh", "fish"])
    func completionScripts(shell: String) async throws {
        let shellKind = try #require(CompletionShell(rawValue: shell))
        let script = CommandDomains.$all.withValue(.all) { BacklineCommand.completionScript(for: shellKind) }
        for word in ["requeue", "scheduled", "concerts.lookup"] { #expect(script.contains(word), "\(word)") }
        // Debian has bash. The other shells are tested where they are installed.
        guard let tool = Executable.tool(shell) else {
            #expect(shell != "bash")
            return
        }
        let folder = try TemporaryFolder()
        try Data(script.utf8).write(to: URL(fileURLWithPath: folder.file("script")))
        #expect(try await ChildProcess.run(tool, ["-n", folder.file("script")]).end == .exited(0))
    }
}
