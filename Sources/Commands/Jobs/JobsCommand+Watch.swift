import ArgumentParser
import CommandSupport
import Foundation
import Model

extension JobsCommand {
    struct Watch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "watch", abstract: "Shows the changes of jobs until they have ended.",
            discussion: """
                Without ids, it watches all unfinished jobs, and those submitted meanwhile. Ctrl-C stops the watching, \
                not the jobs.

                Examples:
                  backline jobs watch
                  backline jobs watch 019a8f1e-4f8e-7c11-b6bd-0a8d7a4c53a1 --timeout 60
                  backline jobs watch --kind concerts.lookup --json | jq -r .state

                Exit status: 0 all succeeded, or there were none; 1 one failed; 2 one was cancelled, or the timeout \
                passed; 130 Ctrl-C; others as in 'backline --help'.
                """)

        @Argument(help: "Ids of jobs; without any, all unfinished jobs.")
        var ids: [String] = []

        @OptionGroup var kind: JobKindOption

        @Option(name: .long, help: ArgumentHelp("Stops watching after this time.", valueName: "seconds"))
        var timeout: Int?

        @Flag(name: .long, help: "Prints each change as a line of JSON: the job, as the API returns it.")
        var json = false

        @OptionGroup(title: "The gateway") var gateway: GatewayOptions

        func validate() throws {
            if let timeout, !(1...86_400).contains(timeout) {
                throw ValidationError("--timeout is \(timeout); allowed: 1 to 86400 seconds.")
            }
            guard ids.isEmpty || kind.kind == nil else { throw ValidationError("Give ids or --kind, not both.") }
        }

        func run() async throws {
            let interruption = Interruption()
            try await gateway.withClient { client in
                let terminal = Terminal.current()
                let target = ids.isEmpty ? JobsWatch.Target.all(kind: kind.kind) : .jobs(Set(ids))
                let follower = JobsFollower(
                    api: JobAPI(client: client), timeout: timeout.map { .seconds($0) }, interruption: interruption)
                let (end, watch) = try await follower.follow(target) { changes, watch in
                    if terminal.showsProgress { CommandOutput.show(ProgressBar.erasure) }
                    for change in changes {
                        try CommandOutput.print(
                            json
                                ? JSONDocument.text(ofAnswer: change.json, onOneLine: true)
                                : Self.line(for: change.job, isColored: terminal.isColored))
                    }
                    if terminal.showsProgress { CommandOutput.show(Self.summary(of: watch)) }
                }
                if terminal.showsProgress { CommandOutput.show(ProgressBar.erasure) }
                switch end {
                case .over: break
                case .failed(let error): throw error
                case .interrupted(let signal): throw ExitCode(128 + signal)
                case .timedOut:
                    CommandOutput.complain("The timeout has passed. \(Self.summary(of: watch)).")
                    throw CommandExit.cancelled
                }
                if !json { try CommandOutput.print(Self.summary(of: watch) + ".") }
                let exit = Self.exit(for: watch)
                if exit != .success { throw exit }
            }
        }

        /// `22:15:42  running    concerts.lookup  019a8f1e-…`
        static func line(for job: JobEntry, isColored: Bool) -> String {
            let moment = job.finishedAt ?? (job.state == .running ? job.startedAt : nil) ?? job.createdAt
            let time = HumanTime.text(rfc3339: moment).suffix(8)
            let state = job.state.rawValue + String(repeating: " ", count: 9 - job.state.rawValue.count)
            let style = isColored ? JobTable.style(of: job.state) : nil
            let error = JobTable.error(of: job)
            return "\(time)  \(style?.applied(to: state) ?? state)  \(TextWidth.printable(job.kind))  \(job.id)"
                + (error.isEmpty ? "" : "  \(error)")
        }

        /// `3 succeeded, 1 failed`
        static func summary(of watch: JobsWatch) -> String {
            let counts = watch.counts
            let parts = JobState.allCases.compactMap { state in counts[state].map { "\($0) \(state.rawValue)" } }
            return parts.isEmpty ? "There is no job to wait for" : parts.joined(separator: ", ")
        }

        static func exit(for watch: JobsWatch) -> ExitCode {
            let counts = watch.counts
            if counts[.failed, default: 0] > 0 { return CommandExit.failure }
            return counts[.cancelled, default: 0] > 0 ? CommandExit.cancelled : .success
        }
    }
}
