/// One reason for or against two records being the same song.
package enum Evidence: Sendable, Hashable {
    // Codes
    case sameISRC(String)
    case otherISRCs(String, String)

    // Titles
    /// The titles are equal, ignoring versions and guests.
    case titlesEqual(String, String)
    case titlesNearlyEqual(String, String)
    /// One title has an addition that the other lacks.
    case subtitleMissing(String, String)
    /// Titles in different scripts cannot be compared.
    case titlesInOtherScripts(String, String, soundAlike: Bool)
    case titlesDiffer(String, String)
    /// The titles are equal except for their numbers.
    case numbersDiffer(String, String)

    // Artists
    case artistsEqual
    /// One names artists whom the other omits.
    case artistsAmongOthers(String, String)
    case artistsOverlap(String, String)
    /// One name has the words of the other in a different order, or more words.
    case artistsAlike(String, String)
    /// One artist may be one of several, or part of a name.
    case artistsPart(String, String)
    case artistsInOtherScripts(String, String)
    case titleUnknown
    case artistUnknown
    case artistsDiffer(String, String)

    // Versions
    /// Only one is this kind of version.
    case onlyOneIs(String)
    /// Only one is on an album of this kind of version.
    case onlyOneByAlbum(String)
    case remixersDiffer
    case remixerUnknown
    case livePlacesDiffer
    case liveTakesOfTwoReleases
    case liveByAlbum
    case partsDiffer(String?, String?)
    case languagesDiffer(String?, String?)
    case otherVersionsDiffer
    case otherVersionsByAlbum
    case wordingsDiffer
    case remasterCounts
    case remasterDoesNotCount

    // Durations, in milliseconds
    case durationsNear(Int)
    case durationsLoose(Int)
    case durationsDiffer(Int)
    case durationUnknown

    // Albums
    case albumsEqual(String)
    case albumsAlike(String, String)
    case albumsDiffer(String, String)
    case albumUnknown
    case twiceOnOneAlbum(String)

    /// A sentence for people.
    package var text: String {
        switch self {
        case .sameISRC(let isrc): "Both have the recording code (ISRC) \(isrc)."
        case .otherISRCs(let one, let other): "Their recording codes (ISRC) differ: \(one) and \(other)."
        case .titlesEqual(let one, let other):
            Self.isOne(one, other) ? "The titles agree: “\(one)”." : "The titles agree: “\(one)” and “\(other)”."
        case .titlesNearlyEqual(let one, let other): "The titles differ only slightly: “\(one)” and “\(other)”."
        case .subtitleMissing(let one, let other): "One title has an addition: “\(one)” and “\(other)”."
        case .titlesInOtherScripts(let one, let other, let soundAlike):
            soundAlike
                ? "The titles are in different scripts and may sound alike: “\(one)” and “\(other)”."
                : "The titles are in different scripts and cannot be compared: “\(one)” and “\(other)”."
        case .numbersDiffer(let one, let other): "The titles differ in their numbers: “\(one)” and “\(other)”."
        case .titlesDiffer(let one, let other): "The titles differ: “\(one)” and “\(other)”."
        case .artistsEqual: "The artists agree."
        case .artistsAmongOthers(let one, let other): "One names more artists: “\(one)” and “\(other)”."
        case .artistsOverlap(let one, let other): "Only some of the artists agree: “\(one)” and “\(other)”."
        case .artistsAlike(let one, let other):
            "The artists' names are similar and may refer to the same artist: “\(one)” and “\(other)”."
        case .artistsPart(let one, let other):
            "One artist may be one of several, or part of a name: “\(one)” and “\(other)”."
        case .artistsInOtherScripts(let one, let other):
            "The artists are in different scripts and cannot be compared: “\(one)” and “\(other)”."
        case .titleUnknown: "At least one of them has no title."
        case .artistUnknown: "The artist of at least one of them is not known."
        case .artistsDiffer(let one, let other): "The artists differ: “\(one)” and “\(other)”."
        case .onlyOneIs(let version): "Only one is marked as \(version)."
        case .onlyOneByAlbum(let version): "Only one is on an album that is marked as \(version)."
        case .remixersDiffer: "They are remixes by different people."
        case .remixerUnknown: "Both are remixes, and only one says by whom."
        case .livePlacesDiffer: "They are live takes from different occasions."
        case .liveTakesOfTwoReleases: "They are live takes on different albums, without a recording code in common."
        case .liveByAlbum: "Only one is on a live album."
        case .partsDiffer(let one, let other): "They are different parts: \(Self.part(one)) and \(Self.part(other))."
        case .languagesDiffer(let one, let other):
            "They are versions in different languages: \(one ?? "not stated") and \(other ?? "not stated")."
        case .otherVersionsDiffer: "The titles name different versions."
        case .otherVersionsByAlbum: "According to their albums, they are different versions."
        case .wordingsDiffer: "One is the explicit version, and the other the clean one."
        case .remasterCounts: "One is a remaster, which counts as the same song."
        case .remasterDoesNotCount: "One is a remaster, which your setting counts as another song."
        case .durationsNear(let difference):
            difference == 0 ? "The durations are equal." : "The durations are \(Self.seconds(difference)) apart."
        case .durationsLoose(let difference):
            "The durations are \(Self.seconds(difference)) apart, which is at most a tenth."
        case .durationsDiffer(let difference):
            "The durations are \(Self.seconds(difference)) apart, which is more than a tenth."
        case .durationUnknown: "The duration of at least one of them is not known."
        case .albumsEqual(let album): "The albums agree: “\(album)”."
        case .albumsAlike(let one, let other): "They are editions of one album: “\(one)” and “\(other)”."
        case .albumsDiffer(let one, let other): "The albums differ: “\(one)” and “\(other)”."
        case .albumUnknown: "The album of at least one of them is not known."
        case .twiceOnOneAlbum(let album): "They are two tracks of one album at the same source: “\(album)”."
        }
    }

    /// Whether two texts look the same. Long texts are not normalized, for the reason given at
    /// ``TokenText/longestFolded``.
    private static func isOne(_ one: String, _ other: String) -> Bool {
        max(one.utf8.count, other.utf8.count) <= TokenText.longestFolded
            ? one == other : one.utf8.elementsEqual(other.utf8)
    }

    private static func part(_ part: String?) -> String { part.map { "part \($0)" } ?? "no part" }

    private static func seconds(_ milliseconds: Int) -> String {
        let tenths = (milliseconds + 50) / 100
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}
