import ArgumentParser
import CommandSupport
import Foundation
import Model

struct WorkersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workers", abstract: "Shows the connected workers and the jobs that they run.",
        discussion: """
            It needs an administrator's token ('backline user add NAME --admin').

            Examples:
              backline workers
              backline workers --jobs
              backline workers --json | jq '[.items[].credit] | add'
            """)

    @Flag(name: .long, help: "Also lists the jobs of each worker.")
    var jobs = false

    @Flag(name: .long, help: "Prints JSON, as the API returns it.")
    var json = false

    @OptionGroup(title: "The gateway") var gateway: GatewayOptions

    func run() async throws {
        try await gateway.withClient { client in
            let answer = try await client.get("/v1/admin/workers")
            let workers = try client.decode(WorkerEntry.Page.self, from: answer).items
            if json { return try CommandOutput.print(JSONDocument.text(ofAnswer: answer)) }
            guard !workers.isEmpty else {
                return try CommandOutput.print("No worker is connected. Start one: concert-worker.")
            }
            try CommandOutput.print(columns: Self.columns(workers, now: .now()))
            guard jobs else { return }
            for worker in workers where !worker.heldJobs.isEmpty {
                try CommandOutput.print("\n\(TextWidth.printable(worker.name)):")
                for job in worker.heldJobs {
                    let since = job.startedAt.map { " since \(HumanTime.text(rfc3339: $0))" } ?? ""
                    try CommandOutput.print("  \(job.id)  \(TextWidth.printable(job.kind))\(since)")
                }
            }
        }
    }

    static func columns(_ workers: [WorkerEntry], now: Timestamp) -> [TableColumn] {
        func number(_ value: Int?) -> TableColumn.Cell { .init(value.map(String.init) ?? "") }
        return [
            TableColumn(title: "Name", cells: workers.map { .init(TextWidth.printable($0.name)) }),
            TableColumn(title: "Pid", cells: workers.map { number($0.pid) }, dropOrder: 3, isNumber: true),
            TableColumn(
                title: "Version", cells: workers.map { .init($0.version.map(TextWidth.printable) ?? "") },
                dropOrder: 1),
            TableColumn(
                title: "For",
                cells: workers.map { worker in
                    let since = worker.connectedAt.flatMap(Timestamp.init(rfc3339:))
                    return .init(since.map { HumanTime.text($0.duration(to: now)) } ?? "")
                }, dropOrder: 4),
            TableColumn(
                title: "Heard", cells: workers.map { .init($0.lastHeardSecondsAgo.map { "\(Int($0)) s ago" } ?? "") },
                dropOrder: 5),
            TableColumn(title: "Held", cells: workers.map { number($0.held) }, isNumber: true),
            TableColumn(title: "Credit", cells: workers.map { number($0.credit) }, isNumber: true),
            TableColumn(title: "Capacity", cells: workers.map { number($0.capacity) }, dropOrder: 6, isNumber: true),
            TableColumn(
                title: "Kinds",
                cells: workers.map { .init(TextWidth.printable(($0.kinds ?? []).joined(separator: ", "))) },
                minimum: 12, dropOrder: 2),
        ]
    }
}

/// A worker of `GET /v1/admin/workers`. Fields that are only displayed are optional.
struct WorkerEntry: Decodable, Equatable {
    struct Page: Decodable {
        var items: [WorkerEntry]
    }

    struct Job: Decodable, Equatable {
        var id: String
        var kind: String
        var startedAt: String?
    }

    var name: String
    var version: String?
    var pid: Int?
    var kinds: [String]?
    var connectedAt: String?
    var lastHeardSecondsAgo: Double?
    var capacity: Int?
    var credit: Int?
    var held: Int?
    var jobs: [Job]?

    var heldJobs: [Job] { jobs ?? [] }
}
