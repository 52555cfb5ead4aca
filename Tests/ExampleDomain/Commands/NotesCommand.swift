import ArgumentParser
import CommandSupport

package struct NotesCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "notes", abstract: "Shows what you have noted.",
        discussion: "Example: backline notes count", subcommands: [Count.self])

    package init() {}

    struct Count: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "count", abstract: "Prints how many notes you have.",
            discussion: "Example: backline notes count")

        @OptionGroup(title: "The gateway") var gateway: GatewayOptions

        private struct Answer: Decodable {
            struct Note: Decodable {
                var id: String
            }

            var items: [Note]
        }

        func run() async throws {
            try await gateway.withClient { client in
                let answer = try client.decode(Answer.self, from: try await client.get("/v1/notes"))
                try CommandOutput.print("\(answer.items.count)")
            }
        }
    }
}
