import Model

/// Reads Backline's JSON: `{"backline": 1, "tracks": […], "playlists": […]}`, or just an array of songs.
///
/// Holds the ids and keys of at most 500,000 songs, which take 120 MiB, and one playlist, which takes 40 MiB.
final class BacklineReader: LibraryFileReader {
    private enum Position {
        case object(isFirst: Bool)
        case tracks(number: Int)
        case playlists(number: Int)
        case end
    }

    /// In bytes. A larger song counts as damaged.
    private static let largestSong = 1 << 18

    private var scanner: JSONScanner
    private let again: () throws(LibraryFileError) -> TextBytes
    /// Whether playlists came before the songs that they name, as in files of programs that sort names. They are read
    /// on a second pass over the file.
    private var hasEarlyPlaylists = false
    private var isSecondTime = false
    private var hasTracks = false
    /// Whether the file says that Backline wrote it. Its songs may then have no names.
    private let isOwn: Bool
    private var position: Position
    private let isArray: Bool
    /// The keys of songs by the ids that the file gives them.
    private var keys: [String: String] = [:]

    /// - Parameters:
    ///   - isOwn: whether the file says that Backline wrote it.
    ///   - again: opens the file from its beginning again.
    init(
        _ bytes: TextBytes, isOwn: Bool, again: @escaping () throws(LibraryFileError) -> TextBytes
    ) throws(LibraryFileError) {
        (self.isOwn, self.again) = (isOwn, again)
        scanner = JSONScanner(bytes)
        isArray = try scanner.peek() == 0x5B
        try scanner.consume(isArray ? "[" : "{")
        position = isArray ? .tracks(number: 0) : .object(isFirst: true)
    }

    func next() throws(LibraryFileError) -> LibraryFileItem? {
        while true {
            switch position {
            case .object(let isFirst): try readMember(isFirst: isFirst)
            case .tracks(let number):
                guard try scanner.advance(isFirst: number == 0, until: "]") else {
                    position = isArray ? .end : .object(isFirst: false)
                    continue
                }
                position = .tracks(number: number + 1)
                if isSecondTime {
                    try scanner.skipValue()
                } else {
                    return song(try scanner.value(limit: Self.largestSong), line: number + 1)
                }
            case .playlists(let number):
                guard try scanner.advance(isFirst: number == 0, until: "]") else {
                    position = .object(isFirst: false)
                    continue
                }
                position = .playlists(number: number + 1)
                if hasTracks { return try playlist(number + 1) }
                try scanner.skipValue()
                hasEarlyPlaylists = true
            case .end: return try scanner.refusalOfRest().map { .skipped(line: 1, reason: $0) }
            }
        }
    }

    private func readMember(isFirst: Bool) throws(LibraryFileError) {
        guard try scanner.advance(isFirst: isFirst, until: "}") else {
            try end()
            return
        }
        let name = try scanner.name()
        switch (name, try scanner.peek()) {
        case ("tracks", 0x5B):
            try scanner.consume("[")
            hasTracks = true
            position = .tracks(number: 0)
        case ("playlists", 0x5B):
            try scanner.consume("[")
            position = .playlists(number: 0)
        default:
            try scanner.skipValue()
            position = .object(isFirst: false)
        }
    }

    private func song(_ json: JSONValue?, line: Int) -> LibraryFileItem {
        guard let document = json.flatMap({ SongDocument($0) }) else {
            return .skipped(line: line, reason: "the element is not a song, or a value has the wrong type")
        }
        if !isOwn, let refusal = CSVRowKind.refusal(of: json?["type"]?.plainText ?? json?["kind"]?.plainText) {
            return .skipped(line: line, reason: refusal)
        }
        let track = document.track
        if let refusal = track.track.refusal(isOwn: isOwn) { return .skipped(line: line, reason: refusal) }
        if let id = document.id, id != track.track.sourceID {
            let id = SongKey.id(id)
            guard keys[id] != nil || keys.count < FileValues.mostSongs else {
                return .skipped(line: line, reason: FileValues.hasTooManySongs)
            }
            keys[id] = track.track.sourceID
        }
        return .track(track, line: line)
    }

