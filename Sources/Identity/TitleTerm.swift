/// What a word means in the part of a title that states a version.
enum TitleTerm: Sendable, Hashable {
    case kind(SongVersion.Kinds)
    /// `mix`: somebody's remix after a name, or the version that another term names.
    case mix
    /// `edit`: like `mix`.
    case edit
    case version
    case explicit
    case clean
    /// Says nothing about the recording: `album version`, `bonus track`, `deluxe edition`.
    case neutral
    /// Like `neutral`, if something else in the part of the title is recognized: `the`, `original`.
    case filler
    /// An index in ``KeywordTable/languages``.
    case language(UInt8)
    /// An index in ``KeywordTable/otherVersions``.
    case other(UInt8)
    case part
    case feature
}
