/// Reads listens from the rows of a JSON file. Holds one row, which may be a page of several listens: a page of 4 MiB
/// takes 50 MiB.
final class JSONListenReader: LibraryFileReader {
    /// The most bytes of a row.
    static let largestRow = 1 << 18
    /// The most bytes of a page of an API.
    static let largestPage = 1 << 22

    private let rows: JSONRows
    private let listens: (JSONValue) -> [JSONValue]
    private let item: (JSONValue, Int) -> LibraryFileItem?
    private var rest: ArraySlice<JSONValue> = []
    private var line = 0

    /// - Parameters:
    ///   - listens: the listens of a row, which may be a page.
    ///   - item: makes an item from a listen and its number, counted from 1; `nil` for what is not a listen at all.
    init(
        _ rows: JSONRows, listens: @escaping (JSONValue) -> [JSONValue] = { [$0] },
        item: @escaping (JSONValue, Int) -> LibraryFileItem?
    ) {
        (self.rows, self.listens, self.item) = (rows, listens, item)
    }

    func next() throws(LibraryFileError) -> LibraryFileItem? {
        while true {
            if let value = rest.popFirst() {
                line += 1
                if let item = item(value, line) { return item }
                continue
            }
            switch try rows.next() {
            case nil: return nil
            case .damaged(let reason):
                line += 1
                return .skipped(line: line, reason: reason)
            case .value(let value): rest = listens(value)[...]
            }
        }
    }
}

extension JSONListenReader {
    /// - Parameter lengths: the lengths of songs, which the reader holds.
    static func spotifyHistory(
        _ bytes: TextBytes, lengths: SpotifyLengths
    ) throws(LibraryFileError) -> JSONListenReader {
        JSONListenReader(try JSONRows(bytes, limit: largestRow)) { value, line in
            SpotifyHistoryRow(value)?.item(line: line, lengths: lengths) ?? .noListen(line)
        }
    }

    static func spotifyAccountData(_ bytes: TextBytes) throws(LibraryFileError) -> JSONListenReader {
        JSONListenReader(try JSONRows(bytes, limit: largestRow)) { value, line in
            SpotifyAccountRow(value)?.item(line: line) ?? .noListen(line)
        }
    }

    /// Reads JSON lines, a list, or pages of the API.
    static func listenBrainz(_ bytes: TextBytes) throws(LibraryFileError) -> JSONListenReader {
        JSONListenReader(try JSONRows(bytes, limit: largestPage), listens: ListenBrainzRow.listens) { value, line in
            guard let row = ListenBrainzRow(value) else { return .noListen(line) }
            return row.item(line: line)
        }
    }

    /// Reads pages of the API, as programs write them one after another, or the songs of such pages.
    static func lastfm(_ bytes: TextBytes) throws(LibraryFileError) -> JSONListenReader {
        JSONListenReader(try JSONRows(bytes, limit: largestPage), listens: LastfmTrack.songs) { value, line in
            LastfmTrack(value)?.item(line: line) ?? .noListen(line)
        }
    }

    static func lastfmStats(_ bytes: TextBytes) throws(LibraryFileError) -> JSONListenReader {
        JSONListenReader(try JSONRows(bytes, in: "scrobbles", limit: largestRow), item: LastfmStatsRow.item)
    }

    static func koito(_ bytes: TextBytes) throws(LibraryFileError) -> JSONListenReader {
        JSONListenReader(try JSONRows(bytes, in: "listens", limit: largestRow), item: KoitoRow.item)
    }

    /// Reads the member `scrobbles` of exports, or `list` of the API's responses.
    static func maloja(
        _ bytes: TextBytes, again: () throws(LibraryFileError) -> TextBytes
    ) throws(LibraryFileError) -> JSONListenReader {
        var rows: JSONRows?
        do throws(LibraryFileError) {
            rows = try JSONRows(bytes, in: "scrobbles", limit: largestRow)
        } catch {
            // The list may be damaged, and was skipped up to there.
            if error == .cancelled { throw error }
        }
        if let rows, !rows.isAtEnd { return JSONListenReader(rows, item: MalojaRow.item) }
        return JSONListenReader(try JSONRows(try again(), in: "list", limit: largestRow), item: MalojaRow.item)
    }
}

extension LibraryFileItem {
    static func noListen(_ line: Int) -> LibraryFileItem {
        .skipped(line: line, reason: "it is not a listen, or a value has the wrong type")
    }
}
