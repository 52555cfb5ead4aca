import ArgumentParser
import CommandSupport
import Foundation
import Model

package struct LibraryCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "library", abstract: "Syncs your library, and shows what is in it.",
        discussion: """
            Examples:
              backline library sync
              backline library summary
              backline library search "tame impala"

            Connect Spotify or Apple Music first, in the pages' setup ('backline open').
            """,
        subcommands: [Summary.self, Sync.self, Tracks.self, Search.self])

    package init() {}

    struct Summary: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "summary", abstract: "Shows how much is in your library.",
            discussion: """
                Examples:
                  backline library summary
                  backline library summary --json | jq .tracks.both
                """)

        @Flag(name: .long, help: "Prints JSON, as the API returns it.")
        var json = false

        @OptionGroup(title: "The gateway") var gateway: GatewayOptions

        func run() async throws {
            try await gateway.withClient { client in
                let answer = try await LibraryAPI(client: client).summary()
                if json { return try CommandOutput.print(JSONDocument.text(ofAnswer: answer)) }
                let summary = try client.decode(LibrarySummaryAnswer.self, from: answer)
                try CommandOutput.print(summary.lines.joined(separator: "\n"))
            }
        }
    }

    struct Tracks: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "tracks", abstract: "Shows tracks in your library.",
            discussion: """
                Examples:
                  backline library tracks
                  backline library tracks --source both --sort artist --limit 20
                  backline library tracks --limit 100000 --json | jq -r '.items[].isrc'
                """)

        @Option(name: .long, help: "Only tracks of this service; 'both' for tracks that both have.")
        var source = LibraryFilter.all

        @Option(name: .long, help: "The order.")
        var sort = LibrarySort.recentlyAdded

        @OptionGroup var output: LibraryTrackOutput
        @OptionGroup(title: "The gateway") var gateway: GatewayOptions

        func run() async throws {
            try await gateway.withClient { try await output.show(.init(source: source, sort: sort), from: $0) }
        }
    }

    struct Search: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "search", abstract: "Finds tracks in your library by title, artist or album.",
            discussion: """
                Case and accents are ignored.

                Examples:
                  backline library search "tame impala"
                  backline library search björk --source spotify --json
                """)

        @Argument(help: "A part of a title, artist or album.")
        var query: String

        @Option(name: .long, help: "Only tracks of this service; 'both' for tracks that both have.")
        var source = LibraryFilter.all

        @Option(name: .long, help: "The order.")
        var sort = LibrarySort.recentlyAdded

        @OptionGroup var output: LibraryTrackOutput
        @OptionGroup(title: "The gateway") var gateway: GatewayOptions

        func validate() throws {
            if TextWidth.printable(query).isEmpty { throw ValidationError("The query is empty.") }
        }

        func run() async throws {
            try await gateway.withClient {
                try await output.show(.init(source: source, sort: sort, text: query), from: $0)
            }
        }
    }
}

/// Prints tracks, for the commands that list and find them.
struct LibraryTrackOutput: ParsableArguments {
    @Option(name: .long, help: "At most this many tracks.")
    var limit = 50

    @Flag(name: .long, help: "Prints JSON: items, as the API returns them.")
    var json = false

    func validate() throws {
        guard (1...1_000_000).contains(limit) else {
            throw ValidationError("--limit is \(limit); allowed: 1 to 1000000.")
        }
    }

    func show(_ query: LibraryAPI.TrackQuery, from client: GatewayClient) async throws {
        let (tracks, total, pages) = try await LibraryAPI(client: client).tracks(query, limit: limit)
        if json { return try CommandOutput.print(JSONDocument.text(ofPages: pages)) }
        guard !tracks.isEmpty else {
            return try CommandOutput.print(Self.emptyList(query))
        }
        try CommandOutput.print(columns: LibraryTable(tracks: tracks).columns)
        try CommandOutput.print(LibraryTable.count(tracks.count, of: total))
    }

    /// The text that is printed instead of an empty list.
    static func emptyList(_ query: LibraryAPI.TrackQuery) -> String {
        guard let text = query.text else {
            return "There are no such tracks. 'backline library sync' reads your services."
        }
        let tracks = query.source == .all ? "No track" : "None of these tracks"
        return "\(tracks) has '\(TextWidth.printable(text))' in its title, artist or album."
    }
}
