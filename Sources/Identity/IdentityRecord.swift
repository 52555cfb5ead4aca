import Model

/// What a service or a file says about a recording: everything that identity compares.
package struct IdentityRecord: Sendable, Hashable {
    package var title: String
    /// The artists as one text, as services write them: `A & B feat. C`.
    package var artist: String
    /// Empty if there is none.
    package var album: String
    /// `nil` if not known. A duration that no recording can have, below 0 or above a week, also counts as not known.
    package var durationMs: Int? {
        didSet { durationMs = Self.possible(durationMs) }
    }
    package var released: ReleaseDate?
    /// In any form; a text that is not an ISRC is ignored.
    package var isrc: String?
    /// `nil` if the service does not say. Some services also say `false` if they do not know.
    package var isExplicit: Bool?
    /// Whether the service says that lyrics were cut or replaced, which is more than just not being explicit.
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
    /// - Parameter source: the service that lists the track.
    package init(_ track: SourceTrack, of source: MusicSource) {
        self.init(
            title: track.title, artist: track.artist, album: track.album, durationMs: track.durationMs,
            released: track.releaseDate, isrc: track.isrc, isExplicit: track.isExplicit,
            isClean: source.isClean(track.isExplicit))
    }
}

extension MusicSource {
    /// Whether a service's flag means that a track is the clean version. Apple Music rates songs as `explicit`, as
    /// `clean` or not at all; Spotify says `false` for all songs that are not explicit, and for those about which it
    /// does not know.
    package func isClean(_ isExplicit: Bool?) -> Bool { self == .appleMusic && isExplicit == false }
}

/// Where a record comes from: a source and the record's id there, which do not depend on when it was read.
///
/// People's decisions are about listings, and listings break ties.
package struct Listing: Sendable, Hashable, Comparable {
    /// ``MusicSource/number``; 0 for a record without a source, to which rules about records from the same source do
    /// not apply.
    package let source: Int
    package let id: String

    package init(source: Int, id: String) {
        self.source = source
        self.id = id
    }

    package init(source: MusicSource, id: String) {
        self.init(source: source.number, id: id)
    }

    /// Orders by source, then by id.
    package static func < (left: Listing, right: Listing) -> Bool {
        if left.source != right.source { return left.source < right.source }
        return left.id < right.id
    }
}
