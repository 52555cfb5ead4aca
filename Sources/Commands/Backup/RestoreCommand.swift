import ArgumentParser
import Bootstrap
import CommandSupport
import Domains
import Foundation
import Storage

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Replaces the database with a backup.",
        discussion: """
            Stop the gateway and all workers first: the command refuses while the database is open. The backup is \
            checked before anything changes, and is not changed itself. The previous database is kept as \
            DATABASE.replaced-TIME; delete it when all is well.

            Examples:
              backline restore /backup/backline-2026-11-20.sqlite
              backline restore data/backline.sqlite.replaced-TIME     undoes a restore

            Tokens revoked and users removed since the backup was made exist again afterwards.
            """)

    @Argument(help: "A file that 'backline backup' wrote.", completion: .file())
    var file: String

    @Flag(name: .long, help: "Prints JSON: path, bytes, schema, users, jobs and replaced.")
    var json = false

    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        try await CommandRun.run {
            let configuration = try options.load()
            let path = configuration.database.path
            try InstallationProcesses(configuration).requireNone()
            let domains = CommandDomains.all
            let outcome = try await DatabaseRestore.put(
                file, inPlaceOf: path, schema: Schema(of: domains), marks: domains.restoreMarks)
            if json {
                return try CommandOutput.print(
                    JSONDocument.text(CopyDocument(outcome.copy, path: path, replaced: outcome.replaced)))
            }
            try CommandOutput.print("\(path): \(CopyDocument.words(for: outcome.copy)).")
            if let replaced = outcome.replaced { try CommandOutput.print("The previous database is now \(replaced).") }
        }
    }
}
