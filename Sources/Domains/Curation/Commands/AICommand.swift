import ArgumentParser

package struct AICommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "ai", abstract: "Makes lists of songs for you.",
        discussion: """
            Example:
              backline ai playlist "rainy Sunday, nothing I heard this month"
            """, subcommands: [Playlist.self])

    package init() {}
}
