import ArgumentParser
import Bootstrap
import Foundation
import Model
import Storage
import Vault

struct VaultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault",
        abstract: "Looks after the keys that seal and open people's secrets in the database.",
        discussion: """
            Examples:
              backline vault status
              backline vault rotate

            The key that opens is in the file that vault.keyFile names, or in vault/vault.key beside the database. Back \
            it up apart from the database. The gateway seals with vault.pub, which follows from it.
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
                let keyring = try VaultFiles(configuration.vault).readKeys()
                let database = try ReadOnlyDatabase.open(path: configuration.database.path)
                defer { database.close() }
                let counts = try await database.read { try $0.vault.sealedCounts(now: .now()) }
                func item(_ ids: [String], _ role: String) -> Item {
                    let sealed = counts.filter { ids.contains($0.keyID) }
                    return Item(
                        key: ids[0], role: role, secrets: sealed.reduce(0) { $0 + $1.secrets },
                        passing: sealed.reduce(0) { $0 + $1.passing })
                }
                let missing = counts.map(\.keyID).filter { keyring.key(id: $0) == nil }
                let items =
                    [item(keyring.current.ids, "current")] + keyring.former.map { item($0.ids, "former") }
                    + missing.map { item([$0], "missing") }
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
                  backline vault rotate --prepare

                Every secret is sealed anew, and the former key leaves the file when nothing needs it any more. When it is \
                interrupted, or sign-ins under way still need the former key, run it again: it goes on. Where a service \
                manager or Docker hands copies of the file to the services, run it on the original: first with --prepare, \
                then restart the services, then without.
                """)

        @Flag(name: .long, help: "Puts the new key into the file, and leaves the rest to the next call.")
        var prepare = false

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            try await CommandRun.run {
                let configuration = try options.load()
                let database = try Database.open(path: configuration.database.path)
                defer { database.close() }
                let rotation = VaultRotation(files: VaultFiles(configuration.vault), database: database)
                if prepare {
                    let id = try await rotation.begin(publishing: false).current.id
                    return try CommandOutput.print(
                        "The key \(id) comes first in the file now. Restart the services whose copies do not follow it, "
                            + "then run 'backline vault rotate'.")
                }
                let progress = try await rotation.run()
                try CommandOutput.print(
                    "The vault's key is \(progress.currentID) now; \(progress.resealed) secrets were sealed anew. Back its "
                        + "file up.")
                for id in progress.dropped { try CommandOutput.print("The former key \(id) is gone from the file.") }
                for complaint in Self.complaints(progress) { CommandOutput.complain(complaint) }
            }
        }

        private static func complaints(_ progress: VaultRotation.Progress) -> [String] {
            var complaints: [String] = []
            if progress.damaged > 0 {
                complaints.append(
                    "\(progress.damaged) secrets do not open with the key that sealed them: they were changed. They stay "
                        + "as they are, and setup asks their owners to enter them again.")
            }
            if progress.lost > 0 {
                complaints.append(
                    "\(progress.lost) secrets were sealed with keys that the file does not hold. They stay as they are: put "
                        + "those keys behind the present one, on lines of their own, and run this again.")
            }
            if progress.remaining > 0 {
                complaints.append(
                    "The former key stays for \(progress.remaining) sealed values, such as sign-ins under way. Run this "
                        + "again in ten minutes.")
            }
            return complaints
        }
    }

    struct New: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new", abstract: "Makes a key where the file is missing, and what it sealed is lost.",
            discussion: """
                Examples:
                  backline vault new

                On first start a worker makes the key by itself. This is for a key that was lost for good: people then \
                enter their keys and connect their services again. Nothing is erased, so that an old key that turns up \
                can be put behind the new one, on a line of its own.
                """)

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            try await CommandRun.run {
                let files = VaultFiles(try options.load().vault)
                if let former = files.formerPath, files.hasFormer { throw VaultKeyFileError.exists(path: former) }
                let path = files.keys.path
                guard let keyring = try files.keys.make() else { throw VaultKeyFileError.exists(path: path) }
                try files.publish(keyring.current)
                try CommandOutput.print("Made the vault's key \(keyring.current.id) in \(path). Back this file up.")
            }
        }
    }
}
