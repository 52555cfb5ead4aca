import Model
import Storage

/// The calendars to which people's programs subscribe.
extension ConcertStore {
    /// A person's calendar; `nil` while it is off.
    package func calendar(ofUser userID: String) throws -> CalendarSubscription? {
        try transaction.row(
            "SELECT \(CalendarSubscription.columns) FROM concert_calendars WHERE user_id = \(userID)"
        ).map(CalendarSubscription.init)
    }

    /// Whose calendar an address shows; `nil` for an address that never was or has ended, and while its person is
    /// suspended or being erased.
    package func calendar(
        at token: CalendarToken
    ) throws -> (userID: String, subscription: CalendarSubscription)? {
        try transaction.row(
            """
            SELECT concert_calendars.user_id, \(CalendarSubscription.columns)
            FROM concert_calendars JOIN people ON people.user_id = concert_calendars.user_id
            WHERE concert_calendars.token = \(token.hash) AND people.state = 0
            """
        ).map { (userID: try $0["user_id"], subscription: try CalendarSubscription(row: $0)) }
    }

    /// A query for the ids of people whose calendars a program has read since a moment, without those who are suspended.
    package static func peopleWithCalendarsRead(since moment: Timestamp) -> PeopleCondition {
        PeopleCondition { userID in
            """
            EXISTS (
                SELECT 1 FROM concert_calendars JOIN people ON people.user_id = concert_calendars.user_id
                WHERE concert_calendars.user_id = \(userID) AND concert_calendars.read_at >= \(moment)
                    AND people.state = 0)
            """
        }
    }
}

extension ConcertStore where Access == WriteTransaction {
    /// Switches a person's calendar on, or gives it another address. The former address ends.
    package func setCalendar(_ calendar: CalendarSubscription, at token: CalendarToken, userID: String) throws {
        try transaction.run(
            """
            INSERT INTO concert_calendars (user_id, places, token, made_at, read_at)
            VALUES (\(userID), \(calendar.places), \(token.hash), \(calendar.madeAt), \(calendar.readAt))
            ON CONFLICT (user_id) DO UPDATE SET
                places = excluded.places, token = excluded.token, made_at = excluded.made_at,
                read_at = excluded.read_at
            """)
    }

    /// Changes which shows a person's calendar has.
    ///
    /// - Returns: the calendar; `nil` while it is off.
    package func changeCalendar(_ places: CalendarPlaces, userID: String) throws -> CalendarSubscription? {
        try transaction.row(
            """
            UPDATE concert_calendars SET places = \(places) WHERE user_id = \(userID)
            RETURNING \(CalendarSubscription.columns)
            """
        ).map(CalendarSubscription.init)
    }

    /// Switches a person's calendar off. Its address ends for good.
    package func removeCalendar(userID: String) throws {
        try transaction.run("DELETE FROM concert_calendars WHERE user_id = \(userID)")
    }

    /// Records that a program has read a calendar, unless it has another address by now.
    package func recordReading(ofCalendar userID: String, at token: String, _ moment: Timestamp) throws {
        try transaction.run(
            "UPDATE concert_calendars SET read_at = \(moment) WHERE user_id = \(userID) AND token = \(token)")
    }
}
