import ArgumentParser
import CommandSupport
import Domains
import Foundation
import Storage

struct CompactCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact", abstract: "Returns the space of deleted rows to the disk.",
        discussion: """
            Stop the gateway and all workers first: the command refuses while the database is open. It writes all \
            rows to a new file beside the database, checks that file, and replaces the database with it. The disk \
            therefore needs as much free space as the rows take. If the command is interrupted, the database is \
            unchanged.

            Examples:
              backline compact
              backline compact --json | jq '.bytesBefore - .bytesAfter'

            While Backline runs, new rows reuse the space of deleted ones. Compacting is only worthwhile after a lot \
            was deleted, or when you need a smaller file.
            """)

    @Flag(name: .long, help: "Prints JSON: path, bytesBefore and bytesAfter.")
    var json = false

    @OptionGroup var options: ConfigurationOptions

    private struct Document: Encodable {
        var path: String
        var bytesBefore: Int64
        var bytesAfter: Int64
    }

    func run() async throws {
        try await CommandRun.run {
            let configuration = try options.load()
            let path = configuration.database.path
            // Comes first: a gateway that runs may be that of another database.
            try ConfigurationOptions.requireDatabase(at: path)
            try InstallationProcesses(configuration).requireNone()
            let schema = Schema(of: CommandDomains.all)
            // Cancelled by Ctrl-C, so that the partial file is deleted.
            let outcome = try await Interruption.cancelling {
                try await DatabaseCompaction.compact(path, schema: schema)
            }
            try CommandOutput.print(
                Document(path: path, bytesBefore: outcome.before, bytesAfter: outcome.after), asJSON: json,
                words: "\(path): \(HumanTime.bytes(outcome.before)) before, \(HumanTime.bytes(outcome.after)) now.")
        }
    }
}
