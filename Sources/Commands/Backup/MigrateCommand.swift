import ArgumentParser
import CommandSupport
import Domains
import Storage

struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Migrates the database to this version's schema.",
        discussion: """
            The gateway also does this when it starts, and workers wait for it. While a gateway runs, the command \
            refuses to change the schema: stop the gateway first.

            Examples:
              backline migrate
              backline migrate --json | jq .schema
            """)

    @Flag(name: .long, help: "Prints JSON: schema, and migrated, the migrations that were applied.")
    var json = false

    @OptionGroup var options: ConfigurationOptions

    private struct Document: Encodable {
        var schema: Int
        var migrated: [String]
    }

    func run() async throws {
        try await CommandRun.run {
            let schema = Schema(of: CommandDomains.all)
            let database = try Database.open(path: options.load().database.path, schema: schema)
            defer { database.close() }
            let made = try await database.migrateForCommand()
            if json {
                return try CommandOutput.print(
                    JSONDocument.text(Document(schema: schema.version, migrated: made)))
            }
            for migration in made { try CommandOutput.print("migrated: \(migration)") }
            if made.isEmpty { try CommandOutput.print("The database is up to date (schema \(schema.version)).") }
        }
    }
}
