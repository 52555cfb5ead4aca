import ArgumentParser
import CommandSupport
import Foundation

package struct ArtistsCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "artists", abstract: "Shows and changes your ranked list of artists.",
        discussion: """
            Examples:
              backline artists add "Imagine Dragons"
              backline artists move Coldplay 1
              backline search                 finds concerts of the artists on the list
            """,
        subcommands: [List.self, Add.self, Move.self, Remove.self])

    package init() {}

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Shows the list.",
            discussion: """
                Examples:
                  backline artists list
                  backline artists list --json | jq -r '.artists[].name'
                """)

        @OptionGroup var output: ArtistListOutput
        @OptionGroup(title: "The gateway") var gateway: GatewayOptions

        func run() async throws {
            try await gateway.withClient { try output.show(try await $0.get("/v1/artists"), from: $0) }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Adds artists, at the end or at a rank.",
            discussion: """
                Examples:
                  backline artists add Coldplay "Die Ärzte"
                  backline artists add Adele --rank 1
                """)

        @Argument(help: "Names of artists.")
        var names: [String]

        @Option(name: .long, help: "The rank of the first artist; the others follow.")
        var rank: Int?

        @OptionGroup var output: ArtistListOutput
        @OptionGroup(title: "The gateway") var gateway: GatewayOptions

        private struct Request: Encodable {
            var name: String
            var rank: Int?
        }

        func run() async throws {
            try await gateway.withClient { client in
                for (index, name) in names.enumerated() {
                    let body = try JSONEncoder().encode(Request(name: name, rank: rank.map { $0 + index }))
                    _ = try await client.post("/v1/artists", body: body)
                }
                try output.show(try await client.get("/v1/artists"), from: client)
            }
        }
    }

    struct Move: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "move", abstract: "Moves an artist to another rank.",
            discussion: """
                Examples:
                  backline artists move Coldplay 1
                  backline artists move 7 2          the seventh becomes the second
                """)

        @Argument(help: "A name on the list, a rank, or an id.")
        var artist: String

        @Argument(help: "The new rank; 1 is the best.")
        var to: Int

        @OptionGroup var output: ArtistListOutput
        @OptionGroup(title: "The gateway") var gateway: GatewayOptions

        func run() async throws {
            try await gateway.withClient { client in
                let list = try client.decode(ArtistListAnswer.self, from: try await client.get("/v1/artists"))
                let id = try list.artist(called: artist).id
                let body = try JSONEncoder().encode(["to": to])
                try output.show(try await client.post("/v1/artists/\(id)/move", body: body), from: client)
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Removes artists from the list.",
            discussion: """
                Examples:
                  backline artists remove Coldplay
                  backline artists remove 19 20
                """)

        @Argument(help: "Names on the list, ranks, or ids.")
        var artists: [String]

        @OptionGroup var output: ArtistListOutput
        @OptionGroup(title: "The gateway") var gateway: GatewayOptions

        func run() async throws {
            try await gateway.withClient { client in
                let list = try client.decode(ArtistListAnswer.self, from: try await client.get("/v1/artists"))
                // All artists are looked up first, because each removal changes the ranks.
                for id in Set(try artists.map { try list.artist(called: $0).id }) {
                    try await client.delete("/v1/artists/\(id)")
                }
                try output.show(try await client.get("/v1/artists"), from: client)
            }
        }
    }
}

/// Prints the list, for each command that shows or changes it.
struct ArtistListOutput: ParsableArguments {
    @Flag(name: .long, help: "Prints the list as JSON in the API's format.")
    var json = false

    func show(_ answer: Data, from client: GatewayClient) throws {
        let list = try client.decode(ArtistListAnswer.self, from: answer)
        if json { return try CommandOutput.print(JSONDocument.text(ofAnswer: answer)) }
        guard !list.artists.isEmpty else {
            return try CommandOutput.print("The list is empty. 'backline artists add NAME' adds an artist.")
        }
        try CommandOutput.print(columns: [
            TableColumn(title: "Rank", cells: list.artists.map { .init("\($0.rank)") }, isNumber: true),
            TableColumn(title: "Artist", cells: list.artists.map { .init(TextWidth.printable($0.name)) }, minimum: 10),
        ])
        try CommandOutput.print("\(list.artists.count) of \(list.capacity)")
    }
}
