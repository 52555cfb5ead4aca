import ArgumentParser
import CommandSupport
import Foundation

package struct CalendarCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "calendar", abstract: "Shows your calendar of concerts, and makes its address.",
        discussion: """
            Example: backline calendar new

            Calendar programs subscribe to the address and show the concerts by your artists. Whoever has the address \
            sees them, so treat it like a password.
            """,
        subcommands: [Show.self, New.self, Off.self])

    package init() {}

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Shows whether it is on, and when a program last read it.",
            discussion: """
                Examples:
                  backline calendar show
                  backline calendar show --json | jq -r .places
                """)

        @Flag(name: .long, help: "Prints JSON in the API's format; null while it is off.")
        var json = false

        @OptionGroup(title: "The gateway") var gateway: GatewayOptions

        func run() async throws {
            try await gateway.withClient { client in
                let answer = try await client.get("/v1/me/calendar")
                if json {
                    return try CommandOutput.print(answer.isEmpty ? "null" : JSONDocument.text(ofAnswer: answer))
                }
                guard !answer.isEmpty else {
                    return try CommandOutput.print("The calendar is off. 'backline calendar new' switches it on.")
                }
                try CommandOutput.print(try client.decode(CalendarAnswer.self, from: answer).sentences)
            }
        }
    }

    struct New: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new", abstract: "Prints a new address. An earlier one stops working.",
            discussion: """
                Examples:
                  backline calendar new
                  backline calendar new --places anywhere
                """)

        enum Places: String, ExpressibleByArgument, CaseIterable { case home, anywhere }

        @Option(
            name: .long,
            help: "Which concerts it has: those in and around your home city, or all. By default as before.")
        var places: Places?

        @Flag(name: .long, help: "Prints JSON in the API's format.")
        var json = false

        @OptionGroup(title: "The gateway") var gateway: GatewayOptions

        func run() async throws {
            try await gateway.withClient { client in
                let body = try JSONEncoder().encode(places.map { ["places": $0.rawValue] } ?? [:])
                let answer = try await client.post("/v1/me/calendar", body: body)
                if json { return try CommandOutput.print(JSONDocument.text(ofAnswer: answer)) }
                try CommandOutput.print(try client.decode(CalendarAnswer.self, from: answer).url ?? "")
            }
        }
    }

    struct Off: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "off", abstract: "Switches it off. Its address stops working for good.",
            discussion: "Example: backline calendar off")

        @OptionGroup(title: "The gateway") var gateway: GatewayOptions

        func run() async throws {
            try await gateway.withClient { try await $0.delete("/v1/me/calendar") }
        }
    }
}

/// `GET` and `POST /v1/me/calendar`.
struct CalendarAnswer: Decodable, Equatable {
    var places: String
    var madeAt: String
    var lastReadAt: String?
    /// Only in the answer to `POST`.
    var url: String?

    var sentences: String {
        let shows = places == "home" ? "the concerts in and around your home city" : "the concerts everywhere"
        let read = lastReadAt.map { "A program last read it at \($0)." } ?? "No program has read it yet."
        return "The calendar has \(shows). Its address was made at \(madeAt). \(read)"
    }
}
