import ArgumentParser
import CommandSupport
import Foundation
import Model

package struct SearchCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Finds the concerts of artists and shows them in a table.",
        discussion: """
            Shows the progress of the search in the gateway, then its result. Ctrl-C cancels the search.

            Examples:
              backline search "Imagine Dragons" Coldplay --home Prague
              backline search --home Brno --json | jq '.items[].venueName'

            Environment: BACKLINE_SERVER, the gateway's address; BACKLINE_TOKEN_FILE, the path of a file with your \
            token, or BACKLINE_TOKEN, the token itself ('backline user add NAME' prints one); COLUMNS, the table's \
            width; NO_COLOR, no colors.

            Exit status: 0 the search is complete, even if Ticketmaster does not know an artist; 1 the search failed; \
            2 it was cancelled or timed out; 3 it failed for some of the artists; 64 the command line is invalid; \
            69 the gateway cannot be reached; 74 the result cannot be written; 77 the token is missing or not \
            accepted; 78 the configuration is invalid; 130 Ctrl-C.
            """)

    @Argument(help: "The artists to search for; without any, your ranked list.")
    var artists: [String] = []

    @Option(name: .long, help: ArgumentHelp("Marks the shows in this city.", valueName: "city"))
    var home: String?

    @Flag(name: .long, help: "Prints the whole result as one JSON document in the API's format.")
    var json = false

    @Flag(name: .long, help: "Includes cancelled shows.")
    var includeCancelled = false

    @Option(name: .long, help: ArgumentHelp("Cancels the search after this time.", valueName: "seconds"))
    var timeout = 300

    @OptionGroup(title: "The gateway") var gateway: GatewayOptions

    package init() {}

    package func validate() throws {
        if let index = artists.firstIndex(where: { TextWidth.printable($0).isEmpty }) {
            throw ValidationError("Artist \(index + 1) has no name.")
        }
        if let home, TextWidth.printable(home).isEmpty { throw ValidationError("--home does not name a city.") }
        guard (1...86_400).contains(timeout) else {
            throw ValidationError("--timeout is \(timeout); allowed: 1 to 86400 seconds.")
        }
    }

    package func run() async throws {
        try await CommandRun.run {
            let address = try gateway.address()
            let token = try gateway.token()
            let interruption = Interruption()
            let exit = try await GatewayClient.with(address, token: token, isInsecure: gateway.insecure) { client in
                try await search(through: ConcertSearchAPI(client: client), interruption: interruption)
            }
            if exit != .success { throw exit }
        }
    }

    private func search(through api: ConcertSearchAPI, interruption: Interruption) async throws -> ExitCode {
        let terminal = Terminal.current()
        let begin = ContinuousClock.now
        let begun = try await api.begin(artists: artists, homeCity: home, key: UUIDv7.next())
        var end = FollowingEnd.over
        if begun.state == .running {
            let follower = SearchFollower(api: api, timeout: .seconds(timeout), interruption: interruption)
            end = await follower.follow(begun) { status in
                guard terminal.showsProgress else { return }
                let bar = ProgressBar(
                    done: status.progress.done, total: status.progress.total, elapsed: begin.duration(to: .now))
                CommandOutput.show(ProgressBar.erasure + bar.text)
            }.end
            if terminal.showsProgress { CommandOutput.show(ProgressBar.erasure) }
        }
        switch end {
        case .over: break
        case .failed(let error): throw error
        case .interrupted(let signal):
            await cancel(begun.id, through: api)
            CommandOutput.complain("The search was cancelled.")
            return ExitCode(128 + signal)
        case .timedOut:
            await cancel(begun.id, through: api)
        }
        interruption.end()
        let report = try await api.report(of: begun.id, includesCancelled: includeCancelled)
        try CommandOutput.print(json ? Self.document(of: report, from: api) : text(of: report, for: terminal))
        if end == .timedOut {
            CommandOutput.complain(Self.timeoutText(of: report.status, after: timeout))
            return CommandExit.cancelled
        }
        return Self.exit(for: report.status.state)
    }

    /// Cancels the search. A failure is only printed, because the command ends anyway.
    private func cancel(_ id: String, through api: ConcertSearchAPI) async {
        do {
            try await api.cancel(id)
        } catch GatewayError.refused(status: 409, _) {
            // The search had ended.
        } catch {
            CommandOutput.complain("The search could not be cancelled. \(error)")
        }
    }

    // MARK: Output

    private func text(of report: SearchReport, for terminal: Terminal) -> String {
        let table = ConcertTable(shows: report.shows).lines(width: terminal.width, isColored: terminal.isColored)
        let summary = SearchSummary(report, homeCity: home).lines(isColored: terminal.isColored)
        return (report.shows.isEmpty ? summary : table + [""] + summary).joined(separator: "\n")
    }

    private static func document(of report: SearchReport, from api: ConcertSearchAPI) throws -> String {
        do {
            return try report.document()
        } catch {
            throw api.client.unreadable("the pages of the result cannot be joined")
        }
    }

    static func timeoutText(of status: SearchStatus, after seconds: Int) -> String {
        let text = "The search took longer than \(seconds) s and was cancelled; --timeout allows more time."
        return status.progress.done > 0 ? text : text + " No artist was looked up: is a concert-worker running?"
    }

    // MARK: Exit status

    static func exit(for state: SearchStatus.State) -> ExitCode {
        switch state {
        case .complete: .success
        case .failed: CommandExit.failure
        case .cancelled, .running: CommandExit.cancelled
        case .partial: ExitCode(3)
        }
    }
}
