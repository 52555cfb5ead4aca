import Model

/// Which column of a file has which fact. Columns are found by their heads, whatever their order.
struct CSVColumns {
    enum Fact: String, CaseIterable {
        case title = "Title"
        case artist = "Artist"
        case album = "Album"
        case albumArtist = "Album artist"
        case composer = "Composer"
        case genres = "Genres"
        case duration = "Duration (ms)"
        case isrc = "ISRC"
        case explicit = "Explicit"
        case disc = "Disc"
        case track = "Track"
        case released = "Released"
        case added = "Added"
        case plays = "Plays"
        case lastPlayed = "Last played"
        case rating = "Rating"
        case artwork = "Artwork"
        case uri = "URI"
        case playlist = "Playlist"
        case playlistID = "Playlist ID"

        /// Its heads, in small letters and digits alone.
        fileprivate static let heads = Dictionary(uniqueKeysWithValues: allCases.map { ($0, Set($0.names)) })

        private var names: [String] { othersNames + [Self.normalized(rawValue)] }

        /// The heads that other programs write.
        private var othersNames: [String] {
            switch self {
            case .title: ["trackname", "name", "song", "songname", "tracktitle"]
            case .artist: ["artistname", "artistnames", "artists"]
            case .album: ["albumname", "albumtitle"]
            case .albumArtist: ["albumartistname", "albumartistnames"]
            case .genres: ["genre", "artistgenres"]
            case .duration: ["durationms", "trackdurationms", "duration", "length"]
            case .disc: ["discnumber"]
            case .track: ["tracknumber"]
            case .released: ["releasedate", "albumreleasedate", "year"]
            case .added: ["addedat", "dateadded", "addeddate"]
            case .plays: ["playcount"]
            case .lastPlayed: ["lastplayedat"]
            case .uri: ["spotifyuri", "trackuri", "spotifytrackuri", "spotifyid", "url", "spotifyurl"]
            case .playlist: ["playlistname"]
            case .composer, .isrc, .explicit, .rating, .artwork, .playlistID: []
            }
        }

        fileprivate static func normalized(_ head: String) -> String {
            // No known head is as long.
            head.prefix(100).lowercased().filter { $0.isLetter || $0.isNumber }
        }
    }

    private var places: [Fact: Int] = [:]
    /// Whether durations are in milliseconds, as the head says.
    private let isInMilliseconds: Bool
    /// Whether the file is one of Exportify's, which has the songs of one playlist and no column with its name.
    let isOfExportify: Bool

    init(_ heads: [String]) throws(LibraryFileError) {
        let normalized = heads.map(Fact.normalized)
        for fact in Fact.allCases {
            places[fact] = normalized.firstIndex { Fact.heads[fact]?.contains($0) == true }
        }
        isOfExportify =
            places[.playlist] == nil
            && ["trackname", "artistnames", "addedby", "addedat"].allSatisfy(normalized.contains)
        isInMilliseconds = places[.duration].map { normalized[$0].hasSuffix("ms") } ?? false
        // Exportify has a column "Track Number" and none for the title but "Track Name"; others call the title "Track".
        if places[.title] == nil, let place = normalized.firstIndex(of: "track") {
            (places[.title], places[.track]) = (place, nil)
        }
        guard places[.title] != nil else {
            throw LibraryFileError(
                "The first line names no column with titles (Title, Track name). Export the file with column names.")
        }
    }

    /// A row's song, and the name and the key of the playlist that it belongs to.
    ///
    /// - Returns: `nil` for a row without a title.
    func row(_ fields: [String]) -> (track: SourceTrack, playlist: String?, playlistKey: String?)? {
        func text(_ fact: Fact) -> String? {
            guard let place = places[fact], place < fields.count, !fields[place].isEmpty else { return nil }
            return fields[place]
        }
        func number(_ fact: Fact, in range: ClosedRange<Int>) -> Int? {
            text(fact).flatMap { Int(decimal: $0, in: range) }
        }
        func moment(_ fact: Fact) -> Timestamp? { text(fact).flatMap { FileValues.moment(rfc3339: $0) } }
        guard let title = text(.title) else { return nil }
        var track = SourceTrack(
            sourceID: "", title: title, artist: text(.artist) ?? "", album: text(.album) ?? "")
        track.albumArtist = text(.albumArtist)
        track.composer = text(.composer)
        track.genres = text(.genres).map(ListText.elements) ?? []
        track.durationMs = text(.duration).flatMap(duration)
        track.isrc = text(.isrc).flatMap(ISRC.normalized)
        track.isExplicit = text(.explicit).flatMap {
            ["true": true, "1": true, "false": false, "0": false][$0.lowercased()]
        }
        track.discNumber = number(.disc, in: FileValues.numbers)
        track.trackNumber = number(.track, in: FileValues.numbers)
        track.releaseDate = text(.released).flatMap { ReleaseDate($0) }
        track.addedAt = moment(.added) ?? text(.added).flatMap { FileValues.moment(rfc3339: "\($0)T00:00:00Z") }
        track.playCount = number(.plays, in: FileValues.plays)
        track.lastPlayedAt = moment(.lastPlayed)
        track.rating = number(.rating, in: FileValues.ratings)
        track.artworkURL = text(.artwork)
        track.clean()
        track.sourceID = SongKey.key(of: track, uri: text(.uri))
        return (track, text(.playlist), text(.playlistID))
    }

    /// Milliseconds. Without a unit in the head, a number is in seconds, and `3:45` minutes and seconds.
    private func duration(_ text: String) -> Int? {
        if isInMilliseconds, let number = Int(decimal: text, in: FileValues.milliseconds) { return number }
        if let number = Int(decimal: text, in: 1...604_800) { return isInMilliseconds ? nil : number * 1_000 }
        let texts = text.split(separator: ":", maxSplits: 3)
        let parts = texts.compactMap { Int(decimal: $0, in: 0...99_999) }
        guard (2...3).contains(parts.count), parts.count == texts.count else { return nil }
        return FileValues.milliseconds(ofSeconds: parts.reduce(0) { $0 * 60 + $1 })
    }
}

/// Several texts in one field, with semicolons between them. A backslash stands before a semicolon or backslash of a
/// text.
enum ListText {
    static func text(_ elements: [String]) -> String {
        elements.map { $0.replacing("\\", with: "\\\\").replacing(";", with: "\\;") }.joined(separator: ";")
    }

    static func elements(_ text: String) -> [String] {
        var (elements, current, isEscaped) = ([String](), "", false)
        for scalar in text.unicodeScalars {
            if isEscaped {
                current.unicodeScalars.append(scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == ";" {
                elements.append(current)
                current = ""
            } else {
                current.unicodeScalars.append(scalar)
            }
        }
        return (elements + [current]).filter { !$0.isEmpty }
    }
}
