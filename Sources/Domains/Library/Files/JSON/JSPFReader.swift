import Model

/// Reads playlists in JSPF, the JSON form of XSPF (xspf.org): `{"playlist": {"title", "track": […]}}`, and lists of
/// these, as ListenBrainz returns them. Holds the keys and titles of one playlist's entries, which take 40 MiB.
final class JSPFReader: LibraryFileReader {
    private static let largestSong = 1 << 18

    private enum Position {
        /// A list of objects with a playlist in each; it may be the file itself.
        case lists(isFirst: Bool)
        /// An object that has a playlist or a list of playlists: the file itself, or an element of a list.
        case object(isFirst: Bool)
        case playlist(isFirst: Bool)
        case songs(number: Int)
        case end
    }

    private let scanner: JSONScanner
    /// The objects and lists that are open around the current one, the outermost first.
    private var around: [Position] = []
    private var position: Position
    private var playlist = FilePlaylist(key: "", name: "")
    private var hasSongs = false
    private var titleBytes = 0
    /// Counted across all playlists.
    private var line = 0

    init(_ bytes: TextBytes) throws(LibraryFileError) {
        scanner = JSONScanner(bytes)
        position = .end
        try begin()
    }

    func next() throws(LibraryFileError) -> LibraryFileItem? {
        while true {
            switch position {
            case .lists(let isFirst):
                guard try scanner.advance(isFirst: isFirst, until: "]") else {
                    close()
                    continue
                }
                position = .lists(isFirst: false)
                guard try open("{", .object(isFirst: true)) else {
                    line += 1
                    return .skipped(line: line, reason: "the element is not a playlist")
                }
            case .object(let isFirst):
                guard try scanner.advance(isFirst: isFirst, until: "}") else {
                    close()
                    continue
                }
                position = .object(isFirst: false)
                switch try scanner.name() {
                case "playlist":
                    (playlist, hasSongs, titleBytes) = (FilePlaylist(key: "", name: ""), false, 0)
                    guard try open("{", .playlist(isFirst: true)) else {
                        line += 1
                        return .skipped(line: line, reason: "the element is not a playlist")
                    }
                // A list within another list of playlists is ignored.
                case "playlists" where around.isEmpty: _ = try open("[", .lists(isFirst: true))
                default: try scanner.skipValue()
                }
            case .playlist(let isFirst):
                guard try scanner.advance(isFirst: isFirst, until: "}") else {
                    // A list of playlists comes without their songs.
                    let isListed = around.count > 1 && playlist.entries.isEmpty
                    close()
                    if hasSongs, !isListed { return .playlist(playlist) }
                    line += 1
                    return .skipped(line: line, reason: "the file has no songs for the playlist “\(playlist.name)”")
                }
                position = .playlist(isFirst: false)
                if let item = try readMember() { return item }
            case .songs(let number):
                guard try scanner.advance(isFirst: number == 0, until: "]") else {
                    close()
                    continue
                }
                position = .songs(number: number + 1)
                line += 1
                if let item = song(try scanner.value(limit: Self.largestSong), line: line) { return item }
            case .end:
                // Programs write one playlist after another.
                guard let next = try scanner.peek() else { return nil }
                guard next == UInt8(ascii: "[") || next == UInt8(ascii: "{") else {
                    return try scanner.refusalOfRest().map { .skipped(line: line + 1, reason: $0) }
                }
                try begin()
            }
        }
    }

    private func begin() throws(LibraryFileError) {
        let isList = try scanner.peek() == UInt8(ascii: "[")
        try scanner.consume(isList ? "[" : "{")
        position = isList ? .lists(isFirst: true) : .object(isFirst: true)
    }

    private func close() { position = around.popLast() ?? .end }

    /// Opens the next value if it begins with the bracket; otherwise skips it.
    private func open(_ bracket: Unicode.Scalar, _ inner: Position) throws(LibraryFileError) -> Bool {
        guard try scanner.peek() == UInt8(ascii: bracket) else {
            try scanner.skipValue()
            return false
        }
        try scanner.consume(bracket)
        around.append(position)
        position = inner
        return true
    }

    /// - Returns: the song, if a converter from XML wrote a list of one song as just the song.
    private func readMember() throws(LibraryFileError) -> LibraryFileItem? {
        let name = try scanner.name()
        if name == "track" {
            if try scanner.peek() == UInt8(ascii: "{") {
                hasSongs = true
                line += 1
                return song(try scanner.value(limit: Self.largestSong), line: line)
            }
            hasSongs = try open("[", .songs(number: 0)) || hasSongs
            return nil
        }
        guard ["title", "annotation", "identifier"].contains(name) else {
            try scanner.skipValue()
            return nil
        }
        let text = try scanner.value(limit: Self.largestSong)?.plainText
        switch name {
        case "title": playlist.name = text.map(FileValues.name) ?? ""
        case "annotation": playlist.description = text.map(FileValues.description)
        default: playlist.key = text.map(FilePlaylist.key) ?? ""
        }
        return nil
    }

