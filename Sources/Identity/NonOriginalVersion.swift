import Model

/// Versions of a song that nobody means who only names the song.
package enum NonOriginalVersion: Sendable, CaseIterable, Comparable {
    case live
    /// Karaoke, tributes, and other copies by somebody else.
    case karaoke

    /// The name that people read.
    package var name: String {
        switch self {
        case .live: "live take"
        case .karaoke: "karaoke version or tribute"
        }
    }

    private var kind: SongVersion.Kinds {
        switch self {
        case .live: .live
        case .karaoke: .karaoke
        }
    }

    /// The words, in addition to those in titles, with which people ask for it.
    private var wishes: Set<String> {
        switch self {
        case .live: ["concert", "concerts", "konzert", "konzerte", "concierto", "concerto", "stage"]
        case .karaoke: ["sing", "singalong", "tributes", "covers", "cover"]
        }
    }

    /// The versions that a person's own text asks for.
    package static func named(in text: String) -> Set<NonOriginalVersion> {
        let words = FoldedText.words(of: text)
        let terms = words.map { KeywordTable.shared[StableHash.of(FoldedText.scalars(of: $0))].term }
        return Set(
            allCases.filter { version in
                terms.contains(.kind(version.kind)) || words.contains(where: version.wishes.contains)
            })
    }
}

extension IdentityProfile {
    /// The versions that title, artist or album state.
    package var nonOriginalVersions: Set<NonOriginalVersion> {
        var found: Set<NonOriginalVersion> = []
        if version.kinds.contains(.live) { found.insert(.live) }
        if version.kinds.contains(.karaoke) { found.insert(.karaoke) }
        return found
    }
}
