import Platform

/// The kind of a file, recognized by its content. The file is read whole, or refused with what was found in it.
struct FileForm {
    typealias Source = () throws(LibraryFileError) -> any ByteSource

    private enum Syntax {
        case xml(XMLForm)
        case json(JSONForm, isOwn: Bool)
        case table(CSVTable)
    }

    private let syntax: Syntax
    private let source: Source

    /// The kinds of files that are known, for people.
    static let known =
        "Backline reads the library that Apple’s Music app exports, CSV with titles and artists, JSPF, XSPF, its own JSON, "
        + "Spotify’s account data and listening history, the listens of ListenBrainz, Last.fm, Maloja, Koito and Apple Music, "
        + "and zip archives of these."

    static let isOtherOfListenBrainz = LibraryFileError(
        "This file of a ListenBrainz export has no listens. Send the whole zip archive, or the files in it that have "
            + "listens.")

    /// - Parameters:
    ///   - head: the file's first bytes.
    ///   - source: opens the file from its beginning.
    /// - Throws: ``LibraryFileError`` for a file of an unknown kind.
    init(head: [UInt8], _ source: @escaping Source) throws(LibraryFileError) {
        self.source = source
        let encoding = WideEncoding(head: head)
        guard encoding != .utf32 else {
            throw LibraryFileError("The text is encoded as UTF-32, which is not supported. Save it as UTF-8.")
        }
        let text = head.drop { [0xEF, 0xBB, 0xBF, 0xFF, 0xFE, 0, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
        // In JSON, zeros cost only their row.
        let isJSON = text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[")
        guard encoding != nil || isJSON || !head.contains(0) else {
            throw LibraryFileError("This is not a file of songs or listens. \(Self.known)", isOfUnknownKind: true)
        }
        switch text.first {
        case nil: throw LibraryFileError("The file is empty.")
        case UInt8(ascii: "<"):
            guard !XMLForm.isWebPage(head) else { throw XMLForm.webPage }
            syntax = .xml(try XMLForm(try source()))
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let outline = try JSONOutline(try TextBytes(try source()))
            var form = JSONForm(outline)
            if form == nil { form = try JSONForm.pastDamage(source) }
            guard let form else {
                throw LibraryFileError(
                    "This kind of JSON is not known. \(outline.summary) \(Self.known)", isOfUnknownKind: true)
            }
            syntax = .json(form, isOwn: outline.has(["backline"], at: ""))
        default: syntax = try Self.table(source)
        }
    }

    /// A table, or JSON whose first line is only the end of a row, as in a file that was split.
    private static func table(_ source: Source) throws(LibraryFileError) -> Syntax {
        do throws(LibraryFileError) {
            return .table(try CSVTable(try TextBytes(try source())))
        } catch {
            guard error != .cancelled, let form = try JSONForm.pastDamage(source) else { throw error }
            return .json(form, isOwn: false)
        }
    }

    var isSpotifyHistory: Bool {
        if case .json(.spotifyHistory, _) = syntax { true } else { false }
    }

    /// Adds what the file reveals about the lengths of songs, if it is Spotify's history. Reads the file to its end.
    func readLengths(into lengths: inout SpotifyLengths) throws(LibraryFileError) {
        guard isSpotifyHistory else { return }
        try lengths.read { () throws(LibraryFileError) in try text() }
    }

    /// Opens the file.
    ///
    /// - Parameters:
    ///   - name: the file's name in an archive.
    ///   - lengths: the lengths of songs according to all files of Spotify's history; with `nil` they are read from
    ///     this file.
    /// - Returns: `nil` for a file that is known to have no songs and no listens.
    func open(
        name: String? = nil, lengths: SpotifyLengths? = nil
    ) throws(LibraryFileError) -> (LibraryFileKind, any LibraryFileReader)? {
        switch syntax {
        case .xml(.propertyList): return (.appleMusicLibrary, try PropertyListReader(try source(), again: source))
        case .xml(.xspf): return (.xspf, try XSPFReader(try source()))
        case .json(let form, let isOwn): return try open(form, isOwn: isOwn, lengths)
        case .table(let table): return try open(table, name: name)
        }
    }

    private func text() throws(LibraryFileError) -> TextBytes { try TextBytes(try source()) }

    /// The lengths that are known already, or those that this file alone reveals.
    private func ownLengths(unless known: SpotifyLengths?) throws(LibraryFileError) -> SpotifyLengths {
        if let known { return known }
        var lengths = SpotifyLengths()
        try readLengths(into: &lengths)
        return lengths
    }

    private func open(
        _ form: JSONForm, isOwn: Bool, _ lengths: SpotifyLengths?
    ) throws(LibraryFileError) -> (LibraryFileKind, any LibraryFileReader)? {
        switch form {
        case .spotifyLibrary: (.spotifyLibrary, try SpotifyLibraryReader(try text()))
        case .spotifyPlaylists: (.spotifyLibrary, try SpotifyPlaylistsReader(try text()))
        case .jspf: (.jspf, try JSPFReader(try text()))
        case .backline:
            (
                .backline,
                try BacklineReader(try text(), isOwn: isOwn) { () throws(LibraryFileError) in try text() }
            )
        case .spotifyHistory:
            (
                .spotifyHistory,
                try JSONListenReader.spotifyHistory(try text(), lengths: try ownLengths(unless: lengths))
            )
        case .spotifyAccountData: (.spotifyAccountData, try JSONListenReader.spotifyAccountData(try text()))
        case .listenBrainz: (.listenBrainz, try JSONListenReader.listenBrainz(try text()))
        case .koito: (.koito, try JSONListenReader.koito(try text()))
        case .maloja: (.maloja, try JSONListenReader.maloja(try text()) { () throws(LibraryFileError) in try text() })
        case .lastfmStats: (.lastfm, try JSONListenReader.lastfmStats(try text()))
        case .lastfm: (.lastfm, try JSONListenReader.lastfm(try text()))
        case .listenBrainzOther: nil
        }
    }

    private func open(
        _ table: CSVTable, name: String?
    ) throws(LibraryFileError) -> (LibraryFileKind, any LibraryFileReader) {
        switch table.form {
        case .playActivity: return (.appleMusicActivity, try PlayActivityReader(try text()))
        case .listens, .lastfmRows:
            let reader = ListenTableReader(try table.records(try text()), table)
            return (reader.kind, reader)
        case .songs:
            let columns = CSVColumns(table.heads, table.facts)
            let reader = CSVReader(try table.records(try text()), columns, name: name)
            return (columns.isOfShazam ? .shazam : .csv, reader)
        }
    }
}