    /// - Returns: `nil` for an entry of Backline's that is not a song; it counts with its playlist.
    private func song(_ json: JSONValue?, line: Int) -> LibraryFileItem? {
        guard playlist.hasRoom, titleBytes <= FilePlaylist.mostTitleBytes else {
            return .skipped(line: line, reason: FilePlaylist.isFull)
        }
        guard let document = json.flatMap({ JSPFSong($0) }) else {
            playlist.entries.append(.init(key: nil))
            return .skipped(line: line, reason: "the element is not a song, or a value has the wrong type")
        }
        let track = document.track
        func addWithoutSong(_ kind: FilePlaylist.Entry.Kind) {
            titleBytes += track.title.utf8.count
            let title = track.title.isEmpty ? nil : track.title
            playlist.entries.append(.init(key: nil, title: title, addedAt: document.addedAt, kind: kind))
        }
        if let kind = document.kind {
            addWithoutSong(kind)
            playlist.otherRows += 1
            return nil
        }
        if let refusal = track.refusal(isOwn: document.isOwn) {
            addWithoutSong(.unavailable)
            return .skipped(line: line, reason: refusal)
        }
        playlist.entries.append(.init(key: track.sourceID, addedAt: document.addedAt))
        return .track(FileTrack(track, isSaved: false), line: line)
    }
}

/// A song of a JSPF playlist. XSPF has no members for ISRCs and dates: these are in Backline's own extension and in
/// MusicBrainz' (musicbrainz.org/doc/jspf).
struct JSPFSong: Encodable {
    /// The member of `extension` with the values that XSPF has no members for.
    static let namespace = "urn:backline:track"
    private static let musicBrainzNamespace = "https://musicbrainz.org/doc/jspf#track"

    struct Extension: Encodable {
        var isrc: String?
        var addedAt: String?
        var albumArtist: String?
        var explicit: Bool?
        var discNumber: Int?
        var releaseDate: String?
        var genres: [String]?
        var composer: String?
        /// What an entry is that is not a song.
        var kind: String?
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
    /// When the song was added, according to MusicBrainz' extension.
    private var musicBrainzAddedAt: String?

    enum CodingKeys: CodingKey {
        case identifier, title, creator, album, duration, trackNum, image, `extension`
    }

    /// Creates an entry that is not a song.
    init(_ entry: FilePlaylist.Entry) {
        title = entry.title
        `extension` = [Self.namespace: Extension(addedAt: entry.addedAt?.description, kind: entry.kind.rawValue)]
    }

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

    /// - Returns: `nil` for a value that is not a song, or whose names have the wrong type.
    init?(_ value: JSONValue) {
        guard var song = JSONMembers(value), let members = value.members else { return nil }
        (title, creator, album) = (song.text("title"), song.text("creator"), song.text("album"))
        if song.isDamaged { return nil }
        duration = members["duration"]?.plainNumber
        trackNum = members["trackNum"]?.plainNumber
        image = members["image"]?.plainText
        let extensions = members["extension"]?.plainMembers ?? [:]
        let own = extensions[Self.namespace].flatMap { Extension($0) }
        `extension` = own.map { [Self.namespace: $0] }
        // The extension is an object, or a list of them (xspf.org/jspf).
        let musicBrainz = extensions[Self.musicBrainzNamespace]
        musicBrainzAddedAt = musicBrainz?["added_at"]?.plainText
        let addresses = [members["identifier"], members["location"], musicBrainz?["recording_identifier"]]
        identifier = addresses.compactMap { $0 }.flatMap { $0.plainElements.compactMap(\.plainText) }
    }

    private var own: Extension? { `extension`?[Self.namespace] }

    /// Whether Backline wrote the song, which then may have no names.
    var isOwn: Bool { own != nil }

    var kind: FilePlaylist.Entry.Kind? { own?.kind.flatMap { FilePlaylist.Entry.Kind(rawValue: $0) } }

    var addedAt: Timestamp? {
        (own?.addedAt ?? musicBrainzAddedAt).flatMap { FileValues.moment(rfc3339: $0) ?? TimestampText($0)?.moment }
    }

    var track: SourceTrack {
        var track = SourceTrack(sourceID: "", title: title ?? "", artist: creator ?? "", album: album ?? "")
        track.addedAt = addedAt
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
    /// - Returns: `nil` for a value that is not an object, or has a member of the wrong type.
    fileprivate init?(_ value: JSONValue) {
        guard var song = JSONMembers(value) else { return nil }
        (isrc, addedAt, albumArtist) = (song.text("isrc"), song.text("addedAt"), song.text("albumArtist"))
        explicit = song.flag("explicit")
        discNumber = song.number("discNumber", in: FileValues.numbers)
        (releaseDate, genres, composer) = (song.text("releaseDate"), song.texts("genres"), song.text("composer"))
        kind = song.text("kind")
        if song.isDamaged { return nil }
    }
}
