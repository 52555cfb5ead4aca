import ArgumentParser
import Bootstrap
import CommandSupport
import Foundation
import Model
import Storage
import Vault

struct VaultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault",
        abstract: "Manages the keys that seal and open people's secrets in the database.",
        discussion: """
            Examples:
              backline vault status
              backline vault rotate

            The private key, which opens secrets, is in the file that vault.keyFile names, or in vault/vault.key \
            beside the database. Back it up separately from the database. The gateway seals secrets with the public \
            key, vault.pub, which is derived from it.
            """,
        subcommands: [Status.self, Rotate.self, New.self])

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Shows the keys, and how many secrets each has sealed.",
            discussion: """
                Examples:
                  backline vault status
                  backline vault status --json

                Keys are shown by their ids, which reveal nothing about the keys.
                """)

        @Flag(name: .long, help: "Prints JSON: items with key, role, secrets and passing.")
        var json = false

        @OptionGroup var options: ConfigurationOptions

        private struct Item: Encodable {
            var key: String
            /// `current`, `former` or `missing`.
            var role: String
            var secrets: Int
            /// The number of sealed values that live for minutes, such as sign-ins in progress.
            var passing: Int
        }

        func run() async throws {
            try await CommandRun.run {
                let configuration = try options.load()
                let keyring = try VaultFiles(configuration.vault).keys.read()
                let database = try ReadOnlyDatabase.open(path: configuration.database.path)
                defer { database.close() }
                let counts = try await database.read { try $0.vault.sealedCounts(now: .now()) }
                func item(_ id: String, _ role: String) -> Item {
                    let sealed = counts.first { $0.keyID == id }
                    return Item(key: id, role: role, secrets: sealed?.secrets ?? 0, passing: sealed?.passing ?? 0)
                }
                let missing = counts.map(\.keyID).filter { keyring.key(id: $0) == nil }
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
            commandName: "rotate", abstract: "Replaces the current key with a new one while everything keeps running.",
            discussion: """
                Examples:
                  backline vault rotate
                  backline vault rotate --prepare
                  backline vault rotate --texts

                Every secret is sealed again, and the former key is removed from the file when no secret needs it. If \
                the command is interrupted, or sign-ins in progress still need the former key, run it again: it \
                continues. If a service manager or Docker gives the services copies of the file, run it on the \
                original: first with --prepare, then restart the services, then without it.

                With --texts it does the same with the key of private texts, such as messages, instead of the vault's. \
                Keep the former key as long as you keep backups of the database from before the rotation.
                """)

        @Flag(name: .long, help: "Only adds the new key to the file; the next call does the rest.")
        var prepare = false

        @Flag(name: .long, help: "Replaces the key of private texts, such as messages.")
        var texts = false

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            try await CommandRun.run {
                let configuration = try options.load()
                let database = try Database.open(
                    path: configuration.database.path, schema: Schema(of: CommandDomains.all))
                defer { database.close() }
                if texts {
                    let rotation = TextKeyRotation(
                        file: TextKeyFile(path: configuration[TextKeySettings.self].keyFile),
                        tables: CommandDomains.all.sealedTexts, database: database)
                    if prepare {
                        let id = try await rotation.begin()[0].id
                        return try CommandOutput.print(
                            "The key \(id) is now the first in the file. Restart the gateway if it has a copy of the "
                                + "file, then run 'backline vault rotate --texts'.")
                    }
                    return try Self.print(try await rotation.run())
                }
                let rotation = VaultRotation(files: VaultFiles(configuration.vault), database: database)
                if prepare {
                    let id = try await rotation.begin(publishing: false).current.id
                    return try CommandOutput.print(
                        "The key \(id) is now the first in the file. Restart the services that have copies of the "
                            + "file, then run 'backline vault rotate'.")
                }
                let progress = try await rotation.run()
                try CommandOutput.print(
                    "The vault's key is now \(progress.currentID). Secrets sealed again: \(progress.resealed). Back up "
                        + "the file.")
                for id in progress.dropped {
                    try CommandOutput.print("The former key \(id) was removed from the file.")
                }
                for complaint in Self.complaints(progress) { CommandOutput.complain(complaint) }
            }
        }

        private static func print(_ progress: TextKeyRotation.Progress) throws {
            try CommandOutput.print(
                "The key of private texts is now \(progress.currentID). Texts sealed again: \(progress.resealed). "
                    + "Back up the file.")
            for id in progress.dropped {
                try CommandOutput.print(
                    "The former key \(id) was removed from the file. Only with a copy of the file from before can backups "
                        + "of the database from before be read: keep one as long as you keep them.")
            }
            if progress.damaged > 0 {
                CommandOutput.complain(
                    "\(progress.damaged) texts were changed: they cannot be opened with the key that sealed them. They "
                        + "stay as they are.")
            }
            if progress.lost > 0 {
                CommandOutput.complain(
                    "\(progress.lost) texts were sealed with keys that the file does not contain. They stay as they "
                        + "are: append those keys to the file, each on its own line, and run this again.")
            }
        }

        private static func complaints(_ progress: VaultRotation.Progress) -> [String] {
            var complaints: [String] = []
            if progress.damaged > 0 {
                complaints.append(
                    "\(progress.damaged) secrets were changed: they cannot be opened with the key that sealed them. "
                        + "They stay as they are, and setup asks their owners to enter them again.")
            }
            if progress.lost > 0 {
                complaints.append(
                    "\(progress.lost) secrets were sealed with keys that the file does not contain. They stay as they "
                        + "are: append those keys to the file, each on its own line, and run this again.")
            }
            if progress.remaining > 0 {
                complaints.append(
                    "The former key is kept for \(progress.remaining) sealed values, such as sign-ins in progress. Run "
                        + "this again in ten minutes.")
            }
            return complaints
        }
    }

    struct New: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new", abstract: "Creates a new key when the file is lost, giving up what the old key sealed.",
            discussion: """
                Examples:
                  backline vault new
                  backline vault new --texts

                On its first start, a worker creates the key by itself. This command is for a key that is lost for \
                good: people then have to enter their keys and connect their services again. Nothing is erased: an old \
                key that turns up again can be appended to the file, on its own line.

                With --texts it creates the key of private texts: messages and reports from before cannot be read, and \
                new ones can be sent again.
                """)

        @Flag(name: .long, help: "Creates the key of private texts, such as messages.")
        var texts = false

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            try await CommandRun.run {
                let configuration = try options.load()
                if texts {
                    let file = TextKeyFile(path: configuration[TextKeySettings.self].keyFile)
                    do throws(TextKeyError) {
                        _ = try file.load()
                    } catch .missing {
                        try file.make()
                        return try CommandOutput.print(
                            "Made a key of private texts in \(file.path). Back up this file.")
                    }
                    throw TextKeyError.exists(path: file.path)
                }
                let files = VaultFiles(configuration.vault)
                let path = files.keys.path
                guard let keyring = try files.keys.make() else { throw VaultKeyFileError.exists(path: path) }
                try files.publish(keyring.current)
                try CommandOutput.print("Made the vault's key \(keyring.current.id) in \(path). Back up this file.")
            }
        }
    }
}
