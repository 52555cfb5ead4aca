import Accounts
import ArgumentParser
import Bootstrap
import CommandSupport
import Domains
import Foundation
import Storage

package struct UserCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Manages the users of this installation.",
        discussion: """
            Examples:
              backline user add ada --admin
              backline user invite
              backline user list

            These commands use the database directly, whether or not the gateway is running.
            """,
        subcommands: [Add.self, Invite.self, List.self, Set.self, Remove.self, ReleaseName.self])

    package init() {}

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Adds a user and prints a token, which is not shown again.",
            discussion: """
                Examples:
                  backline user add ada
                  (umask 077; backline user add ada --admin > ada.token)
                """)

        @Argument(
            help: """
                The user's name, which nobody else has: 2 to 30 characters, each of them a lowercase letter from a to \
                z, a digit, '_' or '.'.
                """)
        var name: String

        @Flag(name: .long, help: "Makes the user an administrator, who sees workers, permits and all dead letters.")
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
                let token = try await options.withDatabase(createsIfMissing: true) {
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
                  backline user list --json | jq '.items[] | select(.state == "suspended")'
                """)

        @Flag(name: .long, help: "Prints JSON.")
        var json = false

        @OptionGroup var options: ConfigurationOptions

        private struct Item: Encodable {
            var id: String
            var name: String
            var isAdmin: Bool
            /// `active` or `suspended`.
            var state: String
            var createdAt: String
        }

        func run() async throws {
            try await CommandRun.run {
                let users = try await options.withReadOnlyDatabase {
                    try await $0.read { try $0.accounts.accounts(after: nil, limit: .max) }
                }
                let items = users.map {
                    Item(
                        id: $0.id, name: $0.username, isAdmin: $0.isAdmin,
                        state: $0.isSuspended ? "suspended" : "active", createdAt: "\($0.createdAt)")
                }
                let none = "There are no users. 'backline user add NAME' adds one."
                try CommandOutput.print(
                    items: items, asJSON: json, none: none,
                    columns: [
                        TableColumn(
                            title: "Name", cells: users.map { .init(TextWidth.printable($0.username)) }, minimum: 10),
                        TableColumn(title: "Admin", cells: users.map { .init($0.isAdmin ? "yes" : "") }),
                        TableColumn(title: "State", cells: users.map { .init($0.isSuspended ? "suspended" : "") }),
                        TableColumn(
                            title: "Since", cells: users.map { .init(HumanTime.text($0.createdAt)) }, dropOrder: 1),
                    ])
            }
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Grants a user administrator rights, or withdraws them.",
            discussion: """
                Example: backline user set ada --admin

                It takes effect in a running gateway within seconds.
                """)

        @Argument(help: "The user's name.")
        var name: String

        @Flag(name: .long, inversion: .prefixedNo, help: "Whether the user is an administrator.")
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
            commandName: "remove", abstract: "Removes a user and all their data.",
            discussion: """
                Their tokens and sessions end. Their jobs are cancelled. Their profile, secrets, artists, searches and \
                jobs are erased in small steps, so that other writes do not wait. The write-ahead log still contains \
                copies until the gateway truncates it, within seconds if it is running, otherwise when it starts. Only \
                a backup can bring the data back.

                Examples:
                  backline user remove ada          asks first
                  backline user remove ada --yes
                """)

        @Argument(help: "The user's name.")
        var name: String

        @Flag(name: .long, help: "Does not ask for confirmation.")
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
                // Before the question, since there may be no such user.
                _ = try await options.withDatabase { try await Accounts(database: $0).user(named: name) }
                try Confirmation.ask(
                    "Remove \(TextWidth.printable(name)) and all their data?", isGiven: yes)
                let handlers = CommandDomains.all.erasureHandlers(try options.load().sections)
                let count = try await options.withDatabase { database in
                    try await Accounts(database: database).removeUser(
                        named: name, tables: PersonalTables(of: CommandDomains.all)
                    ) {
                        for handler in handlers { await handler(userID: $0, in: database) }
                    }
                }
                try CommandOutput.print(
                    Document(name: name, cancelledJobs: count), asJSON: json,
                    words: "Removed. \(count) job\(count == 1 ? " was" : "s were") cancelled.")
            }
        }
    }
}
