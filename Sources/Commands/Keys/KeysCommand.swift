import ArgumentParser
import CommandSupport
import Foundation
import Messaging

struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Manages the keys with which the gateway and workers authenticate each other over TCP.",
        discussion: """
            Examples:
              backline keys new --gateway
              backline keys new workers-1
              backline keys list

            Only TCP endpoints (messaging.endpoint) need them. They are files in messaging.keyFolder, by default the \
            folder keys beside the database. A running gateway applies changes to the list within seconds.
            """,
        subcommands: [New.self, List.self, Revoke.self])

    struct New: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new", abstract: "Creates the gateway's key, or creates and allows a worker's key.",
            discussion: """
                Examples:
                  backline keys new --gateway
                  backline keys new workers-1 --secret-file /srv/workers-1/worker.secret
                  backline keys new workers-1 --json

                Secrets are written to files of mode 0600 and never printed. A worker needs two files: its secret \
                (messaging.keyFile) and the gateway's public key (messaging.gatewayKeyFile). One key may serve all \
                workers of one machine or container.
                """)

        @Argument(help: "The key's name, such as a machine: 1 to 64 letters, digits, dots, hyphens, underscores.")
        var name: String?

        @Flag(name: .long, help: "Creates the gateway's own key.")
        var gateway = false

        @Option(
            name: .long,
            help: ArgumentHelp(
                "Writes a worker's secret to this file; without it, to NAME.secret in the folder of the keys.",
                valueName: "path"), completion: .file())
        var secretFile: String?

        @Flag(name: .long, help: "Replaces the gateway's key; all workers then need the new public key.")
        var force = false

        @Flag(name: .long, help: "Prints JSON: name, publicKey, fingerprint, secretFile and gatewayKeyFile.")
        var json = false

        @OptionGroup var options: ConfigurationOptions

        private struct Document: Encodable {
            var name: String
            var publicKey: String
            var fingerprint: String
            var secretFile: String
            var gatewayKeyFile: String
        }

        func validate() throws {
            guard gateway != (name != nil) else {
                throw ValidationError("Give either the NAME of a worker's key or --gateway.")
            }
            guard !gateway || secretFile == nil else {
                throw ValidationError(
                    "The gateway's secret is read from the folder of the keys; omit --secret-file.")
            }
            guard gateway || !force else {
                throw ValidationError(
                    "--force replaces only the gateway's key; give a worker's new key a new name.")
            }
        }

        func run() async throws {
            try await CommandRun.run {
                let folder = KeyFolder(try options.load().messaging.keyFolder)
                let key: KeyFile
                let secretPath: String
                if let name {
                    secretPath = secretFile ?? folder.workerSecretPath(name)
                    key = try folder.makeWorkerPair(name: name, secretPath: secretPath)
                } else {
                    secretPath = folder.gatewaySecretPath
                    key = try folder.makeGatewayPair(replaces: force)
                }
                let document = Document(
                    name: key.name, publicKey: key.publicKey.text, fingerprint: key.publicKey.fingerprint,
                    secretFile: secretPath, gatewayKeyFile: folder.gatewayPublicPath)
                try CommandOutput.print(
                    document, asJSON: json, words: text(of: key, in: folder, secretPath: secretPath))
                if !json, name != nil, !FileManager.default.fileExists(atPath: folder.gatewayPublicPath) {
                    CommandOutput.complain("The gateway has no key yet: 'backline keys new --gateway' makes it.")
                }
            }
        }

        private func text(of key: KeyFile, in folder: KeyFolder, secretPath: String) -> String {
            guard let name else {
                return """
                    Made the gateway's key \(key.publicKey.fingerprint).
                    Secret: \(secretPath) (mode 0600; it stays here)
                    Public: \(folder.gatewayPublicPath), which workers need (messaging.gatewayKeyFile)
                    A running gateway uses it after a restart.
                    """
            }
            return """
                Made and allowed the key \(name), \(key.publicKey.fingerprint).
                Secret: \(secretPath) (mode 0600): move it to the worker's machine, and name it in messaging.keyFile
                The worker also needs \(folder.gatewayPublicPath) (messaging.gatewayKeyFile).
                """
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Shows the gateway's key and the allowed and revoked keys of workers.",
            discussion: """
                Examples:
                  backline keys list
                  backline keys list --json | jq '.items[] | select(.revokedAt == null)'
                """)

        @Flag(name: .long, help: "Prints JSON.")
        var json = false

        @OptionGroup var options: ConfigurationOptions

        private struct Document: Encodable {
            struct Item: Encodable {
                var name: String
                var publicKey: String
                var fingerprint: String
                var createdAt: String
                var revokedAt: String?
            }

            var gateway: Item?
            var items: [Item]
        }

        func run() async throws {
            try await CommandRun.run {
                let folder = KeyFolder(try options.load().messaging.keyFolder)
                let gateway =
                    FileManager.default.fileExists(atPath: folder.gatewayPublicPath)
                    ? try KeyFile.open(folder.gatewayPublicPath, remedy: "") : nil
                let (keys, problems) = try folder.workerKeys()
                for problem in problems { CommandOutput.complain("\(problem)") }
                let items = keys.map {
                    Self.item($0.name, $0.publicKey, "\($0.createdAt)", $0.revokedAt.map { "\($0)" })
                }
                if json {
                    let own = gateway.map { Self.item($0.name, $0.publicKey, "\($0.createdAt)", nil) }
                    try CommandOutput.print(JSONDocument.text(Document(gateway: own, items: items)))
                } else {
                    try show(items, gateway: gateway, folder: folder)
                }
                if !problems.isEmpty { throw CommandExit.unusableInput }
            }
        }

        private static func item(
            _ name: String, _ key: CurvePublicKey, _ createdAt: String, _ revokedAt: String?
        ) -> Document.Item {
            Document.Item(
                name: name, publicKey: key.text, fingerprint: key.fingerprint, createdAt: createdAt,
                revokedAt: revokedAt)
        }

        private func show(_ items: [Document.Item], gateway: KeyFile?, folder: KeyFolder) throws {
            try CommandOutput.print(
                gateway.map { "The gateway's key: \($0.publicKey.fingerprint) (\(folder.gatewayPublicPath))" }
                    ?? "The gateway has no key; 'backline keys new --gateway' makes it.")
            guard !items.isEmpty else { return try CommandOutput.print("No worker's key is allowed.") }
            try CommandOutput.print(columns: [
                TableColumn(title: "Name", cells: items.map { .init($0.name) }, minimum: 8),
                TableColumn(title: "Key", cells: items.map { .init($0.fingerprint) }),
                TableColumn(
                    title: "Made", cells: items.map { .init(HumanTime.text(rfc3339: $0.createdAt)) }, dropOrder: 2),
                TableColumn(
                    title: "Revoked",
                    cells: items.map { .init($0.revokedAt.map { HumanTime.text(rfc3339: $0) } ?? "") }, dropOrder: 1),
            ])
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Revokes workers' keys, and ends the connections made with them.",
            discussion: """
                Example: backline keys revoke workers-1

                A running gateway ends their workers' connections within seconds, and gives their jobs to others. A \
                new key needs a new name.
                """)

        @Argument(help: "Names of keys.")
        var names: [String]

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            try await CommandRun.run {
                let folder = KeyFolder(try options.load().messaging.keyFolder)
                for name in names {
                    let key = try folder.revoke(name: name)
                    try CommandOutput.print("Revoked: \(key.name), \(key.publicKey.fingerprint)")
                }
            }
        }
    }
}
