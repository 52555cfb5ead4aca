/// What the first lines of CSV reveal: which fields have which meaning, and where the rows begin.
struct CSVTable {
    enum Form {
        case songs
        /// Every row is a play of a song.
        case listens
        /// Apple's play activity.
        case playActivity
        /// Listens of Last.fm without a header line: artist, album, title, time.
        case lastfmRows
    }

    /// The title of a file, such as Shazam's, or Excel's line with the separator may precede the header line.
    private static let mostLinesAbove = 4
    /// How many rows are examined.
    private static let mostSamples = 20

    let form: Form
    /// The headings; empty for a table without a header line.
    let heads: [String]
    /// What the columns mean; `nil` for one whose meaning is not known.
    let facts: [CSVFact?]
    let separator: UInt8
    /// The records before the first row.
    let recordsAbove: Int
    /// The columns with times of plays: each time is in one column, or in two, a day and a time of day.
    let listened: [[Int]]
    /// Whether Backline wrote the table, according to its headings. Its fields follow RFC 4180, without escapes.
    private let isOwn: Bool

    /// - Parameter bytes: the file from its beginning. Only as much as necessary is read.
    init(_ bytes: TextBytes) throws(LibraryFileError) {
        separator = try Self.separator(of: bytes)
        let records = CSVRecords(bytes, separator: separator)
        var first: [CSVRecords.Record] = []
        while first.count < Self.mostLinesAbove + 1 + Self.mostSamples, let record = try records.next() {
            first.append(record)
            if Self.isOwn(record.fields) { records.hasEscapes = false }
        }
        guard let top = first.first else { throw LibraryFileError("The file is empty.") }
        guard let place = first.prefix(Self.mostLinesAbove + 1).firstIndex(where: { Self.isHead($0.fields) }) else {
            guard Self.isLastfmRow(top.fields) else { throw Self.refusal(top) }
            (form, heads, facts, recordsAbove, listened, isOwn) = (.lastfmRows, [], [], 0, [], false)
            return
        }
        let heads = first[place].fields
        guard !Self.isOfReleases(heads) else {
            throw LibraryFileError(
                "The table is a list of releases, whose titles are not song titles. A table needs a row for each song.")
        }
        guard !Self.isOfConcerts(heads) else {
            throw LibraryFileError(
                "The table is a list of concerts, whose songs the person did not play. A table needs a row for each song "
                    + "or play.")
        }
        let rows = first.dropFirst(place + 1).filter { $0.damage == nil }.map(\.fields)
        let moments = CSVMoments(heads, rows)
        let isPlayActivity = Self.isPlayActivity(heads)
        listened = isPlayActivity ? [] : try moments.listened()
        form = isPlayActivity ? .playActivity : listened.isEmpty ? .songs : .listens
        (self.heads, facts, recordsAbove, isOwn) = (heads, moments.facts, place + 1, Self.isOwn(heads))
    }

    /// Opens the rows.
    ///
    /// - Parameter bytes: the same file, from its beginning.
    func records(_ bytes: TextBytes) throws(LibraryFileError) -> CSVRecords {
        let records = CSVRecords(bytes, separator: separator, fields: heads.isEmpty ? nil : heads.count)
        records.hasEscapes = !isOwn
        for _ in 0..<recordsAbove { _ = try records.next(isRow: false) }
        return records
    }

    // MARK: Recognizing

    private static func isOwn(_ heads: [String]) -> Bool { CSVColumns.areOwn(heads) || ListenCSV.areOwn(heads) }

    private static func isPlayActivity(_ heads: [String]) -> Bool {
        let heads = Set(heads.map { $0.trimmed ?? "" })
        return heads.isSuperset(of: ["Event End Timestamp", "Play Duration Milliseconds"])
    }

    /// Whether fields are the headings of a table of songs or of plays: among them are titles and artists.
    private static func isHead(_ fields: [String]) -> Bool {
        isPlayActivity(fields) || hasTitles(fields) && fields.contains { CSVFact(head: $0) == .artist }
    }

    private static func hasTitles(_ fields: [String]) -> Bool {
        fields.contains { CSVFact(head: $0) == .title || CSVFact.normalized($0) == "track" }
    }

    static func isLastfmRow(_ fields: [String]) -> Bool {
        fields.count == 4 && fields.last.flatMap(TimestampText.init).map { $0.precision == .minute } == true
    }

    /// Whether the headings are those of a record collection or an inventory, as Discogs writes them.
    private static func isOfReleases(_ heads: [String]) -> Bool {
        let names = Set(heads.map(CSVFact.normalized))
        return names.contains("releaseid") && !names.isDisjoint(with: ["catalog", "catno"])
            && names.isDisjoint(with: ["isrc", "trackname", "tracktitle", "songname", "songtitle"])
    }

    /// Whether the headings are those of setlists.
    private static func isOfConcerts(_ heads: [String]) -> Bool {
        !Set(heads.map(CSVFact.normalized)).isDisjoint(with: [
            "venue", "setlist", "encore", "setnumber", "eventid", "tourname",
        ])
    }

    /// The separator with which the most headings are recognized.
    private static func separator(of bytes: TextBytes) throws(LibraryFileError) -> UInt8 {
        let text = String(decoding: try bytes.peek(16_384), as: UTF8.self)
        let lines: [String] = text.split(whereSeparator: \.isNewline).prefix(mostLinesAbove + 1).map {
            String($0).replacing("\"", with: "")
        }
        // Excel writes this above the header line.
        if let line = lines.first?.lowercased(), line.hasPrefix("sep="), line.utf8.count == 5,
            let separator = line.utf8.last
        {
            return separator
        }
        let separators: [UInt8] = [0x2C, 0x3B, 0x09, 0x7C]
        let choices = separators.map { separator in
            let mark = Character(Unicode.Scalar(separator))
            let known = lines.map { line in
                line.split(separator: mark).prefix(CSVRecords.mostFields).count { CSVFact(head: String($0)) != nil }
            }
            return (separator: separator, known: known.max() ?? 0, count: lines.first?.count { $0 == mark } ?? 0)
        }
        return choices.max { ($0.known, $0.count) < ($1.known, $1.count) }?.separator ?? 0x2C
    }

    private static func refusal(_ record: CSVRecords.Record) -> LibraryFileError {
        guard record.damage == nil else {
            return LibraryFileError(
                "A quotation mark is missing in the first line, which names the columns. Export the file again.")
        }
        let names = record.fields.compactMap(\.trimmed).prefix(12).map { "“\($0.prefix(60))”" }.joined(separator: ", ")
        let what = hasTitles(record.fields) ? "artists" : "titles (Title, Track name)"
        return LibraryFileError(
            "No column with \(what) was found. The first line of the file "
                + (names.isEmpty ? "names no columns" : "has: \(names)") + ". A table needs a line that names its "
                + "columns, among them titles and artists, such as “Title” and “Artist”.",
            isOfUnknownKind: true)
    }
}
