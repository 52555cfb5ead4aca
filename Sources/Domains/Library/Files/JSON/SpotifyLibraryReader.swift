import Model

/// Reads the library of Spotify's account data (`YourLibrary.json`): the songs that the person likes. Its albums,
/// artists and shows, and what the person has banned, are not songs of a library: each of these lists is reported as
/// skipped, with its length.
final class SpotifyLibraryReader: LibraryFileReader {
    private static let largestSong = 1 << 18

    private let scanner: JSONScanner
    private var isFirstMember = true
    /// How many songs were read from the open list; `nil` outside of it.
    private var number: Int?
    private var isAtEnd = false

    init(_ bytes: TextBytes) throws(LibraryFileError) {
        scanner = JSONScanner(bytes)
        try scanner.consume("{")
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
                return try scanner.refusalOfRest().map { .skipped(line: 1, reason: $0) }
            }
            isFirstMember = false
            let name = try scanner.name()
            guard try scanner.peek() == UInt8(ascii: "[") else {
                try scanner.skipValue()
                continue
            }
            try scanner.consume("[")
            if name == "tracks" {
                number = 0
            } else if case let count = try skipRest(), count > 0 {
                let what = count == 1 ? "one entry, which is not a song" : "\(count) entries, which are not songs"
                return .skipped(line: 1, reason: "“\(FileValues.name(name))” has \(what) of the library")
            }
        }
        return nil
    }

    /// Skips to the end of the open list.
    ///
    /// - Returns: how many elements it had.
    private func skipRest() throws(LibraryFileError) -> Int {
        var count = 0
        while try scanner.advance(isFirst: count == 0, until: "]") {
            try scanner.skipValue()
            count += 1
        }
        return count
    }

    private func song(_ json: JSONValue?, line: Int) -> LibraryFileItem {
        guard let json, json.members != nil else {
            return .skipped(line: line, reason: "the element is not a song")
        }
        var track = SourceTrack(
            sourceID: "", title: json["track"]?.plainText ?? "", artist: json["artist"]?.plainText ?? "",
            album: json["album"]?.plainText ?? "")
        track.clean()
        track.sourceID = SongKey.key(of: track, uri: json["uri"]?.plainText)
        if let refusal = track.refusal(isOwn: false) { return .skipped(line: line, reason: refusal) }
        return .track(FileTrack(track), line: line)
    }
}
