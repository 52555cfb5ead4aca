/// One entry of the events list: a show, or something sold around one.
package struct Event: Sendable {
    package struct Traits: OptionSet, Sendable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }

        /// No date is known: neither `localDate` nor `localTime`.
        static let dateTBA = Traits(rawValue: 1 << 0)
        static let dateTBD = Traits(rawValue: 1 << 1)
        static let timeTBA = Traits(rawValue: 1 << 2)
        static let noSpecificTime = Traits(rawValue: 1 << 3)
        /// `"test": true`.
        static let test = Traits(rawValue: 1 << 4)
        /// `dates.timezone` is missing.
        static let noTimezone = Traits(rawValue: 1 << 5)
        /// `priceRanges` is there, which is rare.
        static let priced = Traits(rawValue: 1 << 6)
        /// Sold as an addition to a show.
        static let upsell = Traits(rawValue: 1 << 7)
        /// Something in it has a value that no document names.
        static let unknownValues = Traits(rawValue: 1 << 8)
        /// `_embedded` is missing altogether.
        static let bare = Traits(rawValue: 1 << 9)
    }

    package enum Status: String, Sendable {
        case onsale, offsale, cancelled, canceled, postponed, rescheduled
        /// Not a status that any document names.
        case onhold
    }

    package var id: String
    package var name: String
    /// Indices into the catalogue's attractions, the headliner first.
    package var attractions: [Int32]
    /// Index into the catalogue's venues.
    package var venue: Int32
    package var classification: Classification?
    package var day: LocalDay?
    /// Minutes after midnight, local time.
    package var minute: Int16?
    /// Where a postponed show was before.
    package var initialDay: LocalDay?
    /// The last day of something that lasts several.
    package var endDay: LocalDay?
    package var status: Status = .onsale
    package var traits: Traits = []
    /// The only locale that the event is published in.
    package var locale = "en-us"
    /// Seconds since 1970, UTC; local midnight when no time is known. The catalogue fills it in.
    package var startsAt: Int64?
}
