import ArgumentParser
import CommandSupport
import Domains
import Foundation
import Storage

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Writes the whole database to one file while everything keeps running.",
        discussion: """
            The file contains everything that was committed when the command started, has mode 0600, and gets its name \
            only after it has been completely written and checked. Requests and workers do not wait for it.

            Examples:
              backline backup /backup/backline.sqlite --force
              backline backup "/backup/backline-$(date +%F).sqlite" --json

            It contains hashes of tokens, not the tokens themselves. People's secrets in it are sealed, but can be \
            opened with the vault's key file: keep the two apart. 'backline restore' restores it.
            """)

    @Argument(help: "The file to write.", completion: .file())
    var file: String

    @Flag(name: .long, help: "Replaces an existing file.")
    var force = false

    @Flag(name: .long, help: "Prints JSON: path, bytes, schema, users and jobs.")
    var json = false

    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        try await CommandRun.run {
            let path = try options.load().database.path
            try ConfigurationOptions.requireDatabase(at: path)
            let schema = Schema(of: CommandDomains.all)
            // Cancelled by Ctrl-C, so that the partial file is deleted.
            let copy = try await Interruption.cancelling { [file, force] in
                try await DatabaseBackup.write(path, to: file, replaces: force, schema: schema)
            }
            try CommandOutput.print(
                CopyDocument(copy, path: file), asJSON: json, words: "\(file): \(CopyDocument.words(for: copy)).")
        }
    }
}

/// A copy of the database, as `--json` prints it.
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
