import ArgumentParser
import CommandSupport
import Foundation
import Model
import Platform
import Upstream

package struct ImportCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Imports a file of songs, playlists or listens into your library.",
        discussion: """
            Accepts the library that Apple's Music app exports (File, Library, Export Library), the exports of Spotify \
            (account data and extended history), Apple, Last.fm, ListenBrainz, Maloja and Koito, CSV, JSPF, XSPF, \
            Backline's own exports, and zip archives of these. The format is recognized by the file's content. \
            Importing a file again changes nothing. The import runs in Backline: once the file is sent, Ctrl-C only \
            stops the waiting.

            Examples:
              backline import Library.xml
              backline import playlist.csv --json | jq .counts

            Exit status: 0 the file was read; 1 it could not be read, or not completely; others as in \
            'backline --help'.
            """)

    /// The most rejected rows that are shown.
    private static let shownRows = 20

    @Argument(help: "The file.", completion: .file())
    var file: String

    @Flag(name: .long, help: "Prints the finished import as JSON, as the API returns it.")
    var json = false

    @OptionGroup(title: "The gateway") var gateway: GatewayOptions

    package init() {}

    package func run() async throws {
        let upload: FileBody
        do throws(FileBodyError) {
            upload = try FileBody(path: file)
        } catch {
            CommandOutput.complain(error.description)
            throw CommandExit.unusableInput
        }
        try await gateway.withClient { client in
            let name = (file as NSString).lastPathComponent
            let begun = try await client.upload(
                "/v1/library/imports?filename=\(String(name.suffix(100)).percentEncoded)", upload)
            let (status, answer) = try await client.followed(ImportStatus.self, from: begun, at: "/v1/library/imports")
            try show(status, answer)
        }
    }

    /// - Throws: the exit status, unless the file was read.
    private func show(_ status: ImportStatus, _ answer: Data) throws {
        if json {
            try CommandOutput.print(JSONDocument.text(ofAnswer: answer))
        } else {
            for row in status.skipped.prefix(Self.shownRows) {
                try CommandOutput.print("Line \(row.line): \(TextWidth.printable(row.reason))")
            }
            if status.counts.skipped > Self.shownRows {
                try CommandOutput.print(
                    "… and \(status.counts.skipped - Self.shownRows) more rows that were not imported.")
            }
            try CommandOutput.print(status.outcome)
        }
        guard status.state == "complete" else { throw ExitCode.failure }
    }
}

/// An import as the API shows it.
struct ImportStatus: FollowedResource {
    struct Counts: Decodable, Sendable {
        var read: Int
        var new: Int
        var joined: Int
        var skipped: Int
    }

    struct Row: Decodable, Sendable {
        var line: Int
        var reason: String
    }

    var id: String
    var state: String
    var counts: Counts
    var skipped: [Row]
    var error: String?

    var hasEnded: Bool { !["queued", "running"].contains(state) }

    var progressText: String {
        state == "queued" ? "Waiting for a sync-worker …" : "\(counts.read) rows read …"
    }

    /// The outcome of the import, as text for people.
    var outcome: String {
        let rows =
            "\(counts.read) rows: \(counts.new) new, \(counts.joined) that your library already had, "
            + "\(counts.skipped) skipped."
        guard state == "failed" else { return rows }
        return TextWidth.printable(error ?? "The file could not be read.") + (counts.read > 0 ? "\n\(rows)" : "")
    }
}
