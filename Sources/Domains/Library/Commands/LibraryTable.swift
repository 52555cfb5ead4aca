import CommandSupport
import Model

/// Tracks of the library as a table.
struct LibraryTable {
    let tracks: [LibraryTrackEntry]

    var columns: [TableColumn] {
        [
            TableColumn(title: "Title", cells: tracks.map { .init(TextWidth.printable($0.title)) }, minimum: 16),
            TableColumn(title: "Artist", cells: tracks.map { .init(TextWidth.printable($0.artist)) }, minimum: 12),
            TableColumn(
                title: "Album", cells: tracks.map { .init(TextWidth.printable($0.album)) }, minimum: 10, dropOrder: 3),
            TableColumn(
                title: "Length", cells: tracks.map { .init($0.durationMs.map(HumanTime.length) ?? "") }, dropOrder: 1,
                isNumber: true),
            TableColumn(
                title: "Services", cells: tracks.map { .init($0.sources.map(Self.name).joined(separator: ", ")) },
                dropOrder: 2),
            TableColumn(title: "Note", cells: tracks.map { .init(Self.note(on: $0), style: .yellow) }, minimum: 12),
        ]
    }

    /// `50 of 3400 tracks.`
    static func count(_ shown: Int, of total: Int) -> String {
        let noun = total == 1 ? "track" : "tracks"
        return shown < total ? "\(shown) of \(total) \(noun)." : "\(total) \(noun)."
    }

    /// A service's name; the API's own name for a service that this version does not know.
    static func name(_ source: String) -> String {
        MusicSource(rawValue: source)?.displayName ?? TextWidth.printable(source)
    }

    private static func note(on track: LibraryTrackEntry) -> String {
        if let since = track.missingSince { return "gone since \(HumanTime.text(rfc3339: since).prefix(10))" }
        return track.inLibrary ? "" : "in a playlist only"
    }
}
