import Model

/// What a service, or a file, says of a recording: all that identity compares.
package struct IdentityRecord: Sendable, Hashable {
    package var title: String
    /// The artists as one text, as services write them: `A & B feat. C`.
    package var artist: String
    /// Empty where there is none.
    package var album: String
    /// `nil` where it is not known. What no recording can have, below 0 or above a week, counts as not known, too.
    package var durationMs: Int? {
        didSet { durationMs = Self.possible(durationMs) }
    }
    package var released: ReleaseDate?
    /// In any form; a text that is no code counts as none.
    package var isrc: String?
    /// `nil` where the service does not tell. Services also say `false` of what they do not know.
    package var isExplicit: Bool?
    /// Whether the service says that the words were cut or replaced, which is more than that they are not explicit.
    package var isClean: Bool

    package init(
        title: String, artist: String, album: String = "", durationMs: Int? = nil, released: ReleaseDate? = nil,
        isrc: String? = nil, isExplicit: Bool? = nil, isClean: Bool = false
    ) {
        self.title = title
        self.artist = artist
        self.album = album
        self.durationMs = Self.possible(durationMs)
        self.released = released
        self.isrc = isrc
        self.isExplicit = isExplicit
        self.isClean = isClean
    }

    var wording: SongVersion.Wording? { isClean ? .clean : isExplicit == true ? .explicit : nil }

    private static func possible(_ durationMs: Int?) -> Int? {
        durationMs.flatMap { (0...604_800_000).contains($0) ? $0 : nil }
    }
}

extension IdentityRecord {
    /// - Parameter source: the service whose track it is.
    package init(_ track: SourceTrack, of source: MusicSource) {
        self.init(
            title: track.title, artist: track.artist, album: track.album, durationMs: track.durationMs,
            released: track.releaseDate, isrc: track.isrc, isExplicit: track.isExplicit,
            isClean: source.isClean(track.isExplicit))
    }
}

extension MusicSource {
    /// Whether what a service says of a track's wording means the clean version. Apple Music rates songs `explicit`,
    /// `clean` or not at all; Spotify says `false` of all songs that are not explicit, and of those that it does not
    /// know.
    package func isClean(_ isExplicit: Bool?) -> Bool { self == .appleMusic && isExplicit == false }
}

/// Where a record comes from: a source and its id there, which do not depend on when it was read.
///
/// Decisions of people are about listings, and ties go by them.
package struct Listing: Sendable, Hashable, Comparable {
    /// ``MusicSource/number``; 0 for a record of no source, to which rules about one source do not apply.
    package let source: Int
    package let id: String

    package init(source: Int, id: String) {
        self.source = source
        self.id = id
    }

    package init(source: MusicSource, id: String) {
        self.init(source: source.number, id: id)
    }

    /// By source and then by id.
    package static func < (left: Listing, right: Listing) -> Bool {
        if left.source != right.source { return left.source < right.source }
        return left.id < right.id
    }
}
