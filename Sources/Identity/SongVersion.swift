/// What a title says about which recording of a song it is.
struct SongVersion: Sendable, Hashable {
    /// The kinds of versions. Each makes a separate recording.
    struct Kinds: OptionSet, Sendable, Hashable {
        let rawValue: UInt32

        static let live = Kinds(rawValue: 1 << 0)
        static let remix = Kinds(rawValue: 1 << 1)
        static let acoustic = Kinds(rawValue: 1 << 2)
        static let instrumental = Kinds(rawValue: 1 << 3)
        /// Karaoke, tributes, and other copies by somebody else.
        static let karaoke = Kinds(rawValue: 1 << 4)
        static let demo = Kinds(rawValue: 1 << 5)
        static let extended = Kinds(rawValue: 1 << 6)
        static let aCappella = Kinds(rawValue: 1 << 7)
        /// A video, rather than a sound recording.
        static let video = Kinds(rawValue: 1 << 8)
        /// Shortened for radio or for a single. Some services mark the usual recording this way.
        static let edit = Kinds(rawValue: 1 << 9)
        static let remaster = Kinds(rawValue: 1 << 10)

        /// The kinds that differ from an unmarked title only if the durations say so, or a setting does.
        static let soft: Kinds = [.edit, .remaster]

        /// The kinds and their names, in the order in which people read them.
        static let named: [(kind: Kinds, name: String)] = [
            (.live, "live take"), (.remix, "remix"), (.acoustic, "acoustic version"), (.instrumental, "instrumental"),
            (.karaoke, "karaoke version or tribute"), (.demo, "demo"), (.extended, "extended version"),
            (.aCappella, "a cappella version"), (.video, "video"), (.edit, "radio or single edit"),
            (.remaster, "remaster"),
        ]
    }

    /// Whether the lyrics are uncut.
    enum Wording: Sendable, Hashable {
        case explicit, clean
    }

    var kinds: Kinds = []
    /// Who made a remix, in compact form; empty if not stated.
    var remixers = ""
    /// Where a live take was made, or on which occasion: the hashes of the words.
    var places: Set<UInt64> = []
    /// An index in ``KeywordTable/languages``.
    var language: UInt8?
    /// The number of a part: `2`, or `1-5`.
    var part: String?
    /// Other versions, such as `piano` and `taylors`, as hashes of their names.
    var others: Set<UInt64> = []
    var wording: Wording?

    /// A part of a part has both numbers, the outer one first.
    mutating func add(part number: String, isOuter: Bool = false) {
        part = part.map { isOuter ? "\(number).\($0)" : "\($0).\(number)" } ?? number
    }
}
