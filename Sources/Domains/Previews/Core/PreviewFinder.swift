import Contracts
import Foundation
import Identity
import Model

/// A song that the iTunes Store lists.
package struct StoreSong: Sendable, Equatable {
    package var record: IdentityRecord
    /// The address of a thirty-second excerpt; `nil` if the song has none.
    package var previewURL: String?

    package init(_ record: IdentityRecord, previewURL: String?) {
        self.record = record
        self.previewURL = previewURL
    }
}

/// Finds the preview of a song among those that the iTunes Store lists.
package struct PreviewFinder: Sendable {
    /// Finds songs that match all words of a text, in a country's store.
    package typealias Search = @Sendable (_ term: String, _ country: String?) async throws -> [StoreSong]
    /// Finds the song with an id of Apple's catalog.
    package typealias Lookup = @Sendable (_ id: String, _ country: String?) async throws -> [StoreSong]

    private let search: Search
    private let lookup: Lookup

    package init(search: @escaping Search, lookup: @escaping Lookup) {
        self.search = search
        self.lookup = lookup
    }

    /// - Returns: the address of the preview; `nil` when the store has none for this song.
    /// - Throws: the errors of the calls.
    package func preview(of question: PreviewQuestion) async throws -> String? {
        if let id = question.appleMusicID,
            let url = Self.choose(from: try await lookup(id, question.country), for: question)
        {
            return url
        }
        return Self.choose(from: try await search(Self.term(of: question), question.country), for: question)
    }

    /// The words of the first artist and the beginning of the title: a store only finds songs that match all words, and
    /// has its own way of writing guests and versions.
    static func term(of question: PreviewQuestion) -> String {
        func beginning(of text: String, before ends: [String]) -> String {
            let cut = ends.compactMap { text.range(of: $0, options: .caseInsensitive)?.lowerBound }
                .filter { $0 > text.startIndex }.min()
            return text[..<(cut ?? text.endIndex)].trimmingCharacters(in: .whitespaces)
        }
        let artist = beginning(of: question.artist, before: [" feat", " ft.", ", ", " & ", " x ", " / ", ";"])
        return artist + " " + beginning(of: question.title, before: ["(", "[", " - ", " feat.", " ft."])
    }

    /// The preview of the song that is closest in duration; the first one in the list, if several are equally close.
    static func choose(from songs: [StoreSong], for question: PreviewQuestion) -> String? {
        let wanted = IdentityProfile(
            IdentityRecord(title: question.title, artist: question.artist, durationMs: question.durationMs))
        var best: (url: String, distance: Int)?
        for song in songs {
            guard let url = song.previewURL, let distance = wanted.previewDistance(to: IdentityProfile(song.record)),
                distance < best?.distance ?? .max
            else { continue }
            best = (url, distance)
        }
        return best?.url
    }
}
