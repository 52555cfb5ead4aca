import Model

/// Reads listens from a table: Backline's own, one of Last.fm or lastfmstats.com, or any whose rows have a title, an
/// artist and the time of a play.
final class ListenTableReader: LibraryFileReader {
    private let records: CSVRecords
    private let columns: [CSVFact: Int]
    /// The columns of a song's other artists, in tables with a column for each artist.
    private let otherArtists: [Int]
    /// The columns with times, of which the most precise one counts (``CSVTable/listened``).
    private let moments: [[Int]]
    private let isEnd: Bool
    private let isOwn: Bool
    private let lengthIsInMilliseconds: Bool
    /// The column with the reason why a play ended, as in Spotify's history.
    private let reasons: Int?

    /// The kind of table, which depends on whose columns it has.
    let kind: LibraryFileKind

    init(_ records: CSVRecords, _ table: CSVTable) {
        self.records = records
        guard table.form == .listens else {
            (columns, otherArtists, moments) = ([.artist: 0, .album: 1, .title: 2], [], [[3]])
            (kind, isEnd, isOwn, lengthIsInMilliseconds, reasons) = (.lastfm, false, false, false, nil)
            return
        }
        var columns: [CSVFact: Int] = [:]
        for (column, head) in table.heads.enumerated() {
            // A time of day is not a length.
            let isMoment = table.listened.contains { $0.count > 1 && $0.contains(column) }
            if !isMoment, let fact = CSVFact(head: head), columns[fact] == nil { columns[fact] = column }
        }
        if columns[.title] == nil, let column = columns[.track] { (columns[.title], columns[.track]) = (column, nil) }
        let names = Set(table.heads.map { $0.lowercased().trimmed ?? "" })
        isOwn = ListenCSV.areOwn(table.heads)
        let isOfLastfm = !names.isDisjoint(with: ["uts", "utc_time"]) || names.contains { $0.hasPrefix("date#") }
        kind = isOwn ? .listens : isOfLastfm ? .lastfm : .listenTable
        // Spotify records when plays end.
        isEnd = columns[.played] != nil && !names.isDisjoint(with: ["ts", "endtime"])
        lengthIsInMilliseconds = columns[.duration].map { CSVHeads.isInMilliseconds(table.heads[$0]) } ?? false
        reasons = table.heads.firstIndex { CSVFact.normalized($0) == "reasonend" }
        (self.columns, otherArtists, moments) = (columns, CSVFact.otherArtistColumns(table.heads), table.listened)
    }

    func next() throws(LibraryFileError) -> LibraryFileItem? {
        guard let record = try records.next() else { return nil }
        if let damage = record.damage { return .skipped(line: record.line, reason: damage) }
        return item(record.fields, line: record.line)
    }

    private func item(_ fields: [String], line: Int) -> LibraryFileItem {
        func field(at column: Int) -> String? { fields.indices.contains(column) ? fields[column].trimmed : nil }
        func field(_ fact: CSVFact) -> String? { columns[fact].flatMap(field) }
        switch CSVRowKind(field(.kind)) {
        case .other(let noun): return .skipped(line: line, reason: "\(noun) is not a song")
        case .favorite: return .skipped(line: line, reason: "a song marked as a favorite is not a play")
        case .song, .entry: break
        }
        let times = moments.compactMap { CSVMoments.text(of: $0, in: fields).flatMap(TimestampText.init) }
        guard let time = times.min(by: { $0.precision.rank < $1.precision.rank }) else {
            return .skipped(line: line, reason: ListenRules.noTime)
        }
        let artists =
            [field(.artist).map(ListText.printed)].compactMap { $0 } + otherArtists.compactMap { field(at: $0) }
        let listen = FileListen(
            title: field(.title), artist: artists.joined(separator: ", "), album: field(.album), time: time.moment)
        guard var listen else { return .skipped(line: line, reason: ListenRules.noNames) }
        listen.precision = field(.precision).flatMap { FileListen.Precision(rawValue: $0) } ?? time.precision
        (listen.isEnd, listen.isExported) = (isEnd, isOwn)
        listen.playedMs =
            field(.played).flatMap { Int(decimal: $0, in: 0...FileValues.milliseconds.upperBound) }
            ?? field(.playedSeconds).flatMap { Int(decimal: $0, in: 0...604_800) }.map { $0 * 1_000 }
        if let length = field(.duration) {
            listen.durationMs =
                lengthIsInMilliseconds
                ? Int(decimal: length, in: FileValues.milliseconds)
                : FileValues.milliseconds(ofSeconds: Int(decimal: length, in: 1...604_800))
        }
        let isWhole = reasons.flatMap(field(at:)) == "trackdone"
        let length = listen.durationMs ?? (isWhole ? listen.playedMs : nil)
        if !isOwn, let played = listen.playedMs,
            let reason = ListenRules.refusal(playedMs: played, durationMs: length)
        {
            return .skipped(line: line, reason: reason)
        }
        (listen.isrc, listen.recordingMBID) = (field(.isrc), field(.recordingMBID))
        listen.spotifyID = isOwn ? field(.uri) : field(.uri).flatMap(SongKey.spotifyID)
        listen.client = field(.client)
        return .listen(listen, line: line)
    }
}

extension FileListen.Precision {
    /// Lower is more precise.
    fileprivate var rank: Int {
        switch self {
        case .millisecond: 0
        case .second: 1
        case .minute: 2
        }
    }
}
