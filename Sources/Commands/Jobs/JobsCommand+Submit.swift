import ArgumentParser
import CommandSupport
import Contracts
import Domains
import Foundation
import Model

extension JobsCommand {
    struct Submit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "submit", abstract: "Submits a job.",
            discussion: """
                Prints the job's id and its state.

                Examples:
                  backline jobs submit diagnostics.echo '{"hello": "there"}'
                  backline jobs submit diagnostics.steps '{"steps": 20}' --priority -5
                  backline jobs submit diagnostics.echo - < payload.json
                """)

        @Argument(
            help: "The kind of the job.",
            completion: .list(JobKinds(of: CommandDomains.all).submittable.map(\.name)))
        var kind: String

        @Argument(help: "The payload, as JSON; '-' reads it from standard input.")
        var payload = "{}"

        @Option(
            name: .long, parsing: .unconditional,
            help: "Higher runs sooner, among your own jobs: -100 to 9; 0 without this option.")
        var priority: Int?

        @Option(
            name: .long,
            help: ArgumentHelp("The earliest start, such as 2026-12-01T08:00:00Z.", valueName: "time"))
        var runAt: String?

        @Option(
            name: .long,
            help: ArgumentHelp("If an unfinished job has this key, prints that job instead.", valueName: "key"))
        var uniqueKey: String?

        @Flag(name: .long, help: "Prints the job as JSON, as the API returns it.")
        var json = false

        @OptionGroup(title: "The gateway") var gateway: GatewayOptions

        func validate() throws {
            if let priority, !(-100...9).contains(priority) {
                throw ValidationError("--priority is \(priority); allowed: -100 to 9.")
            }
            if let runAt, Timestamp(rfc3339: runAt) == nil {
                throw ValidationError("--run-at is not a time such as 2026-12-01T08:00:00Z.")
            }
            // The content of standard input is known only when the command runs.
            guard payload == "-" || (try? body(payload)) != nil else {
                throw ValidationError("The payload is not valid JSON.")
            }
        }

        func run() async throws {
            let text =
                payload == "-"
                ? String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self) : payload
            guard let body = try? body(text) else {
                CommandOutput.complain("Standard input is not valid JSON.")
                throw CommandExit.unusableInput
            }
            try await gateway.withClient { client in
                let document = try await JobAPI(client: client).submit(body, key: UUIDv7.next())
                try CommandOutput.print(
                    json
                        ? JSONDocument.text(ofAnswer: document.json)
                        : "\(document.job.id)  \(document.job.state.rawValue)")
            }
        }

        private func body(_ payload: String) throws -> Data {
            try NewJobBody.json(kind: kind, payload: payload, priority: priority, runAt: runAt, uniqueKey: uniqueKey)
        }
    }
}
