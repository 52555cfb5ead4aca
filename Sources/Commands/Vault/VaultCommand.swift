import ArgumentParser
import Bootstrap
import Foundation
import Model
import Storage
import Vault

struct VaultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault",
        abstract: "Looks after the key that seals people's secrets in the database.",
        discussion: """
            Examples:
              backline vault status
              backline vault rotate

            The key is in the file that vault.keyFile names, or in vault.key beside the database. Back it up apart from \
            the database.
            """,
        subcommands: [Status.self, Rotate.self, New.self])

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Shows which keys are there, and how much each has sealed.",
            discussion: """
                Examples:
                  backline vault status
                  backline vault status --json

                Keys are shown by their ids, from which nobody learns them.
                """)

        @Flag(name: .long, help: "Prints JSON: items with key, role, secrets and passing.")
        var json = false

        @OptionGroup var options: ConfigurationOptions

        private struct Item: Encodable {
            var key: String
            /// `current`, `former` or `missing`.
            var role: String
            var secrets: Int
            /// What is sealed for some minutes alone.
            var passing: Int
        }

        func run() async throws {
            try await CommandRun.run {
                let configuration = try options.load()
                let keyring = try VaultKeyFile(path: configuration.vault.keyFile).read()
                let database = try ReadOnlyDatabase.open(path: configuration.database.path)
                defer { database.close() }
                let counts = try await database.read { try $0.sealedCounts(now: .now()) }
                func item(_ id: String, _ role: String) -> Item {
                    let count = counts.first { $0.keyID == id }
                    return Item(key: id, role: role, secrets: count?.secrets ?? 0, passing: count?.passing ?? 0)
                }
                let known = [keyring.current] + keyring.former
                let missing = counts.map(\.keyID).filter { id in !known.contains { $0.id == id } }
                let items =
                    [item(keyring.current.id, "current")] + keyring.former.map { item($0.id, "former") }
                    + missing.map { item($0, "missing") }
                try CommandOutput.print(
                    JSONItems(items: items), asJSON: json,
                    words: items.map { "\($0.key)  \($0.role)  \($0.secrets) secrets" }.joined(separator: "\n"))
            }
        }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate", abstract: "Puts a new key in the place of the present one, while everything runs.",
            discussion: """
                Examples:
                  backline vault rotate

                Every secret is sealed anew, and the former key leaves the file when nothing needs it any more. When it is \
                interrupted, or sign-ins under way still need the former key, run it again: it goes on. Where a service \
                manager hands out the file, run it on the original, and restart the services after it.
                """)

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            try await CommandRun.run {
                let configuration = try options.load()
                let database = try Database.open(path: configuration.database.path)
                defer { database.close() }
                let rotation = VaultRotation(
                    keyFile: VaultKeyFile(path: configuration.vault.keyFile), database: database)
                let keyring = try rotation.begin()
                let progress = try await rotation.reseal(keyring)
                try CommandOutput.print(
                    "The vault's key is \(progress.currentID) now; \(progress.resealed) secrets were sealed anew. Back its "
                        + "file up.")
                if progress.unopened > 0 {
                    CommandOutput.complain(
                        "\(progress.unopened) secrets open with no key of the file. They stay as they are.")
                }
                // What was sealed with the former key just before the file changed is written by then: a write waits
                // for five seconds at most.
                try await Task.sleep(for: .seconds(6))
                _ = try await rotation.reseal(keyring)
                let (dropped, remaining) = try await rotation.dropUnused(keyring)
                for id in dropped { try CommandOutput.print("The former key \(id) is gone from the file.") }
                if remaining > 0 {
                    CommandOutput.complain(
                        "The former key stays for \(remaining) sealed values, such as sign-ins under way. Run this again "
                            + "in ten minutes.")
                }
            }
        }
    }

    struct New: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new", abstract: "Makes a key where the file is missing, and what it sealed is lost.",
            discussion: """
                Examples:
                  backline vault new

                On first start the gateway makes the key by itself. This is for a key that was lost for good: people then \
                enter their keys and connect their services again. Nothing is erased, so that an old key that turns up \
                can be put behind the new one, on a line of its own.
                """)

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            try await CommandRun.run {
                let file = VaultKeyFile(path: try options.load().vault.keyFile)
                guard let keyring = try file.make() else { throw VaultKeyFileError.exists(path: file.path) }
                try CommandOutput.print("Made the vault's key \(keyring.current.id) in \(file.path). Back this file up.")
            }
        }
    }
}
