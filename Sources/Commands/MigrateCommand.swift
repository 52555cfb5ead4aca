import ArgumentParser
import Storage

struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Brings the database to this version's schema.",
        discussion: "The gateway does it too when it starts; workers wait until it is done.")

    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        let configuration = try options.load()
        let database = try Database.open(path: configuration.database.path)
        defer { database.close() }
        let made = try await database.migrate()
        for name in made { try CommandOutput.print("migrated: \(name)") }
        if made.isEmpty { try CommandOutput.print("The database is up to date (schema \(Migration.latest)).") }
    }
}
