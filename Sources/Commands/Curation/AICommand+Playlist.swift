import ArgumentParser
import Foundation
import Model

extension AICommand {
    struct Playlist: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "playlist", abstract: "Makes a playlist for a wish.",
            discussion: """
                With a Gemini key of yours a model chooses; without one the list is made by rules from your library. \
                Every song exists, and has a reason. The list is made in Backline: Ctrl-C ends the waiting, not the \
                making.

                Examples:
                  backline ai playlist "rainy Sunday, nothing I heard this month"
                  backline ai playlist "90s rock" --size 40 --source library --json | jq -r '.tracks[].track.title'

                Exit status: 0 the list is made; 1 it could not be made; others as in 'backline --help'.
                """)

        /// Between two requests for the list's state. A list is made in seconds.
        private static let pause = Duration.milliseconds(300)

        enum Source: String, ExpressibleByArgument, CaseIterable, Encodable {
            case library, discovery, mixed
        }

        private struct Wish: Encodable {
            var prompt: String
            var size: Int
            var source: Source
        }

        @Argument(help: "What the playlist should be like.")
        var prompt: String

        @Option(name: .long, help: "How many songs, 5 to 100.")
        var size = 25

        @Option(name: .long, help: "Where the songs come from.")
        var source = Source.mixed

        @Flag(name: .long, help: "Prints the list as JSON when it is made, as the API writes it.")
        var json = false

        @OptionGroup(title: "The gateway") var gateway: GatewayOptions

        func validate() throws {
            guard (5...100).contains(size) else {
                throw ValidationError("--size is \(size); allowed: 5 to 100 songs.")
            }
        }

        func run() async throws {
            try await gateway.withClient { client in
                let terminal = Terminal.current()
                let wish = Wish(prompt: prompt, size: size, source: source)
                let body = try client.understood { try JSONEncoder().encode(wish) }
                var answer = try await client.post("/v1/ai/playlists", body: body)
                var list = try client.decode(ListEntry.self, from: answer)
                while !list.hasEnded {
                    if terminal.showsProgress {
                        CommandOutput.show(ProgressBar.erasure)
                        CommandOutput.show("\r\(list.progressText)")
                    }
                    try await Task.sleep(for: Self.pause)
                    answer = try await client.get("/v1/ai/playlists/\(list.id)")
                    list = try client.decode(ListEntry.self, from: answer)
                }
                if terminal.showsProgress { CommandOutput.show(ProgressBar.erasure) }
                try show(list, answer)
            }
        }

        /// - Throws: the exit status, unless the list is made.
        private func show(_ list: ListEntry, _ answer: Data) throws {
            if json {
                try CommandOutput.print(JSONDocument.text(ofAnswer: answer))
            } else if let error = list.error {
                try CommandOutput.print(TextWidth.printable(error.message))
            } else {
                try CommandOutput.print(columns: list.columns)
                if let fallback = list.fallback { try CommandOutput.print(TextWidth.printable(fallback)) }
                for song in list.dropped {
                    try CommandOutput.print(
                        "Left out: \(TextWidth.printable(song.said)): \(TextWidth.printable(song.why))")
                }
            }
            guard list.state == "complete" else { throw ExitCode.failure }
        }
    }
}

/// A list as the API shows it.
struct ListEntry: Decodable, Sendable {
    struct Item: Decodable, Sendable {
        struct Track: Decodable, Sendable {
            var title: String
            var artist: String
            var durationMs: Int?
        }
        var track: Track
        var reason: String
    }
    struct Dropped: Decodable, Sendable {
        var said: String
        var why: String
    }
    struct Progress: Decodable, Sendable {
        var done: Int
        var total: Int
    }
    struct Failure: Decodable, Sendable {
        var message: String
    }

    var id: String
    var state: String
    var tracks: [Item]?
    var dropped: [Dropped]
    var progress: Progress?
    var fallback: String?
    var error: Failure?

    var hasEnded: Bool { ["complete", "failed"].contains(state) }

    var progressText: String {
        switch state {
        case "queued": "Waiting for an ai-worker …"
        case "asking": "Asking the model …"
        case "resolving": progress.map { "Looking songs up: \($0.done) of \($0.total) …" } ?? "Looking songs up …"
        default: "Checking …"
        }
    }

    var columns: [TableColumn] {
        let items = tracks ?? []
        return [
            TableColumn(title: "Title", cells: items.map { .init(TextWidth.printable($0.track.title)) }, minimum: 16),
            TableColumn(title: "Artist", cells: items.map { .init(TextWidth.printable($0.track.artist)) }, minimum: 12),
            TableColumn(
                title: "Length", cells: items.map { .init($0.track.durationMs.map(LibraryTable.length) ?? "") },
                dropOrder: 1, isNumber: true),
            TableColumn(
                title: "Reason", cells: items.map { .init(TextWidth.printable($0.reason)) }, minimum: 20, dropOrder: 2),
        ]
    }
}
