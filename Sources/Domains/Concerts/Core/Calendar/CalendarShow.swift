import Model

/// A show in a person's calendar.
package struct CalendarShow: Sendable, Equatable {
    /// The listing that the calendar shows. One listing has the same entry as long as the calendar has it.
    package let item: ConcertListItem
    /// Its day; of a postponed or cancelled show that has none any longer, the day that it had before.
    package let date: LocalDate
    /// When a lookup first found the listing; `nil` when that was before this was noted.
    package let firstSeenAt: Timestamp?

    package init(_ item: ConcertListItem, on date: LocalDate, firstSeenAt: Timestamp?) {
        (self.item, self.date, self.firstSeenAt) = (item, date, firstSeenAt)
    }

    /// The order in a calendar: by day, time and id.
    static func isBefore(_ left: CalendarShow, _ right: CalendarShow) -> Bool {
        func key(_ show: CalendarShow) -> (Int, Int, String) {
            (show.date.dayNumber, show.item.localTime?.secondOfDay ?? .max, show.item.id)
        }
        return key(left) < key(right)
    }
}
