import Accounts
import ArgumentParser
import Storage

struct UserCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Looks after the people who may use this installation.",
        subcommands: [Add.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Adds a user and prints a token, which is not shown again.",
            discussion: "Example: TOKEN=$(backline user add ada)")

        @OptionGroup var options: ConfigurationOptions

        @Argument(help: "1 to 100 characters; nobody else's.")
        var name: String

        func run() async throws {
            let configuration = try options.load()
            let database = try Database.open(path: configuration.database.path)
            defer { database.close() }
            try await database.migrate()
            try CommandOutput.print(try await Accounts(database: database).addUser(name: name).secret.reveal())
        }
    }
}
