import Foundation
import Model

/// Reads Backline's JSON: `{"backline": 1, "tracks": […], "playlists": […]}`, or an array of songs alone.
final class BacklineReader: LibraryFileReader {
    private enum Place {
        case object(isFirst: Bool)
        case tracks(number: Int)
        case playlists(number: Int)
        case end
    }

    /// A song of more bytes is damaged.
    private static let largestSong = 1 << 18
    private static let largestPlaylist = 1 << 24

    private var scanner: JSONScanner
    private let again: () throws(LibraryFileError) -> TextBytes
    /// Whether playlists came before the songs that they name, as programs write them that sort names. They are read when
    /// the file is read a second time.
    private var hasEarlyPlaylists = false
    private var isSecondTime = false
    private var hasTracks = false
    private var place: Place
    private let isArray: Bool
    /// The keys of songs by the ids that the file gives them.
    private var keys: [String: String] = [:]

    /// - Parameter again: begins the file anew.
    init(
        _ bytes: TextBytes, again: @escaping () throws(LibraryFileError) -> TextBytes
    ) throws(LibraryFileError) {
        self.again = again
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
                let json = try scanner.value(limit: Self.largestSong)
                if !isSecondTime { return song(json, line: number + 1) }
            case .playlists(let number):
                guard try scanner.advance(isFirst: number == 0, until: "]") else {
                    place = .object(isFirst: false)
                    continue
                }
                place = .playlists(number: number + 1)
                let json = try scanner.value(limit: Self.largestPlaylist)
                if hasTracks { return playlist(json, number + 1) }
                hasEarlyPlaylists = true
            case .end: return nil
            }
        }
    }

    private func readMember(isFirst: Bool) throws(LibraryFileError) {
        guard try scanner.advance(isFirst: isFirst, until: "}") else {
            try end()
            return
        }
        let name = try scanner.name()
        switch (name, try scanner.peek()) {
        case ("tracks", 0x5B):
            try scanner.take("[")
            hasTracks = true
            place = .tracks(number: 0)
        case ("playlists", 0x5B):
            try scanner.take("[")
            place = .playlists(number: 0)
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
        if let id = document.id, id != track.track.sourceID { keys[id] = track.track.sourceID }
        return .track(track, line: line)
    }

    /// Ends the object, or begins the file anew.
    private func end() throws(LibraryFileError) {
        guard hasEarlyPlaylists, !isSecondTime else {
            place = .end
            return
        }
        (isSecondTime, hasTracks) = (true, true)
        scanner = JSONScanner(try again())
        try scanner.take("{")
        place = .object(isFirst: true)
    }

    private func playlist(_ json: [UInt8], _ number: Int) -> LibraryFileItem {
        guard let document = try? JSONDecoder().decode(PlaylistDocument.self, from: Data(json)) else {
            return .skipped(
                line: number, reason: "playlist \(number) of the file is none, or has a value of another type")
        }
        let entries = document.entries ?? []
        guard entries.count <= FilePlaylist.mostEntries else {
            return .skipped(line: number, reason: "playlist \(number): \(FilePlaylist.isFull)")
        }
        return .playlist(
            FilePlaylist(
                key: document.id ?? "", name: document.name ?? "", description: document.description,
                entries: entries.map { entry in
                    FilePlaylist.Entry(
                        key: entry.track.flatMap { keys[$0] ?? SongKey.ofFile($0) }, title: entry.title,
                        addedAt: FileValues.moment(entry.addedAt.flatMap { Timestamp(rfc3339: $0) }))
                }))
    }
}
