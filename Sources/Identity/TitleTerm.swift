/// What a word means in the part of a title that tells a version.
enum TitleTerm: Sendable, Hashable {
    case kind(SongVersion.Kinds)
    /// `mix`: with a name before it, somebody's; with another term, that.
    case mix
    /// `edit`: likewise.
    case edit
    case version
    case explicit
    case clean
    /// Says nothing about the recording: `album version`, `bonus track`, `deluxe edition`.
    case neutral
    /// Like `neutral`, if something else in the part of the title is recognised: `the`, `original`.
    case filler
    /// A place in ``KeywordTable/languages``.
    case language(UInt8)
    /// A place in ``KeywordTable/otherVersions``.
    case other(UInt8)
    case part
    case feature
}
