import Model

/// Versions of a song that nobody means who names the song alone.
package enum StandInVersion: Sendable, CaseIterable, Comparable {
    case live
    /// Karaoke, tributes, and other copies by somebody else.
    case karaoke

    /// For people.
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

    /// Words beside those of titles with which people ask for it.
    private var wishes: Set<String> {
        switch self {
        case .live: ["concert", "concerts", "konzert", "konzerte", "concierto", "concerto", "stage"]
        case .karaoke: ["sing", "singalong", "tributes", "covers", "cover"]
        }
    }

    /// Those that a text in people's own words asks for.
    package static func named(in text: String) -> Set<StandInVersion> {
        let words = FoldedText.words(of: text)
        let terms = words.map { KeywordTable.shared[StableHash.of(FoldedText.scalars(of: $0))].term }
        return Set(
            allCases.filter { version in
                terms.contains(.kind(version.kind)) || words.contains(where: version.wishes.contains)
            })
    }
}

extension IdentityProfile {
    /// Those that title, artist or album state.
    package var standIns: Set<StandInVersion> {
        var found: Set<StandInVersion> = []
        if version.kinds.contains(.live) { found.insert(.live) }
        if version.kinds.contains(.karaoke) { found.insert(.karaoke) }
        return found
    }
}
