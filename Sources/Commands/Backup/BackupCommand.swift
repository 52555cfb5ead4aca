import ArgumentParser
import Foundation
import Storage

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Writes the whole database into one file, while everything goes on.",
        discussion: """
            The file holds all that was committed when the command began, is of mode 0600, and appears under its name \
            only when it was written and checked completely. Nobody waits for it: not requests, not workers.

            Examples:
              backline backup /backup/backline.sqlite --force
              backline backup "/backup/backline-$(date +%F).sqlite" --json

            It holds hashes of tokens, not tokens. People's keys of their services are sealed in it: who has the \
            vault's key file as well can open them, so keep the two apart. 'backline restore' puts it back.
            """)

    @Argument(help: "The file to write.", completion: .file())
    var file: String

    @Flag(name: .long, help: "Replaces a file that is there.")
    var force = false

    @Flag(name: .long, help: "Prints JSON: path, bytes, schema, users and jobs.")
    var json = false

    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        try await CommandRun.run {
            let path = try options.load().database.path
            // Not left in the middle, with half a file beside the backup.
            let copy = try await Interruption.cancelling { [file, force] in
                try await DatabaseBackup.write(path, to: file, replaces: force)
            }
            try CommandOutput.print(
                CopyDocument(copy, path: file), asJSON: json, words: "\(file): \(CopyDocument.words(for: copy)).")
        }
    }
}

/// A copy of the database as programs read of it.
struct CopyDocument: Encodable {
    var path: String
    var bytes: Int64
    var schema: Int
    var users: Int
    var jobs: Int
    var replaced: String?

    init(_ copy: DatabaseCopy, path: String, replaced: String? = nil) {
        self.path = path
        bytes = copy.bytes
        schema = copy.schema
        users = copy.users
        jobs = copy.jobs
        self.replaced = replaced
    }

    /// `3.2 MiB, schema 5, 2 users, 1200 jobs`
    static func words(for copy: DatabaseCopy) -> String {
        func number(_ count: Int, _ what: String) -> String { "\(count) \(what)\(count == 1 ? "" : "s")" }
        return "\(HumanTime.bytes(copy.bytes)), schema \(copy.schema), \(number(copy.users, "user")), "
            + number(copy.jobs, "job")
    }
}
