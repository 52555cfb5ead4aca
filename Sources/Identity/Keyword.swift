/// What a folded word means in titles and lists of artists. Most words have no special meaning.
struct Keyword: Sendable {
    var term: TitleTerm?
    var roles: Roles = []
    /// The value of a Roman numeral up to 20, or of an English word up to ten or tenth; otherwise 0.
    var number: Int8 = 0

    static let none = Keyword()

    /// The uses of words, apart from the versions that they name.
    struct Roles: OptionSet, Sendable {
        let rawValue: UInt64

        /// `and` in all spellings.
        static let conjunction = Roles(rawValue: 1 << 0)
        /// Separates two artists.
        static let separator = Roles(rawValue: 1 << 1)
        /// Continues a name after `and`: `Nora & the Lanterns`, `Kool and his Gang`.
        static let nameGoesOn = Roles(rawValue: 1 << 2)
        static let the = Roles(rawValue: 1 << 3)
        /// Begins a list of guests in brackets: `with`, `duet`.
        static let withGuests = Roles(rawValue: 1 << 4)
        /// Begins a note about how a song was made or used.
        static let note = Roles(rawValue: 1 << 5)
        static let origin = Roles(rawValue: 1 << 6)
        /// Makes an edit or a version a short one.
        static let short = Roles(rawValue: 1 << 7)
        static let long = Roles(rawValue: 1 << 8)
        /// Describes a mix, and is not a name.
        static let descriptive = Roles(rawValue: 1 << 9)
        static let club = Roles(rawValue: 1 << 10)
        static let radio = Roles(rawValue: 1 << 11)
        /// Marks live takes that are acoustic.
        static let unplugged = Roles(rawValue: 1 << 12)
        /// `live`, which is also a verb.
        static let live = Roles(rawValue: 1 << 13)
        /// Makes `live` a verb if it precedes it.
        static let beforeVerb = Roles(rawValue: 1 << 14)
        /// Makes `live` mean a take if it follows it.
        static let afterLive = Roles(rawValue: 1 << 15)
        /// Describes an album's edition.
        static let edition = Roles(rawValue: 1 << 16)
        /// May end an album's title, even without brackets.
        static let albumSuffix = Roles(rawValue: 1 << 17)
        /// The words of `made famous by`, `in the style of` and the like.
        static let tribute = Roles(rawValue: 1 << 18)
        static let made = Roles(rawValue: 1 << 19)
        static let famous = Roles(rawValue: 1 << 20)
        static let style = Roles(rawValue: 1 << 21)
        static let of = Roles(rawValue: 1 << 22)
        static let backing = Roles(rawValue: 1 << 23)
        static let track = Roles(rawValue: 1 << 24)
        static let to = Roles(rawValue: 1 << 25)
        /// `remix`, which also counts at the end of a title without brackets.
        static let remix = Roles(rawValue: 1 << 26)
        static let soundtrack = Roles(rawValue: 1 << 27)
        static let romanNumeral = Roles(rawValue: 1 << 28)
        /// Numbered within a work: `movement`, `act`, `chapter`.
        static let section = Roles(rawValue: 1 << 29)
        /// `first` to `tenth`, which are not numbers elsewhere.
        static let ordinal = Roles(rawValue: 1 << 30)
        /// Makes digits an ordinal: `1st`.
        static let ordinalSuffix = Roles(rawValue: 1 << 31)
        /// Makes a take a live one if it precedes ``stage``: `in concert`.
        static let onStage = Roles(rawValue: 1 << 32)
        static let stage = Roles(rawValue: 1 << 33)
        /// Forms of `and` that are also words or letters of names: `Guns N' Roses`.
        static let innerSeparator = Roles(rawValue: 1 << 34)
        /// After a comma, the article of the name before it: `Cranberries, The`.
        static let article = Roles(rawValue: 1 << 35)
        /// Describes an ensemble, next to the name of its leader: `Nora Vale Quartet`.
        static let ensemble = Roles(rawValue: 1 << 36)
        /// After `live` at the beginning of an album's name, makes it a verb: `Live Through This`.
        static let afterVerb = Roles(rawValue: 1 << 38)
        /// Beside an album's name, says who or what plays: `(With Orchestra)`.
        static let instrument = Roles(rawValue: 1 << 39)
        /// Next to an album's name, adds something to the album: `with`, `bonus`.
        static let addition = Roles(rawValue: 1 << 37)
    }
}
