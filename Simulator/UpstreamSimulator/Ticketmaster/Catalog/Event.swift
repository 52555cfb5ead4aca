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
        /// Some of its values are named in no documentation.
        static let unknownValues = Traits(rawValue: 1 << 8)
        /// `_embedded` is missing altogether.
        static let bare = Traits(rawValue: 1 << 9)
    }

    package enum Status: String, Sendable {
        case onsale, offsale, cancelled, canceled, postponed, rescheduled
        /// A status that no documentation names.
        case onhold
    }

    package var id: String
    package var name: String
    /// The indices of its attractions in the catalog, the headliner first.
    package var attractions: [Int32]
    /// The index of its venue in the catalog.
    package var venue: Int32
    package var classification: Classification?
    package var day: LocalDay?
    /// Minutes after midnight, local time.
    package var minute: Int16?
    /// The original day of a postponed show.
    package var initialDay: LocalDay?
    /// The last day of an event that lasts several days.
    package var endDay: LocalDay?
    package var status: Status = .onsale
    /// The day on which the sale begins; `nil` for one that is derived from the id.
    package var saleDay: LocalDay?
    package var traits: Traits = []
    /// The only locale in which the event is published.
    package var locale = "en-us"
    /// The start in seconds since 1970; local midnight if no time is known. The catalog fills it in.
    package var startsAt: Int64?
}