    /// Ends the object, or starts over at the beginning of the file.
    private func end() throws(LibraryFileError) {
        guard hasEarlyPlaylists, !isSecondTime else {
            position = .end
            return
        }
        (isSecondTime, hasTracks) = (true, true)
        scanner = JSONScanner(try again())
        try scanner.consume("{")
        position = .object(isFirst: true)
    }

    // MARK: Playlists

    private func playlist(_ number: Int) throws(LibraryFileError) -> LibraryFileItem {
        var playlist = FilePlaylist(key: "", name: "")
        var (isWhole, hasRoom, hasEntries) = (true, true, false)
        guard try scanner.peek() == UInt8(ascii: "{") else {
            try scanner.skipValue()
            return damaged(number)
        }
        try scanner.consume("{")
        var isFirst = true
        while try scanner.advance(isFirst: isFirst, until: "}") {
            isFirst = false
            let name = try scanner.name()
            let isList = try scanner.peek() == UInt8(ascii: "[")
            switch name {
            case "entries" where isList:
                (isWhole, hasRoom) = try readEntries(of: &playlist, isWhole)
                hasEntries = true
            case "id", "name", "description", "entries":
                let value = try scanner.value(limit: Self.largestSong)
                switch (name, value?.plainText) {
                case _ where value?.isEmpty == true: break
                case ("id", let text?): playlist.key = FilePlaylist.key(text)
                case ("name", let text?): playlist.name = FileValues.name(text)
                case ("description", let text?): playlist.description = FileValues.description(text)
                default: isWhole = false
                }
            default: try scanner.skipValue()
            }
        }
        guard isWhole else { return damaged(number) }
        guard hasEntries || isOwn else {
            return .skipped(line: number, reason: "playlist \(number) of the file has no list of songs")
        }
        guard hasRoom else { return .skipped(line: number, reason: "playlist \(number): \(FilePlaylist.isFull)") }
        return .playlist(playlist)
    }

    private func damaged(_ number: Int) -> LibraryFileItem {
        .skipped(
            line: number, reason: "playlist \(number) of the file is not a playlist, or a value has the wrong type")
    }

    /// - Returns: whether every element is an entry, and whether there was room for all of them.
    private func readEntries(
        of playlist: inout FilePlaylist, _ isWhole: Bool
    ) throws(LibraryFileError) -> (isWhole: Bool, hasRoom: Bool) {
        var (isFirst, isWhole, titleBytes) = (true, isWhole, 0)
        (playlist.entries, playlist.otherRows) = ([], 0)
        try scanner.consume("[")
        while try scanner.advance(isFirst: isFirst, until: "]") {
            isFirst = false
            guard isWhole, titleBytes <= FilePlaylist.mostTitleBytes, playlist.entries.count <= FilePlaylist.mostEntries
            else {
                try scanner.skipValue()
                continue
            }
            guard let entry = try scanner.value(limit: Self.largestSong).flatMap({ PlaylistDocument.Entry($0) }) else {
                isWhole = false
                continue
            }
            let title = entry.title.map(FileValues.name)
            titleBytes += title?.utf8.count ?? 0
            let key = entry.track.flatMap { keys[SongKey.id($0)] ?? SongKey.ofFile($0) }
            // Songs are rows of `tracks`; anything else is only here.
            if key == nil { playlist.otherRows += 1 }
            playlist.entries.append(
                FilePlaylist.Entry(
                    key: key, title: title, addedAt: entry.addedAt.flatMap { FileValues.moment(rfc3339: $0) },
                    kind: key == nil ? entry.kind.flatMap { FilePlaylist.Entry.Kind(rawValue: $0) } : nil))
        }
        return (
            isWhole, titleBytes <= FilePlaylist.mostTitleBytes && playlist.entries.count <= FilePlaylist.mostEntries
        )
    }
}
