import Model

/// Recognizes files of listens by their beginnings.
enum ListenFiles {
    typealias Opened = (LibraryFileKind, any LibraryFileReader)

    /// Whether a file of a ListenBrainz export has no listens: its user, their feedback or pinned recordings.
    static func isPassedOver(_ text: ArraySlice<UInt8>) -> Bool {
        let beginning = String(decoding: text.prefix(2_048), as: UTF8.self)
        guard !beginning.contains("\"track_metadata\"") else { return false }
        return beginning.contains("\"user_id\"") && beginning.contains("\"username\"")
            || beginning.contains("\"recording_msid\"")
    }

    /// - Parameter text: the beginning of the file, an object or an array.
    /// - Returns: `nil` for JSON of another kind.
    static func json(_ bytes: any ByteSource, _ text: ArraySlice<UInt8>) throws(LibraryFileError) -> Opened? {
        let beginning = String(decoding: text, as: UTF8.self)
        func has(_ names: String...) -> Bool { names.allSatisfy { beginning.contains("\"\($0)\"") } }
        if has("ts", "ms_played") {
            return (
                .spotifyHistory,
                try JSONRowsReader(try TextBytes(bytes)) { SpotifyHistoryRow($0)?.item(line: $1) }
            )
        }
        if has("endTime", "msPlayed") {
            return (
                .spotifyAccountData,
                try JSONRowsReader(try TextBytes(bytes)) { SpotifyAccountRow($0)?.item(line: $1) }
            )
        }
        if has("track_metadata") {
            return (.listenBrainz, try ListenBrainzReader(try TextBytes(bytes)))
        }
        if has("track"), has("#text") || has("uts") || has("recenttracks") {
            return (.lastfm, try LastfmReader(try TextBytes(bytes)))
        }
        return nil
    }

    /// - Parameter text: the beginning of the file.
    /// - Returns: `nil` for values of another kind.
    static func csv(_ bytes: any ByteSource, _ text: ArraySlice<UInt8>) throws(LibraryFileError) -> Opened? {
        let line = String(decoding: text.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        if line.contains("Event End Timestamp"), line.contains("Play Duration Milliseconds") {
            return (.appleMusicActivity, try PlayActivityReader(try TextBytes(bytes)))
        }
        let names = line.lowercased().split(separator: ",").map { $0.filter { $0 != "\"" && $0 != " " } }
        if names.contains("uts"), names.contains("track") || names.contains("artist") {
            return (.lastfm, try LastfmCSVReader(try TextBytes(bytes), hasHead: true))
        }
        if names.contains("listened_at"), names.contains("title") {
            return (.listens, try ListenCSVReader(try TextBytes(bytes)))
        }
        if LastfmCSVReader.isRow(line) {
            return (.lastfm, try LastfmCSVReader(try TextBytes(bytes), hasHead: false))
        }
        return nil
    }
}
