import ArgumentParser

struct AICommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ai", abstract: "Makes lists of songs for you.",
        discussion: """
            Example:
              backline ai playlist "rainy Sunday, nothing I heard this month"
            """, subcommands: [Playlist.self])
}
