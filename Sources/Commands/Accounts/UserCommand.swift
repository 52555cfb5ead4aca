import Accounts
import ArgumentParser
import Bootstrap
import Foundation
import Storage

struct UserCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Looks after the people who may use this installation.",
        discussion: """
            Examples:
              backline user add ada --admin
              backline user list

            These commands work on the database itself, whether the gateway runs or not.
            """,
        subcommands: [Add.self, List.self, Set.self, Remove.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Adds a user and prints a token, which is not shown again.",
            discussion: """
                Examples:
                  backline user add ada
                  (umask 077; backline user add ada --admin > ada.token)
                """)

        @Argument(help: "1 to 100 characters; nobody else's.")
        var name: String

        @Flag(name: .long, help: "They may see and mend what is not theirs: workers, permits, all dead letters.")
        var admin = false

        @Flag(name: .long, help: "Prints JSON: name, isAdmin and token.")
        var json = false

        @OptionGroup var options: ConfigurationOptions

        private struct Document: Encodable {
            var name: String
            var isAdmin: Bool
            var token: String
        }

        func run() async throws {
            try await CommandRun.run {
                let token = try await options.withDatabase(isMade: true) {
                    try await Accounts(database: $0).addUser(name: name, isAdmin: admin).secret.reveal()
                }
                try CommandOutput.print(
                    Document(name: name, isAdmin: admin, token: token), asJSON: json, words: token)
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Shows all users.",
            discussion: """
                Examples:
                  backline user list
                  backline user list --json | jq -r '.items[] | select(.isAdmin).name'
                """)

        @Flag(name: .long, help: "Prints JSON.")
        var json = false

        @OptionGroup var options: ConfigurationOptions

        private struct Item: Encodable {
            var id: String
            var name: String
            var isAdmin: Bool
            var createdAt: String
        }

        func run() async throws {
            try await CommandRun.run {
                let users = try await options.withReadOnlyDatabase { try await $0.read { try $0.accounts.users() } }
                let items = users.map {
                    Item(id: $0.id, name: $0.name, isAdmin: $0.isAdmin, createdAt: "\($0.createdAt)")
                }
                let none = "There are no users. 'backline user add NAME' adds one."
                try CommandOutput.print(
                    items: items, asJSON: json, none: none,
                    columns: [
                        TableColumn(
                            title: "Name", cells: users.map { .init(TextWidth.printable($0.name)) }, minimum: 10),
                        TableColumn(title: "Admin", cells: users.map { .init($0.isAdmin ? "yes" : "") }),
                        TableColumn(
                            title: "Since", cells: users.map { .init(HumanTime.text($0.createdAt)) }, yields: 1),
                    ])
            }
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Makes an administrator of a user, or takes that back.",
            discussion: """
                Example: backline user set ada --admin

                A running gateway knows within seconds.
                """)

        @Argument(help: "The user's name.")
        var name: String

        @Flag(name: .long, inversion: .prefixedNo, help: "Whether they may see and mend what is not theirs.")
        var admin: Bool

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            try await CommandRun.run {
                try await options.withDatabase {
                    try await Accounts(database: $0).setAdmin(admin, user: name)
                }
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Removes a user with all that is theirs.",
            discussion: """
                Their tokens and sessions end; their jobs are cancelled; their profile, secrets, artists, searches and \
                jobs are erased, a few at a time, so that nobody waits for it. A gateway that runs cuts off the \
                write-ahead log, which still holds them, within seconds; else the next one that starts does. Nothing \
                brings them back but a backup.

                Examples:
                  backline user remove ada          asks first
                  backline user remove ada --yes
                """)

        @Argument(help: "The user's name.")
        var name: String

        @Flag(name: .long, help: "Does not ask.")
        var yes = false

        @Flag(name: .long, help: "Prints JSON: name and cancelledJobs.")
        var json = false

        @OptionGroup var options: ConfigurationOptions

        private struct Document: Encodable {
            var name: String
            var cancelledJobs: Int
        }

        func run() async throws {
            try await CommandRun.run {
                try Confirmation.ask(
                    "Remove \(TextWidth.printable(name)) with all that is theirs?", isGiven: yes)
                let count = try await options.withDatabase {
                    try await Accounts(database: $0).removeUser(named: name, tables: .all)
                }
                try CommandOutput.print(
                    Document(name: name, cancelledJobs: count), asJSON: json,
                    words: "Removed. \(count) job\(count == 1 ? " was" : "s were") cancelled.")
            }
        }
    }
}
