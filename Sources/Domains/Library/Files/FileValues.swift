import Foundation
import Model

/// The ranges of numbers and times that are accepted from a file. A value outside its range counts as missing: it is
/// damaged or malicious, and must not overflow later calculations.
enum FileValues {
    /// Up to a week, in milliseconds: recordings of whole days exist.
    static let milliseconds = 1...604_800_000
    static let plays = 0...1_000_000_000
    /// The numbers of discs and tracks.
    static let numbers = 0...9_999
    static let years = 1_000...2_999
    static let ratings = 0...100
    /// From 1970 until 2100.
    static let seconds = 0...4_102_444_799
    /// The same range in microseconds.
    private static let moments: Range<Int64> = 0..<4_102_444_800_000_000
    /// In bytes: a reason may quote the file.
    private static let longestReason = 500
    /// The longest further details of a listen, in bytes: as much as the ListenBrainz API accepts.
    private static let longestDetails = 64 << 10

    static func milliseconds(_ number: Int?) -> Int? { number.flatMap { milliseconds.contains($0) ? $0 : nil } }

    static func milliseconds(ofSeconds number: Int?) -> Int? {
        // Checked before it is multiplied.
        number.flatMap { (1...604_800).contains($0) ? $0 * 1_000 : nil }
    }

    /// - Parameter number: milliseconds. A fraction is cut off.
    static func milliseconds(_ number: Double?) -> Int? {
        number.flatMap { $0 >= 1 && $0 < Double(milliseconds.upperBound) ? Int($0) : nil }
    }

    static func moment(ofSeconds number: Int?) -> Timestamp? {
        number.flatMap { seconds.contains($0) ? Timestamp(microseconds: Int64($0) * 1_000_000) : nil }
    }

    static func moment(_ time: Timestamp?) -> Timestamp? {
        time.flatMap { moments.contains($0.microseconds) ? $0 : nil }
    }

    /// The earliest time at which a listen may have started, the same as in the API: in October 2002, Last.fm's
    /// predecessor began to record listens.
    static let earliestListen = Timestamp(microseconds: 1_033_430_400_000_000)

    /// The latest time at which a listen may have started: a day from now, since local times may be read as UTC.
    static func latestListen() -> Timestamp { Timestamp.now().advanced(by: .seconds(86_400)) }

    /// A title, or a name of an artist or an album, on one line.
    static func name(_ text: String) -> String { SongText.name(text) }

    /// The name of a playlist, on one line and without hidden characters.
    static func label(_ text: String) -> String { SongText.label(text) }

    /// An id at a service; `nil` for a text that is too long to be one.
    static func id(_ text: String?) -> String? { text.flatMap(SongText.id) }

    /// A MusicBrainz id in lower case; `nil` for a text that is not a UUID, such as a program's own number.
    static func mbid(_ text: String?) -> String? {
        text.map { $0.lowercased() }.flatMap { UUIDv7.isWellFormed($0) ? $0 : nil }
    }

    /// The further details of a listen; `nil` if they are too long to be stored.
    static func details(_ text: String) -> String? { text.utf8.count <= longestDetails ? text : nil }

    static func reason(_ text: String) -> String { text.withoutHidden.truncated(toBytes: longestReason, mark: "…") }
}

extension SourceTrack {
    /// Removes values that no song can have. A song's key may be a hash of the other values, so clean before you
    /// compute it.
    mutating func clean() {
        (title, artist, album) = (FileValues.name(title), FileValues.name(artist), FileValues.name(album))
        (albumArtist, composer) = (albumArtist.map(FileValues.name), composer.map(FileValues.name))
        genres = FileValues.genres(genres)
        artworkURL = FileValues.address(artworkURL)
        func number(_ value: Int?, in range: ClosedRange<Int>) -> Int? {
            value.flatMap { range.contains($0) ? $0 : nil }
        }
        durationMs = number(durationMs, in: FileValues.milliseconds)
        playCount = number(playCount, in: FileValues.plays)
        (discNumber, trackNumber) =
            (number(discNumber, in: FileValues.numbers), number(trackNumber, in: FileValues.numbers))
        rating = rating.map { Int(clamping: $0, to: FileValues.ratings) }
        if let date = releaseDate, Int(decimal: date.text.prefix(4), in: FileValues.years) == nil { releaseDate = nil }
        (addedAt, lastPlayedAt) = (FileValues.moment(addedAt), FileValues.moment(lastPlayedAt))
    }
}

extension FileListen {
    /// - Returns: `nil` if its time is impossible.
    var cleaned: FileListen? {
        guard let time = FileValues.moment(time) else { return nil }
        var listen = self
        (listen.title, listen.artist, listen.time) = (FileValues.name(title), FileValues.name(artist), time)
        (listen.album, listen.isrc) = (album.map(FileValues.name), FileValues.id(isrc))
        (listen.recordingMBID, listen.spotifyID) = (FileValues.mbid(recordingMBID), FileValues.id(spotifyID))
        listen.client = client.map(SongText.program)
        listen.details = details.flatMap { FileValues.details($0) }
        listen.durationMs = FileValues.milliseconds(durationMs)
        listen.playedMs = FileValues.milliseconds(playedMs)
        return listen
    }
}

extension LibraryFileItem {
    /// The item in the form that is passed on, whichever reader it comes from.
    var cleaned: LibraryFileItem {
        switch self {
        case .track: return self
        case .listen(let listen, let line):
            guard let listen = listen.cleaned else { return .skipped(line: line, reason: ListenRules.noTime) }
            guard listen.time >= FileValues.earliestListen else {
                return .skipped(line: line, reason: ListenRules.isTooEarly)
            }
            guard listen.time <= FileValues.latestListen() else {
                return .skipped(line: line, reason: ListenRules.isInFuture)
            }
            let hasNames = !listen.title.isEmpty && !listen.artist.isEmpty
            return hasNames ? .listen(listen, line: line) : .skipped(line: line, reason: ListenRules.noNames)
        case .skipped(let line, let reason): return .skipped(line: line, reason: FileValues.reason(reason))
        case .playlist(let playlist): return .playlist(playlist.cleaned)
        case .continued: return self
        }
    }
}
