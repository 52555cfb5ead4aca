import ArgumentParser
import CommandSupport
import Foundation
import Model

extension LibraryCommand {
    struct Sync: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sync", abstract: "Syncs your library with the connected services.",
            discussion: """
                Shows the progress of the sync, which runs in Backline: Ctrl-C stops the waiting, not the sync. If a \
                sync is already running, this joins it, or waits for it and then syncs the rest.

                Examples:
                  backline library sync
                  backline library sync --source spotify
                  backline library sync --force --timeout 600 --json | jq .merged

                Exit status: 0 everything is synced; 1 nothing is; 2 the timeout passed; 3 a service could not be \
                synced; 130 Ctrl-C; others as in 'backline --help'.
                """)

        @Option(name: .long, help: "Only this service.")
        var source: MusicSource?

        @Flag(name: .long, help: "Also reads services that were synced in the last five minutes.")
        var force = false

        @Option(name: .long, help: ArgumentHelp("Stops waiting after this time.", valueName: "seconds"))
        var timeout: Int?

        @Flag(name: .long, help: "Prints the finished sync as JSON, as the API returns it.")
        var json = false

        @OptionGroup(title: "The gateway") var gateway: GatewayOptions

        func validate() throws {
            if let timeout, !(1...86_400).contains(timeout) {
                throw ValidationError("--timeout is \(timeout); allowed: 1 to 86400 seconds.")
            }
        }

        func run() async throws {
            let interruption = Interruption()
            try await gateway.withClient { client in
                let api = LibraryAPI(client: client)
                let begin = ContinuousClock.now
                let id = try await api.sync(source: source, force: force)
                let terminal = Terminal.current()
                var report = LibrarySyncReport()
                let follower = LibrarySyncFollower(
                    api: api, timeout: timeout.map { .seconds($0) }, interruption: interruption)
                let (end, document) = try await follower.follow(id) { status in
                    if terminal.showsProgress { CommandOutput.show(ProgressBar.erasure) }
                    for line in report.lines(for: status) where !json { try CommandOutput.print(line) }
                    guard terminal.showsProgress, !status.state.isFinished else { return }
                    CommandOutput.show(LibrarySyncReport.progress(of: status, after: begin.duration(to: .now)))
                }
                if terminal.showsProgress { CommandOutput.show(ProgressBar.erasure) }
                interruption.end()
                switch end {
                case .over: break
                case .failed(let error): throw error
                case .interrupted(let signal):
                    CommandOutput.complain("The sync continues. 'backline library sync' joins it.")
                    throw ExitCode(128 + signal)
                case .timedOut:
                    CommandOutput.complain("The timeout has passed. The sync continues.")
                    throw CommandExit.cancelled
                }
                if let document { try show(document) }
            }
        }

        /// - Throws: the exit status, unless the sync is complete.
        private func show(_ document: LibrarySyncDocument) throws {
            let status = document.status
            if json {
                try CommandOutput.print(JSONDocument.text(ofAnswer: document.json))
            } else {
                if !status.sources.isEmpty { try CommandOutput.print(columns: LibrarySyncReport.columns(of: status)) }
                try CommandOutput.print(LibrarySyncReport.outcome(of: status))
            }
            let exit = LibrarySyncReport.exit(for: status.state)
            if exit != .success { throw exit }
        }
    }
}
