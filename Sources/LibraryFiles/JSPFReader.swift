import Model

/// Reads a playlist in JSPF, the JSON of XSPF (xspf.org): `{"playlist": {"title", "track": […]}}`. It holds the keys of
/// the entries: 15 MiB.
final class JSPFReader: LibraryFileReader {
    private static let largestSong = 1 << 18

    private let scanner: JSONScanner
    private var playlist = FilePlaylist(key: "", name: "")
    /// How many songs were read of the list that is open; `nil` outside of it.
    private var number: Int?
    private var isFirstMember = true
    private var isAtEnd = false

    init(_ bytes: TextBytes) throws(LibraryFileError) {
        scanner = JSONScanner(bytes)
        try scanner.take("{")
        var isFirst = true
        while try scanner.advance(isFirst: isFirst, until: "}") {
            isFirst = false
            if try scanner.name() == "playlist" {
                try scanner.take("{")
                return
            }
            try scanner.skipValue()
        }
        throw JSONScanner.damaged
    }

    func next() throws(LibraryFileError) -> LibraryFileItem? {
        while !isAtEnd {
            if let number {
                guard try scanner.advance(isFirst: number == 0, until: "]") else {
                    self.number = nil
                    continue
                }
                self.number = number + 1
                return song(try scanner.value(limit: Self.largestSong), line: number + 1)
            }
            guard try scanner.advance(isFirst: isFirstMember, until: "}") else {
                isAtEnd = true
                return .playlist(playlist)
            }
            isFirstMember = false
            try readMember()
        }
        return nil
    }

    private func readMember() throws(LibraryFileError) {
        let name = try scanner.name()
        if name == "track", try scanner.peek() == 0x5B {
            try scanner.take("[")
            number = 0
            return
        }
        guard ["title", "annotation", "identifier"].contains(name) else { return try scanner.skipValue() }
        let text = try scanner.value(limit: Self.largestSong)?.text
        switch name {
        case "title": playlist.name = text.map(FileValues.name) ?? ""
        case "annotation": playlist.description = text.map(FileValues.description)
        default: playlist.key = text.map(FilePlaylist.key) ?? ""
        }
    }

    private func song(_ json: JSONValue?, line: Int) -> LibraryFileItem {
        guard playlist.hasRoom else { return .skipped(line: line, reason: FilePlaylist.isFull) }
        guard let document = json.flatMap({ JSPFSong($0) }) else {
            playlist.entries.append(.init(key: nil))
            return .skipped(line: line, reason: "the element is not a song, or a value has the wrong type")
        }
        guard let track = document.track else {
            playlist.entries.append(.init(key: nil))
            return .skipped(line: line, reason: "the song has no title")
        }
        playlist.entries.append(.init(key: track.sourceID, addedAt: document.addedAt))
        return .track(FileTrack(track, isSaved: false), line: line)
    }
}

/// A song of a JSPF playlist. XSPF has no members for codes and dates: they are in Backline's extension.
struct JSPFSong: Encodable {
    /// The member of `extension` with what XSPF has no members for.
    static let namespace = "urn:backline:track"

    struct Extension: Encodable {
        var isrc: String?
        var addedAt: String?
        var albumArtist: String?
        var explicit: Bool?
        var discNumber: Int?
        var releaseDate: String?
        var genres: [String]?
        var composer: String?
    }

    var identifier: [String]?
    var title: String?
    var creator: String?
    var album: String?
    /// Milliseconds.
    var duration: Int?
    var trackNum: Int?
    var image: String?
    var `extension`: [String: Extension]?

    init(_ track: SourceTrack, addedAt: Timestamp?) {
        identifier = SongKey.normalized(track.sourceID).map { [$0] }
        (title, creator, album) = (track.title, track.artist, track.album.isEmpty ? nil : track.album)
        (duration, trackNum, image) = (track.durationMs, track.trackNumber, track.artworkURL)
        `extension` = [
            Self.namespace: Extension(
                isrc: track.isrc, addedAt: addedAt?.description, albumArtist: track.albumArtist,
                explicit: track.isExplicit, discNumber: track.discNumber, releaseDate: track.releaseDate?.text,
                genres: track.genres.isEmpty ? nil : track.genres, composer: track.composer)
        ]
    }

    /// - Returns: `nil` for a value that is no song, or whose names have another type.
    init?(_ value: JSONValue) {
        guard var song = JSONMembers(value), let members = value.members else { return nil }
        (title, creator, album) = (song.text("title"), song.text("creator"), song.text("album"))
        if song.isDamaged { return nil }
        // One text, or a list of them.
        identifier = members["identifier"].map { ($0.elements ?? [$0]).compactMap(\.text) }
        duration = members["duration"]?.number
        trackNum = members["trackNum"]?.number
        image = members["image"]?.text
        // Extensions of other programs have other members.
        let own = members["extension"]?.members?[Self.namespace].flatMap { Extension($0) }
        `extension` = own.map { [Self.namespace: $0] }
    }

    private var own: Extension? { `extension`?[Self.namespace] }

    var addedAt: Timestamp? { own?.addedAt.flatMap { FileValues.moment(rfc3339: $0) } }

    /// - Returns: `nil` for a song without a title.
    var track: SourceTrack? {
        guard let title, !title.isEmpty else { return nil }
        var track = SourceTrack(sourceID: "", title: title, artist: creator ?? "", album: album ?? "")
        track.durationMs = duration
        track.trackNumber = trackNum
        track.artworkURL = image
        track.isrc = own?.isrc.flatMap(ISRC.normalized)
        track.albumArtist = own?.albumArtist
        track.isExplicit = own?.explicit
        track.discNumber = own?.discNumber
        track.releaseDate = own?.releaseDate.flatMap { ReleaseDate($0) }
        track.genres = own?.genres ?? []
        track.composer = own?.composer
        track.clean()
        track.sourceID = SongKey.key(of: track, uri: identifier?.lazy.compactMap(SongKey.normalized).first)
        return track
    }
}

extension JSPFSong.Extension {
    /// - Returns: `nil` for a value that is none, or has a member of another type.
    fileprivate init?(_ value: JSONValue) {
        guard var song = JSONMembers(value) else { return nil }
        (isrc, addedAt, albumArtist) = (song.text("isrc"), song.text("addedAt"), song.text("albumArtist"))
        explicit = song.flag("explicit")
        discNumber = song.number("discNumber", in: FileValues.numbers)
        (releaseDate, genres, composer) = (song.text("releaseDate"), song.texts("genres"), song.text("composer"))
        if song.isDamaged { return nil }
    }
}
