import Foundation
import Model

/// Writes songs and playlists in the forms that ``LibraryFile`` reads without loss.
package enum LibraryFileWriter {
    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    private static func json(_ value: some Encodable) -> String {
        // The documents are texts, numbers and lists of them, which can always be encoded.
        (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// The key under which a song is written.
    ///
    /// - Parameter uri: its address at a service, as `spotify:track:ID` or `appleMusic:track:ID`; `nil` without one.
    package static func key(of track: SourceTrack, uri: String?) -> String { SongKey.key(of: track, uri: uri) }

    // MARK: CSV

    private static let factsOfSongs = CSVColumns.Fact.allCases.filter { ![.playlist, .playlistID].contains($0) }

    /// The head line of a library.
    package static let csvHead = record(factsOfSongs.map(\.rawValue))

    /// The head line of a playlist.
    package static let playlistCSVHead = record(CSVColumns.Fact.allCases.map(\.rawValue))

    /// The line of a song.
    package static func csv(_ track: SourceTrack) -> String {
        record(factsOfSongs.map { field($0, of: track) })
    }

    /// The line of an entry.
    ///
    /// - Parameter addedAt: to the playlist.
    package static func csv(_ track: SourceTrack, of playlist: FilePlaylist, addedAt: Timestamp?) -> String {
        var track = track
        track.addedAt = addedAt
        return record(
            CSVColumns.Fact.allCases.map { fact in
                switch fact {
                case .playlist: playlist.name
                case .playlistID: playlist.key
                default: field(fact, of: track)
                }
            })
    }

    private static func field(_ fact: CSVColumns.Fact, of track: SourceTrack) -> String {
        func text(_ value: (some CustomStringConvertible)?) -> String { value.map { "\($0)" } ?? "" }
        return switch fact {
        case .title: track.title
        case .artist: track.artist
        case .album: track.album
        case .albumArtist: track.albumArtist ?? ""
        case .composer: track.composer ?? ""
        case .genres: ListText.text(track.genres)
        case .duration: text(track.durationMs)
        case .isrc: track.isrc ?? ""
        case .explicit: text(track.isExplicit)
        case .disc: text(track.discNumber)
        case .track: text(track.trackNumber)
        case .released: track.releaseDate?.text ?? ""
        case .added: text(track.addedAt)
        case .plays: text(track.playCount)
        case .lastPlayed: text(track.lastPlayedAt)
        case .rating: text(track.rating)
        case .artwork: track.artworkURL ?? ""
        case .uri: SongKey.normalized(track.sourceID) ?? ""
        case .playlist, .playlistID: ""
        }
    }

    /// RFC 4180. Fields are written as they are: a mark before what a spreadsheet takes for a formula would change them.
    private static func record(_ fields: [String]) -> String {
        fields.map { field in
            let isPlain = !field.unicodeScalars.contains { [",", "\"", "\r", "\n"].contains($0) }
            return isPlain ? field : "\"\(field.replacing("\"", with: "\"\""))\""
        }.joined(separator: ",") + "\r\n"
    }

    // MARK: JSON

    /// What comes before the songs, between these and the playlists, and at the end. Songs and playlists have commas
    /// between them.
    package static let jsonParts = (
        beginning: "{\"backline\":1,\"tracks\":[\n", middle: "\n],\"playlists\":[\n", end: "\n]}\n"
    )

    package static func json(_ track: SourceTrack, isSaved: Bool) -> String {
        json(SongDocument(track, isSaved: isSaved))
    }

    /// What comes before a playlist's entries, which have commas between them.
    package static func jsonBeginning(_ playlist: FilePlaylist) -> String {
        let document = PlaylistDocument(id: playlist.key, name: playlist.name, description: playlist.description)
        return json(document).dropLast() + ",\"entries\":["
    }

    package static let jsonPlaylistEnd = "]}"

    package static func json(_ entry: FilePlaylist.Entry) -> String {
        json(PlaylistDocument.Entry(track: entry.key, title: entry.title, addedAt: entry.addedAt?.description))
    }

    // MARK: JSPF

    /// What comes before a playlist's songs, which have commas between them.
    package static func jspfBeginning(_ playlist: FilePlaylist) -> String {
        var members = ["\"title\":\(json(playlist.name))", "\"identifier\":\(json(playlist.key))"]
        if let description = playlist.description { members.append("\"annotation\":\(json(description))") }
        return "{\"playlist\":{\(members.joined(separator: ",")),\"track\":[\n"
    }

    package static let jspfEnd = "\n]}}\n"

    package static func jspf(_ track: SourceTrack, addedAt: Timestamp?) -> String {
        json(JSPFSong(track, addedAt: addedAt))
    }
}
