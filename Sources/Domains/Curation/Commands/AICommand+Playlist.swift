import ArgumentParser
import CommandSupport
import Foundation
import Model

extension AICommand {
    struct Playlist: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "playlist", abstract: "Makes a playlist from a description.",
            discussion: """
                A model chooses the songs, with your Gemini key or where this Backline has a model. Without either, \
                rules make the list from your library. Every song exists, and has a reason. The list is made in \
                Backline: Ctrl-C stops the waiting, not the work.

                Examples:
                  backline ai playlist "rainy Sunday, nothing I heard this month"
                  backline ai playlist "90s rock" --size 40 --source library
                  backline ai playlist "focus" --json | jq -r '.tracks[].track.title'

                Exit status: 0 the list was made; 1 it could not be made; others as in 'backline --help'.
                """)

        enum Source: String, ExpressibleByArgument, CaseIterable, Encodable {
            case library, discovery, mixed
        }

        private struct Request: Encodable {
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

        @Flag(name: .long, help: "Prints the finished list as JSON, as the API returns it.")
        var json = false

        @OptionGroup(title: "The gateway") var gateway: GatewayOptions

        func validate() throws {
            guard (5...100).contains(size) else {
                throw ValidationError("--size is \(size); allowed: 5 to 100 songs.")
            }
        }

        func run() async throws {
            try await gateway.withClient { client in
                let wish = Request(prompt: prompt, size: size, source: source)
                let body = try client.understood { try JSONEncoder().encode(wish) }
                let begun = try await client.post("/v1/ai/playlists", body: body)
                let (list, answer) = try await client.followed(
                    CuratedListEntry.self, from: begun, at: "/v1/ai/playlists")
                try show(list, answer)
            }
        }

        /// - Throws: the exit status, unless the list was made.
        private func show(_ list: CuratedListEntry, _ answer: Data) throws {
            if json {
                try CommandOutput.print(JSONDocument.text(ofAnswer: answer))
            } else if let error = list.error {
                try CommandOutput.print(TextWidth.printable(error.message))
            } else {
                try CommandOutput.print(columns: list.columns)
                for sentence in [list.shortfall, list.promptNote, list.fallback, list.usageText].compactMap(\.self) {
                    try CommandOutput.print(TextWidth.printable(sentence))
                }
                for song in list.dropped {
                    try CommandOutput.print(
                        "Left out: \(TextWidth.printable(song.said)): \(TextWidth.printable(song.why))")
                }
            }
            guard list.state == "complete" else { throw ExitCode.failure }
        }
    }
}
