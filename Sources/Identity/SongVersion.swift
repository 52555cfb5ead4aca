/// What a title states about which recording of a song it is.
struct SongVersion: Sendable, Hashable {
    /// Each makes a recording of its own.
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
        /// A video, and not a recording of sound.
        static let video = Kinds(rawValue: 1 << 8)
        /// Shortened for the radio or for a single. Some services mark the usual recording so.
        static let edit = Kinds(rawValue: 1 << 9)
        static let remaster = Kinds(rawValue: 1 << 10)

        /// Those that only differ from an unmarked title if the durations say so, or a setting does.
        static let soft: Kinds = [.edit, .remaster]

        /// In the order in which people read them.
        static let named: [(kind: Kinds, name: String)] = [
            (.live, "live take"), (.remix, "remix"), (.acoustic, "acoustic version"), (.instrumental, "instrumental"),
            (.karaoke, "karaoke version or tribute"), (.demo, "demo"), (.extended, "extended version"),
            (.aCappella, "a cappella version"), (.video, "video"), (.edit, "radio or single edit"),
            (.remaster, "remaster"),
        ]
    }

    /// Whether the words are uncut.
    enum Wording: Sendable, Hashable {
        case explicit, clean
    }

    var kinds: Kinds = []
    /// Who made a remix, in compact form; empty if it is not said.
    var remixers = ""
    /// Where a live take was made, or on which occasion: the hashes of the words.
    var places: Set<UInt64> = []
    /// A place in ``KeywordTable/languages``.
    var language: UInt8?
    /// The number of a part: `2`, or `1-5`.
    var part: String?
    /// Other versions, such as `piano` and `taylors`: hashes of their names.
    var others: Set<UInt64> = []
    var wording: Wording?

    /// A part of a part has both numbers, the outer one first.
    mutating func add(part number: String, isOuter: Bool = false) {
        part = part.map { isOuter ? "\(number).\($0)" : "\($0).\(number)" } ?? number
    }
}
