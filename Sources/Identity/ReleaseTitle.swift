import Model

/// The title of an album or single, by which the editions of one release are recognized.
///
/// `Harbor`, `HARBOR (Deluxe Edition)`, `Harbor [Explicit]` and `Harbor (2011 Remaster)` are one release. Other takes and
/// other parts are releases of their own: `Harbor (Live)`, `Harbor (Acoustic)`, `Harbor (Remixes)`, `Harbor (Part 2)`,
/// `Harbor (Nora's Version)`. The artist is not part of it.
package struct ReleaseTitle: Sendable, Hashable {
    /// Equal for titles of one release: a short text of ASCII letters, digits and hyphens, which may be stored. A later
    /// version of Backline may compute another key for a title.
    package let key: String

    package init(_ title: String) {
        let album = AlbumTitle(title)
        var kinds = album.takes.allKinds.union(Self.whole(of: title))
        if album.isLive { kinds.insert(.live) }
        let hexadecimal = { (number: UInt64) in String(number, radix: 16) }
        var parts = [hexadecimal(album.core.hash), hexadecimal(album.rest.hash), hexadecimal(UInt64(kinds.rawValue))]
        parts += album.takes.others.sorted().map(hexadecimal)
        key = parts.joined(separator: "-")
    }

    /// Kinds that make a release of its own if the name ends with them (`Harbor Remixes`), or if a part of the title
    /// beside the name says nothing else, such as `(Remixes)`. `(Deluxe with Remixes)` is an edition.
    private static func whole(of title: String) -> SongVersion.Kinds {
        guard !title.isEmpty else { return [] }
        let text = TokenText(title)
        let parts = TitleParts(text)
        let core = parts.core.compactMap(\.word)
        var found = kinds(of: core.dropFirst().reversed().prefix { $0.is(.albumSuffix) })
        for part in parts.others {
            let words = part.words
            let isAddition = words.contains { word in
                !word.is(.albumSuffix) && kinds(of: [word]).isEmpty
                    && (word.term == .neutral || word.is(.edition) || word.is(.addition))
            }
            guard let first = words.first, !isAddition, !text.isAfterPlus(first) else { continue }
            found.formUnion(kinds(of: words))
        }
        return found
    }

    private static func kinds(of words: some Sequence<Word>) -> SongVersion.Kinds {
        words.reduce(into: []) { found, word in
            if case .kind(let kind) = word.term { found.formUnion(kind.intersection(own)) }
        }
    }

    private static let own: SongVersion.Kinds = [.remix, .karaoke, .video]
}
