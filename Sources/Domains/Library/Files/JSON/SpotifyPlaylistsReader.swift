import Foundation
import Model

/// Reads the playlists of Spotify's account data (`Playlist1.json`). Episodes, audiobooks and files on the person's
/// device are entries that cannot be played, and count with their playlist (``FilePlaylist/otherRows``). Holds one
/// playlist, which takes 40 MiB.
final class SpotifyPlaylistsReader: LibraryFileReader {
    private enum Position {
        case file
        case playlists(isFirst: Bool)
        case playlist(isFirst: Bool)
        case entries(isFirst: Bool)
        case end
    }

    private static let largestEntry = 1 << 18

    private let scanner: JSONScanner
    private var isFirstMember = true
    private var position = Position.file
    private var playlist = FilePlaylist(key: "", name: "")
    private var hasEntries = false
    private var titleBytes = 0
    /// Counted across all playlists.
    private var line = 0

    init(_ bytes: TextBytes) throws(LibraryFileError) {
        scanner = JSONScanner(bytes)
        try scanner.consume("{")
    }

    func next() throws(LibraryFileError) -> LibraryFileItem? {
        while true {
            switch position {
            case .file: if let refusal = try findPlaylists() { return .skipped(line: line + 1, reason: refusal) }
            case .playlists(let isFirst):
                guard try scanner.advance(isFirst: isFirst, until: "]") else {
                    position = .file
                    continue
                }
                guard try scanner.peek() == UInt8(ascii: "{") else {
                    try scanner.skipValue()
                    position = .playlists(isFirst: false)
                    line += 1
                    return .skipped(line: line, reason: "it is not a playlist")
                }
                try scanner.consume("{")
                (playlist, hasEntries, titleBytes) = (FilePlaylist(key: "", name: ""), false, 0)
                position = .playlist(isFirst: true)
            case .playlist(let isFirst):
                guard try scanner.advance(isFirst: isFirst, until: "}") else {
                    position = .playlists(isFirst: false)
                    guard !hasEntries else { return .playlist(playlist) }
                    line += 1
                    return .skipped(line: line, reason: "the playlist “\(playlist.name)” has no list of songs")
                }
                try readMember()
            case .entries(let isFirst):
                guard try scanner.advance(isFirst: isFirst, until: "]") else {
                    position = .playlist(isFirst: false)
                    continue
                }
                position = .entries(isFirst: false)
                line += 1
                if let item = entry(try scanner.value(limit: Self.largestEntry)) { return item }
            case .end: return nil
            }
        }
    }

    /// - Returns: why text after the end of the file's object is not read.
    private func findPlaylists() throws(LibraryFileError) -> String? {
        guard try scanner.advance(isFirst: isFirstMember, until: "}") else {
            position = .end
            return try scanner.refusalOfRest()
        }
        isFirstMember = false
        guard try scanner.name() == "playlists", try scanner.peek() == UInt8(ascii: "[") else {
            try scanner.skipValue()
            return nil
        }
        try scanner.consume("[")
        position = .playlists(isFirst: true)
        return nil
    }

    private func readMember() throws(LibraryFileError) {
        position = .playlist(isFirst: false)
        switch (try scanner.name(), try scanner.peek()) {
        // Older files list their songs in `tracks`.
        case ("items", UInt8(ascii: "[")), ("tracks", UInt8(ascii: "[")):
            try scanner.consume("[")
            hasEntries = true
            position = .entries(isFirst: true)
        case ("name", _): playlist.name = FileValues.name(try scanner.value(limit: Self.largestEntry)?.plainText ?? "")
        case ("description", _):
            playlist.description = try scanner.value(limit: Self.largestEntry)?.plainText
                .flatMap { $0.isEmpty ? nil : FileValues.description($0) }
        default: try scanner.skipValue()
        }
    }

    /// - Returns: `nil` for an entry that is known not to be a song.
    private func entry(_ json: JSONValue?) -> LibraryFileItem? {
        guard playlist.hasRoom, titleBytes <= FilePlaylist.mostTitleBytes else {
            return .skipped(line: line, reason: FilePlaylist.isFull)
        }
        guard let json, json.members != nil else {
            add(nil, .unavailable, nil)
            return .skipped(line: line, reason: "the element is not an entry of a playlist")
        }
        let addedAt = json["addedDate"]?.plainText.flatMap { day in
            FileValues.moment(rfc3339: day) ?? FileValues.moment(rfc3339: "\(day)T00:00:00Z")
        }
        func text(_ member: String, _ names: String...) -> String? {
            names.lazy.compactMap { json[member]?[$0]?.plainText?.trimmed }.first
        }
        func addOther(_ title: String?, _ kind: FilePlaylist.Entry.Kind) {
            add(title, kind, addedAt)
            playlist.otherRows += 1
        }
        if let title = text("episode", "episodeName", "name") {
            addOther(title, .episode)
            return nil
        }
        if let uri = text("localTrack", "uri") {
            addOther(Self.title(ofLocal: uri), .local)
            return nil
        }
        if let title = text("localTrack", "trackName", "name") {
            addOther(title, .local)
            return nil
        }
        if let title = text("audiobook", "audiobookName", "chapterTitle", "name") {
            addOther(title, .unavailable)
            return nil
        }
        let song = json["track"]?.members == nil ? json : json["track"]
        var track = SourceTrack(
            sourceID: "", title: song?["trackName"]?.plainText ?? "", artist: song?["artistName"]?.plainText ?? "",
            album: song?["albumName"]?.plainText ?? "")
        track.addedAt = addedAt
        track.clean()
        track.sourceID = SongKey.key(of: track, uri: song?["trackUri"]?.plainText)
        if let refusal = track.refusal(isOwn: false) {
            add(track.title, .unavailable, addedAt)
            // Spotify writes such rows for songs that it no longer has.
            let isEmpty = (track.title + track.artist).isEmpty
            return .skipped(line: line, reason: isEmpty ? "the entry names no song" : refusal)
        }
        playlist.entries.append(.init(key: track.sourceID, addedAt: addedAt))
        return .track(FileTrack(track, isSaved: false), line: line)
    }

    private func add(_ title: String?, _ kind: FilePlaylist.Entry.Kind, _ addedAt: Timestamp?) {
        let title = title.map(FileValues.name).flatMap { $0.isEmpty ? nil : $0 }
        titleBytes += title?.utf8.count ?? 0
        playlist.entries.append(.init(key: nil, title: title, addedAt: addedAt, kind: kind))
    }

    /// The title in `spotify:local:ARTIST:ALBUM:TITLE:SECONDS`, which is encoded as in a web form.
    private static func title(ofLocal uri: String) -> String? {
        let parts = uri.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 6 else { return nil }
        let text = parts[parts.count - 2].replacing("+", with: " ")
        return text.removingPercentEncoding ?? String(text)
    }
}
