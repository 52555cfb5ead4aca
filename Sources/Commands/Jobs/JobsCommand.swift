import ArgumentParser
import CommandSupport
import Contracts
import Domains
import Foundation
import Model

extension JobState: ExpressibleByArgument {}

struct JobsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs", abstract: "Submits, shows, cancels and requeues your jobs.",
        discussion: """
            Examples:
              backline jobs list --state failed
              backline jobs watch
              backline jobs list --state failed --ids | xargs backline jobs requeue

            With --everyone, an administrator sees and requeues the failed jobs of all users.
            """,
        subcommands: [List.self, Show.self, Watch.self, Submit.self, Cancel.self, Requeue.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Shows jobs, the newest first.",
            discussion: """
                Examples:
                  backline jobs list
                  backline jobs list --state running --kind concerts.lookup
                  backline jobs list --limit 1000 --json | jq '[.items[].attempt] | add'
                """)

        @Option(name: .long, help: "Only jobs in this state.")
        var state: JobState?

        @OptionGroup var kind: JobKindOption

        @Flag(name: .long, help: "The failed jobs of all users; needs an administrator's token.")
        var everyone = false

        @Option(name: .long, help: "At most this many jobs.")
        var limit = 50

        @Flag(name: .long, help: "Prints only ids, one per line.")
        var ids = false

        @Flag(name: .long, help: "Prints JSON: items, as the API returns them.")
        var json = false

        @OptionGroup(title: "The gateway") var gateway: GatewayOptions

        func validate() throws {
            guard (1...100_000).contains(limit) else {
                throw ValidationError("--limit is \(limit); allowed: 1 to 100000.")
            }
            guard !everyone || kind.kind == nil && state ?? .failed == .failed else {
                throw ValidationError("--everyone shows failed jobs of every kind; omit --kind and other states.")
            }
            guard !ids || !json else { throw ValidationError("--ids and --json cannot be combined.") }
        }

        func run() async throws {
            try await gateway.withClient { client in
                let filter =
                    everyone
                    ? JobAPI.Filter(isDeadLetters: true) : JobAPI.Filter(state: state, kind: kind.kind)
                let (jobs, pages) = try await JobAPI(client: client).pages(filter, limit: limit)
                if json { return try CommandOutput.print(JSONDocument.text(ofPages: pages)) }
                if ids {
                    guard !jobs.isEmpty else { return }
                    return try CommandOutput.print(jobs.map(\.id).joined(separator: "\n"))
                }
                guard !jobs.isEmpty else { return try CommandOutput.print("There are no such jobs.") }
                try CommandOutput.print(columns: JobTable(jobs: jobs, now: .now()).columns)
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Shows a job with all its failed attempts.",
            discussion: """
                Examples:
                  backline jobs show 019a8f1e-4f8e-7c11-b6bd-0a8d7a4c53a1
                  backline jobs show 019a8f1e-4f8e-7c11-b6bd-0a8d7a4c53a1 --json
                """)

        @Argument(help: "The job's id.")
        var id: String

        @Flag(name: .long, help: "Prints JSON, as the API returns it.")
        var json = false

        @OptionGroup(title: "The gateway") var gateway: GatewayOptions

        func run() async throws {
            try await gateway.withClient { client in
                let document = try await JobAPI(client: client).job(id)
                try CommandOutput.print(
                    json
                        ? JSONDocument.text(ofAnswer: document.json)
                        : JobTable.lines(for: document.job, now: .now()).joined(separator: "\n"))
            }
        }
    }

    struct Cancel: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cancel", abstract: "Cancels unfinished jobs.",
            discussion: """
                Examples:
                  backline jobs cancel 019a8f1e-4f8e-7c11-b6bd-0a8d7a4c53a1
                  backline jobs list --state queued --ids | xargs backline jobs cancel
                """)

        @OptionGroup var changes: JobChanges

        func run() async throws {
            try await changes.run { try await $0.cancel($1) }
        }
    }

    struct Requeue: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "requeue",
            abstract: "Puts failed jobs back into the queue, with a fresh count of attempts.",
            discussion: """
                Examples:
                  backline jobs requeue 019a8f1e-4f8e-7c11-b6bd-0a8d7a4c53a1
                  backline jobs list --state failed --ids | xargs backline jobs requeue
                  backline jobs requeue --everyone 019a8f1e-4f8e-7c11-b6bd-0a8d7a4c53a1
                """)

        @Flag(name: .long, help: "Accepts other users' jobs; needs an administrator's token.")
        var everyone = false

        @OptionGroup var changes: JobChanges

        func run() async throws {
            try await changes.run { try await $0.requeue($1, ofAnyUser: everyone) }
        }
    }
}

struct JobKindOption: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("Only jobs of this kind.", valueName: "kind"),
        completion: .list(JobKinds(of: CommandDomains.all).all.map(\.name)))
    var kind: String?
}

/// The arguments and the loop that cancelling and requeueing share.
struct JobChanges: ParsableArguments {
    @Argument(help: "Ids of jobs.")
    var ids: [String]

    @Flag(name: .long, help: "Prints JSON: items, the jobs as the API returns them.")
    var json = false

    @OptionGroup(title: "The gateway") var gateway: GatewayOptions

    /// Applies `change` to every job. A refusal is printed, the remaining jobs are still changed, and the exit status
    /// is 1.
    func run(_ change: (JobAPI, String) async throws -> JobDocument) async throws {
        try await gateway.withClient { client in
            let api = JobAPI(client: client)
            var done: [JobDocument] = []
            var isRefused = false
            for id in ids {
                do {
                    let document = try await change(api, id)
                    done.append(document)
                    if !json { try CommandOutput.print("\(document.job.id)  \(document.job.state.rawValue)") }
                } catch let error as GatewayError {
                    guard case .refused(let status, let detail) = error, status < 500 else { throw error }
                    CommandOutput.complain("\(TextWidth.printable(id)): \(detail)")
                    isRefused = true
                }
            }
            if json {
                let items = done.map { String(decoding: $0.json, as: UTF8.self) }.joined(separator: ",")
                try CommandOutput.print(JSONDocument.text(ofAnswer: Data("{\"items\":[\(items)]}".utf8)))
            }
            if isRefused { throw CommandExit.failure }
        }
    }
}
