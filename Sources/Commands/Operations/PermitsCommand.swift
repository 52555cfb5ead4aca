import ArgumentParser
import CommandSupport
import Model
import PermitStorage
import Storage

struct PermitsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "permits", abstract: "Shows how many requests may be sent to each upstream now.",
        discussion: """
            Each request to an upstream takes a permit, and all processes share the permits of a credential, which is \
            shown by a short hash. This reads the database directly, so it works without the gateway.

            Examples:
              backline permits
              backline permits --json | jq '.items[] | select(.pausedUntil)'
            """)

    @Flag(name: .long, help: "Prints JSON.")
    var json = false

    @OptionGroup var options: ConfigurationOptions

    private struct Item: Encodable {
        var provider: String
        var credential: String
        var slots: Int
        var windowMs: Int
        var free: Int
        var busy: Int
        var waiting: Int
        var pausedUntil: String?
        var pauseReason: String?
        var quotas: [Quota]

        struct Quota: Encodable {
            var name: String
            var amount: Int
            var used: Int
            var windowSeconds: Int
        }

        init(_ status: PermitStatus) {
            provider = status.provider
            credential = PermitsCommand.credential(of: status)
            slots = status.requests
            windowMs = Int(status.window.microseconds / 1_000)
            free = status.free
            busy = status.busy
            waiting = status.waiting
            pausedUntil = status.pause.map { "\($0.until)" }
            pauseReason = status.pause?.reason
            quotas = status.quotas.map { quota in
                Quota(
                    name: quota.quota.name, amount: quota.quota.amount, used: quota.used,
                    windowSeconds: Int(quota.quota.window.components.seconds))
            }
        }
    }

    func run() async throws {
        try await CommandRun.run {
            let permits = try await options.withReadOnlyDatabase { try await $0.read { try $0.permits.permitStatus() } }
            let none = "There are no permits yet: no worker has called an upstream."
            try CommandOutput.print(
                items: permits.map(Item.init), asJSON: json, none: none,
                columns: [
                    TableColumn(title: "Provider", cells: permits.map { .init($0.provider) }),
                    TableColumn(title: "Credential", cells: permits.map { .init(Self.credential(of: $0)) }, minimum: 6),
                    TableColumn(title: "Limit", cells: permits.map { .init(Self.limit(of: $0)) }, dropOrder: 1),
                    TableColumn(title: "Free", cells: permits.map { .init("\($0.free)") }, isNumber: true),
                    TableColumn(title: "Busy", cells: permits.map { .init("\($0.busy)") }, isNumber: true),
                    TableColumn(title: "Used", cells: permits.map { .init(Self.quotas(of: $0)) }, dropOrder: 1),
                    TableColumn(title: "Waiting", cells: permits.map { .init("\($0.waiting)") }, isNumber: true),
                    TableColumn(
                        title: "Paused until",
                        cells: permits.map { .init($0.pause.map { HumanTime.text($0.until) } ?? "", style: .yellow) }),
                    TableColumn(
                        title: "Why", cells: permits.map { .init($0.pause?.reason ?? "") }, minimum: 8, dropOrder: 2),
                ])
        }
    }

    /// The credential's hash, from the key `PROVIDER:HASH`.
    static func credential(of status: PermitStatus) -> String {
        let prefix = status.provider + ":"
        return status.key.hasPrefix(prefix) ? String(status.key.dropFirst(prefix.count)) : status.key
    }

    /// `5 in 1 s`
    private static func limit(of status: PermitStatus) -> String {
        let milliseconds = status.window.microseconds / 1_000
        return "\(status.requests) in "
            + (milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms")
    }

    /// `120 of 5000 requestsPerDay`
    private static func quotas(of status: PermitStatus) -> String {
        status.quotas.map { "\($0.used) of \($0.quota.amount) \($0.quota.name)" }.joined(separator: ", ")
    }
}
