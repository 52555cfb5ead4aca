import Model

/// Maps the columns of a table of songs to facts. Columns are recognized by their headings, in any order.
struct CSVColumns {
    /// A row of a table: a song, and the list it belongs to.
    struct Row {
        var track: SourceTrack
        var kind: CSVRowKind
        var playlist: String?
        var playlistKey: String?
        /// When Shazam identified the song.
        var taggedAt: Timestamp?
    }

    private var columns: [CSVFact: Int] = [:]
    /// The columns of a song's other artists, in tables with a column for each artist.
    private let otherArtists: [Int]
    /// Whether durations are in milliseconds, according to the column's heading.
    private let isInMilliseconds: Bool
    /// Whether Exportify wrote the file: it has the songs of one playlist, and no column with the playlist's name.
    let isOfExportify: Bool
    let isOfShazam: Bool
    /// Whether Backline wrote the file. Its songs may have no names.
    let isOwn: Bool

    /// - Parameter facts: the meanings of the columns (``CSVTable/facts``).
    init(_ heads: [String], _ facts: [CSVFact?]) {
        for (column, fact) in facts.enumerated() {
            guard let fact, columns[fact] == nil else { continue }
            columns[fact] = column
        }
        otherArtists = CSVFact.otherArtistColumns(heads)
        let known = Set(columns.keys)
        isOfExportify = known.isSuperset(of: [.title, .artist, .addedBy, .added]) && !known.contains(.playlist)
        isOfShazam = known.contains(.tagged)
        isOwn = Self.areOwn(heads)
        isInMilliseconds = columns[.duration].map { CSVHeads.isInMilliseconds(heads[$0]) } ?? false
        // In Exportify's files the title is "Track Name", next to "Track Number"; other programs call the title
        // "Track".
        if columns[.title] == nil, let column = columns[.track] { (columns[.title], columns[.track]) = (column, nil) }
    }

    /// Whether these are the headings of Backline's own tables of songs.
    static func areOwn(_ heads: [String]) -> Bool { Set(heads).isSuperset(of: CSVFact.ofSongs.map(\.rawValue)) }

    /// The song of a row.
    func row(_ fields: [String]) -> Row {
        func text(_ fact: CSVFact) -> String? {
            guard let column = columns[fact], column < fields.count, !fields[column].isEmpty else { return nil }
            return fields[column]
        }
        func number(_ fact: CSVFact, in range: ClosedRange<Int>) -> Int? {
            text(fact).flatMap { Int(decimal: $0, in: range) }
        }
        func moment(_ fact: CSVFact) -> Timestamp? { text(fact).flatMap(Self.moment) }
        let others = otherArtists.map { $0 < fields.count ? fields[$0].trimmed : nil }
        let artists = ([text(.artist).map(ListText.printed)] + others).compactMap { $0 }
        var track = SourceTrack(
            sourceID: "", title: text(.title) ?? "", artist: artists.joined(separator: ", "), album: text(.album) ?? "")
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
        track.addedAt = moment(.added)
        track.playCount = number(.plays, in: FileValues.plays)
        track.lastPlayedAt = moment(.lastPlayed)
        track.rating = number(.rating, in: FileValues.ratings)
        track.artworkURL = text(.artwork)
        track.clean()
        let apple = text(.appleID).flatMap { Int(decimal: $0, in: 1...Int.max) }.map { "appleMusic:track:\($0)" }
        let recording = text(.recordingMBID).flatMap { SongKey.normalized("musicbrainz:recording:\($0)") }
        track.sourceID = SongKey.key(of: track, uri: text(.uri).flatMap(SongKey.normalized) ?? apple ?? recording)
        return Row(
            track: track, kind: CSVRowKind(text(.kind)), playlist: text(.playlist), playlistKey: text(.playlistID),
            taggedAt: moment(.tagged))
    }

    /// A time, or the beginning of a day.
    static func moment(_ text: String) -> Timestamp? {
        FileValues.moment(rfc3339: text) ?? TimestampText(text)?.moment
            ?? FileValues.moment(rfc3339: "\(text)T00:00:00Z")
    }

    /// A duration in milliseconds. Without a unit in the heading, a plain number is in seconds, and `3:45` is minutes
    /// and seconds.
    private func duration(_ text: String) -> Int? {
        if isInMilliseconds, let number = Int(decimal: text, in: FileValues.milliseconds) { return number }
        if let number = Int(decimal: text, in: 1...604_800) { return isInMilliseconds ? nil : number * 1_000 }
        let texts = text.split(separator: ":", maxSplits: 3)
        let parts = texts.compactMap { Int(decimal: $0, in: 0...99_999) }
        guard (2...3).contains(parts.count), parts.count == texts.count else { return nil }
        return FileValues.milliseconds(ofSeconds: parts.reduce(0) { $0 * 60 + $1 })
    }
}

/// Several texts in one field, separated by semicolons. A semicolon or backslash within a text is escaped with a
/// backslash.
enum ListText {
    static func text(_ elements: [String]) -> String {
        elements.map { $0.replacing("\\", with: "\\\\").replacing(";", with: "\\;") }.joined(separator: ";")
    }

    /// A text without the signs around its elements, if a program printed it as a list: `['Nora', 'Ada']`.
    static func printed(_ text: String) -> String {
        for mark in ["'", "\""] where text.hasPrefix("[\(mark)") && text.hasSuffix("\(mark)]") && text.utf8.count > 4 {
            return String(text.dropFirst(2).dropLast(2)).replacing("\(mark), \(mark)", with: ", ")
        }
        return text
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
