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
        // The documents consist of strings, numbers and lists of these, which can always be encoded.
        (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// The key under which a song is written.
    ///
    /// - Parameter uri: the song's address at a service, such as `spotify:track:ID` or `appleMusic:track:ID`; `nil`
    ///   without one.
    package static func key(of track: SourceTrack, uri: String?) -> String { SongKey.key(of: track, uri: uri) }

    // MARK: CSV

    /// The header line of a library.
    package static let csvHead = record(CSVFact.ofSongs.map(\.rawValue))

    /// The header line of a playlist.
    package static let playlistCSVHead = record(CSVFact.ofEntries.map(\.rawValue))

    /// A song's line.
    package static func csv(_ track: SourceTrack) -> String {
        record(CSVFact.ofSongs.map { field($0, of: track) })
    }

    /// A playlist entry's line.
    ///
    /// - Parameter addedAt: when the song was added to the playlist.
    package static func csv(_ track: SourceTrack, of playlist: FilePlaylist, addedAt: Timestamp?) -> String {
        record(of: track, .track, in: playlist, addedAt)
    }

    /// The line of an entry that is not a song.
    package static func csv(_ entry: FilePlaylist.Entry, of playlist: FilePlaylist) -> String {
        record(
            of: SourceTrack(sourceID: "", title: entry.title ?? "", artist: "", album: ""), entry.kind, in: playlist,
            entry.addedAt)
    }

    private static func record(
        of track: SourceTrack, _ kind: FilePlaylist.Entry.Kind, in playlist: FilePlaylist, _ addedAt: Timestamp?
    ) -> String {
        var track = track
        track.addedAt = addedAt
        return record(
            CSVFact.ofEntries.map { fact in
                switch fact {
                case .playlist: playlist.name
                case .playlistID: playlist.key
                case .kind: kind.rawValue
                default: field(fact, of: track)
                }
            })
    }

    private static func field(_ fact: CSVFact, of track: SourceTrack) -> String {
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
        default: ""
        }
    }

    /// A record in the form of RFC 4180. Fields with white space at their ends are quoted too. All texts are written
    /// unchanged: a prefix for what a spreadsheet takes for a formula would alter them.
    private static func record(_ fields: [String]) -> String {
        fields.map { field in
            let hasMarks = field.unicodeScalars.contains { [",", "\"", "\r", "\n"].contains($0) }
            let blanks: [Unicode.Scalar?] = [" ", "\t"]
            let isPlain =
                !hasMarks && !blanks.contains(field.unicodeScalars.first) && !blanks.contains(field.unicodeScalars.last)
            return isPlain ? field : "\"\(field.replacing("\"", with: "\"\""))\""
        }.joined(separator: ",") + "\r\n"
    }

    // MARK: JSON

    /// The texts before the songs, between the songs and the playlists, and at the end. Songs and playlists are
    /// separated by commas.
    package static let jsonParts = (
        beginning: "{\"backline\":1,\"tracks\":[\n", middle: "\n],\"playlists\":[\n", end: "\n]}\n"
    )

    package static func json(_ track: SourceTrack, isSaved: Bool) -> String {
        json(SongDocument(track, isSaved: isSaved))
    }

    /// The text before a playlist's entries, which are separated by commas.
    package static func jsonBeginning(_ playlist: FilePlaylist) -> String {
        let document = PlaylistDocument(id: playlist.key, name: playlist.name, description: playlist.description)
        return json(document).dropLast() + ",\"entries\":["
    }

    package static let jsonPlaylistEnd = "]}"

    package static func json(_ entry: FilePlaylist.Entry) -> String {
        json(
            PlaylistDocument.Entry(
                track: entry.key, title: entry.title, addedAt: entry.addedAt?.description,
                kind: entry.key == nil && entry.kind != .unavailable ? entry.kind.rawValue : nil))
    }

    // MARK: JSPF

    /// The text before a playlist's songs, which are separated by commas.
    package static func jspfBeginning(_ playlist: FilePlaylist) -> String {
        var members = ["\"title\":\(json(playlist.name))", "\"identifier\":\(json(playlist.key))"]
        if let description = playlist.description { members.append("\"annotation\":\(json(description))") }
        return "{\"playlist\":{\(members.joined(separator: ",")),\"track\":[\n"
    }

    package static let jspfEnd = "\n]}}\n"

    package static func jspf(_ track: SourceTrack, addedAt: Timestamp?) -> String {
        json(JSPFSong(track, addedAt: addedAt))
    }

    /// An entry that is not a song.
    package static func jspf(_ entry: FilePlaylist.Entry) -> String { json(JSPFSong(entry)) }
}
