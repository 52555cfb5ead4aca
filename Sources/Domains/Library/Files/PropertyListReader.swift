import Foundation
import Model

/// Reads the library that Apple's Music app and iTunes export: a property list in XML, element by element.
///
/// Entities that the file itself declares are refused, and nothing outside the file is read. Holds the keys of at most
/// 500,000 songs, which take 30 MiB, and the entries of one playlist.
final class PropertyListReader: LibraryFileReader {
    private enum Position {
        case top, tracks, playlists, end
    }

    private var tokens: XMLTokens
    private let again: () throws(LibraryFileError) -> any ByteSource
    private var position = Position.top
    /// The persistent id of each song by its `Track ID`, which links playlists with songs within this file only.
    private var keys: [Int: UInt64] = [:]
    /// Whether playlists came before the songs that they name, as in files of programs that sort keys. They are read on
    /// a second pass over the file.
    private var hasEarlyPlaylists = false
    private var isSecondTime = false
    private var hasTracks = false
    /// The item to return next.
    private var waiting: LibraryFileItem?

    /// - Parameter again: opens the file from its beginning again.
    init(
        _ source: any ByteSource, again: @escaping () throws(LibraryFileError) -> any ByteSource
    ) throws(LibraryFileError) {
        self.again = again
        tokens = try XMLTokens(source)
        try expect("plist")
        try expect("dict")
    }

    func next() throws(LibraryFileError) -> LibraryFileItem? {
        while true {
            switch position {
            case .top: try find()
            case .tracks:
                if let item = try track() { return item }
            case .playlists:
                if let item = waiting {
                    waiting = nil
                    return item
                }
                // The app's own lists are skipped.
                if let item = try playlist() { return .playlist(item) }
            case .end: return nil
            }
        }
    }

    // MARK: Parts

    /// Advances to the songs or the playlists, whichever come next.
    private func find() throws(LibraryFileError) {
        while let key = try nextKey() {
            switch (key, try tokens.element()) {
            case ("Tracks", .open("dict", _)) where !isSecondTime:
                hasTracks = true
                position = .tracks
                return
            case ("Playlists", .open("array", _)) where hasTracks:
                position = .playlists
                return
            case (_, .open(let name, _)):
                if (key, name) == ("Playlists", "array") { hasEarlyPlaylists = true }
                try tokens.skipElement()
            default: throw tokens.malformed
            }
        }
        guard hasEarlyPlaylists, !isSecondTime else {
            position = .end
            return
        }
        (isSecondTime, hasTracks) = (true, true)
        tokens = try XMLTokens(try again())
        try expect("plist")
        try expect("dict")
    }

    /// Returns the next key of the open dictionary; `nil` at its end.
    private func nextKey() throws(LibraryFileError) -> String? {
        switch try tokens.element() {
        case .open("key", _): return try tokens.text()
        case .close: return nil
        default: throw tokens.malformed
        }
    }

    private func track() throws(LibraryFileError) -> LibraryFileItem? {
        guard try nextKey() != nil else {
            position = .top
            return nil
        }
        guard case .open("dict", let line) = try tokens.element() else { throw tokens.malformed }
        let song = PropertyListSong(try dictionary(PropertyListSong.names))
        if let number = song.number, let key = song.key {
            guard keys[number] != nil || keys.count < FileValues.mostSongs else {
                return .skipped(line: line, reason: FileValues.hasTooManySongs)
            }
            keys[number] = key
        }
        return song.item(line: line)
    }

    private func playlist() throws(LibraryFileError) -> FilePlaylist? {
        switch try tokens.element() {
        case .close:
            position = .top
            return nil
        case .open("dict", let line):
            var entries: [Int] = []
            let values = try dictionary(FilePlaylist.names, entries: &entries)
            let playlist = FilePlaylist(values, entries.prefix(FilePlaylist.mostEntries).map { keys[$0] })
            if let playlist, entries.count > FilePlaylist.mostEntries {
                waiting = .skipped(line: line, reason: "“\(playlist.name)”: \(FilePlaylist.isFull)")
            }
            return playlist
        default: throw tokens.malformed
        }
    }

    /// Reads the texts of a dictionary's values, including `true` and `false`. Nested values are skipped.
    ///
    /// - Parameter names: the keys whose values are wanted. A hostile file may have any number of others.
    private func dictionary(_ names: Set<String>) throws(LibraryFileError) -> [String: String] {
        var entries: [Int] = []
        return try dictionary(names, entries: &entries)
    }

    /// - Parameter entries: receives the song ids of `Playlist Items`.
    private func dictionary(
        _ names: Set<String>, entries: inout [Int]
    ) throws(LibraryFileError) -> [String: String] {
        var values: [String: String] = [:]
        while let key = try nextKey() {
            guard case .open(let type, _) = try tokens.element() else { throw tokens.malformed }
            switch type {
            case "true" where names.contains(key), "false" where names.contains(key):
                values[key] = type
                try tokens.skipElement()
            case "string" where names.contains(key), "integer" where names.contains(key),
                "date" where names.contains(key), "real" where names.contains(key):
                values[key] = try tokens.text()
            case "array" where key == "Playlist Items": try readEntries(into: &entries)
            default: try tokens.skipElement()
            }
        }
        return values
    }

    private func readEntries(into entries: inout [Int]) throws(LibraryFileError) {
        while true {
            switch try tokens.element() {
            case .close: return
            case .open("dict", _):
                guard
                    let number = try dictionary(["Track ID"])["Track ID"].flatMap({ PropertyListSong.number($0) })
                else { continue }
                if entries.count <= FilePlaylist.mostEntries { entries.append(number) }
            default: throw tokens.malformed
            }
        }
    }

    // MARK: Tokens

    private func expect(_ name: String) throws(LibraryFileError) {
        guard case .open(name, _) = try tokens.element() else { throw XMLForm.unknown(nil) }
    }
}
