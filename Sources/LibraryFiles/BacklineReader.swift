import Foundation
import Model

/// Reads Backline's JSON: `{"backline": 1, "tracks": […], "playlists": […]}`, or an array of songs alone.
final class BacklineReader: LibraryFileReader {
    private enum Place {
        case object(isFirst: Bool)
        case tracks(number: Int)
        case playlists(isFirst: Bool)
        case end
    }

    /// A song of more bytes is damaged.
    private static let largestSong = 1 << 18
    private static let largestPlaylist = 1 << 24

    private let scanner: JSONScanner
    private var place: Place
    private let isArray: Bool
    /// The keys of songs by the ids that the file gives them.
    private var keys: [String: String] = [:]

    init(_ bytes: TextBytes) throws(LibraryFileError) {
        scanner = JSONScanner(bytes)
        isArray = try scanner.peek() == 0x5B
        try scanner.take(isArray ? "[" : "{")
        place = isArray ? .tracks(number: 0) : .object(isFirst: true)
    }

    func next() throws(LibraryFileError) -> LibraryFileItem? {
        while true {
            switch place {
            case .object(let isFirst): try readMember(isFirst: isFirst)
            case .tracks(let number):
                guard try scanner.advance(isFirst: number == 0, until: "]") else {
                    place = isArray ? .end : .object(isFirst: false)
                    continue
                }
                place = .tracks(number: number + 1)
                return song(try scanner.value(limit: Self.largestSong), line: number + 1)
            case .playlists(let isFirst):
                guard try scanner.advance(isFirst: isFirst, until: "]") else {
                    place = .object(isFirst: false)
                    continue
                }
                place = .playlists(isFirst: false)
                if let playlist = playlist(try scanner.value(limit: Self.largestPlaylist)) {
                    return .playlist(playlist)
                }
            case .end: return nil
            }
        }
    }

    private func readMember(isFirst: Bool) throws(LibraryFileError) {
        guard try scanner.advance(isFirst: isFirst, until: "}") else {
            place = .end
            return
        }
        let name = try scanner.name()
        switch (name, try scanner.peek()) {
        case ("tracks", 0x5B):
            try scanner.take("[")
            place = .tracks(number: 0)
        case ("playlists", 0x5B):
            try scanner.take("[")
            place = .playlists(isFirst: true)
        default:
            _ = try scanner.value(limit: Self.largestSong)
            place = .object(isFirst: false)
        }
    }

    private func song(_ json: [UInt8], line: Int) -> LibraryFileItem {
        guard let document = try? JSONDecoder().decode(SongDocument.self, from: Data(json)) else {
            return .skipped(line: line, reason: "the element is no song, or has a value of another type")
        }
        guard let track = document.track else { return .skipped(line: line, reason: "the song has no title") }
        if let id = document.id { keys[id] = track.track.sourceID }
        return .track(track, line: line)
    }

    private func playlist(_ json: [UInt8]) -> FilePlaylist? {
        guard let document = try? JSONDecoder().decode(PlaylistDocument.self, from: Data(json)) else { return nil }
        let name = document.name ?? ""
        return FilePlaylist(
            key: document.id ?? "name:\(name)", name: name.isEmpty ? "Untitled playlist" : name,
            description: document.description,
            entries: (document.entries ?? []).map { entry in
                FilePlaylist.Entry(
                    key: entry.track.flatMap { keys[$0] ?? SongKey.normalized($0) }, title: entry.title,
                    addedAt: entry.addedAt.flatMap { Timestamp(rfc3339: $0) })
            })
    }
}
