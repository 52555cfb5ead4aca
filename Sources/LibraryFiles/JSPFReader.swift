import Foundation
import Model

/// Reads a playlist in JSPF, the JSON of XSPF (xspf.org): `{"playlist": {"title", "track": […]}}`.
final class JSPFReader: LibraryFileReader {
    private static let largestSong = 1 << 18

    private let scanner: JSONScanner
    private var playlist = FilePlaylist(key: "", name: "")
    /// How many songs were read of the list that is open; `nil` outside of it.
    private var number: Int?
    private var isFirstMember = true
    private var isAtEnd = false

    init(_ bytes: TextBytes) throws(LibraryFileError) {
        scanner = JSONScanner(bytes)
        try scanner.take("{")
        var isFirst = true
        while try scanner.advance(isFirst: isFirst, until: "}") {
            isFirst = false
            if try scanner.name() == "playlist" {
                try scanner.take("{")
                return
            }
            _ = try scanner.value(limit: Self.largestSong)
        }
        throw JSONScanner.damaged
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
                return .playlist(playlist)
            }
            isFirstMember = false
            try readMember()
        }
        return nil
    }

    private func readMember() throws(LibraryFileError) {
        let name = try scanner.name()
        if name == "track", try scanner.peek() == 0x5B {
            try scanner.take("[")
            number = 0
            return
        }
        let value = try scanner.value(limit: Self.largestSong)
        let text = try? JSONDecoder().decode(String.self, from: Data(value))
        switch name {
        case "title": playlist.name = text ?? ""
        case "annotation": playlist.description = text
        case "identifier": playlist.key = text ?? ""
        default: break
        }
    }

    private func song(_ json: [UInt8], line: Int) -> LibraryFileItem {
        guard playlist.hasRoom else { return .skipped(line: line, reason: FilePlaylist.isFull) }
        guard let document = try? JSONDecoder().decode(JSPFSong.self, from: Data(json)) else {
            playlist.entries.append(.init(key: nil))
            return .skipped(line: line, reason: "the element is no song, or has a value of another type")
        }
        guard let track = document.track else {
            playlist.entries.append(.init(key: nil))
            return .skipped(line: line, reason: "the song has no title")
        }
        playlist.entries.append(.init(key: track.sourceID, addedAt: document.addedAt))
        return .track(FileTrack(track, isSaved: false), line: line)
    }
}

/// A song of a JSPF playlist. XSPF has no members for codes and dates: they are in Backline's extension.
struct JSPFSong: Codable {
    /// The member of `extension` with what XSPF has no members for.
    static let namespace = "urn:backline:track"

    struct Extension: Codable {
        var isrc: String?
        var addedAt: String?
        var albumArtist: String?
        var explicit: Bool?
        var discNumber: Int?
        var releaseDate: String?
        var genres: [String]?
        var composer: String?
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

    enum CodingKeys: String, CodingKey {
        case identifier, title, creator, album, duration, trackNum, image, `extension`
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

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        // One text, or a list of them.
        identifier =
            (try? container.decode([String].self, forKey: .identifier))
            ?? (try? container.decode(String.self, forKey: .identifier)).map { [$0] }
        title = try container.decodeIfPresent(String.self, forKey: .title)
        creator = try container.decodeIfPresent(String.self, forKey: .creator)
        album = try container.decodeIfPresent(String.self, forKey: .album)
        duration = try? container.decodeIfPresent(Int.self, forKey: .duration)
        trackNum = try? container.decodeIfPresent(Int.self, forKey: .trackNum)
        image = try? container.decodeIfPresent(String.self, forKey: .image)
        // Extensions of other programs have other members.
        `extension` = try? container.decodeIfPresent([String: Extension].self, forKey: .extension)
    }

    private var own: Extension? { `extension`?[Self.namespace] }

    var addedAt: Timestamp? { own?.addedAt.flatMap { Timestamp(rfc3339: $0) } }

    /// - Returns: `nil` for a song without a title.
    var track: SourceTrack? {
        guard let title, !title.isEmpty else { return nil }
        var track = SourceTrack(sourceID: "", title: title, artist: creator ?? "", album: album ?? "")
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
