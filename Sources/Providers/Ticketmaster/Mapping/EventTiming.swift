import Foundation
import Model

/// When an event begins and ends, according to its `dates` object.
struct EventTiming {
    var date: LocalDate?
    var time: LocalTime?
    var timeTBA: Bool
    var dateTBA: Bool
    /// The first announced date of an event that was moved.
    var initialDate: LocalDate?
    /// The last day of an event that lasts several days.
    var endDate: LocalDate?
    var startsAt: Timestamp?
    /// Later than ``startsAt``.
    var endsAt: Timestamp?
    /// When the doors open on ``date``, before the event begins.
    var doorsAt: LocalTime?

    /// How many days the event lasts.
    var days: Int { date.flatMap { first in endDate.map { first.days(to: $0) + 1 } } ?? 1 }

    /// - Parameters:
    ///   - doors: when the doors open.
    ///   - venueZone: the venue's time zone, for events without one.
    init(_ response: DatesResponse?, doors: DateResponse? = nil, venueZone: String?) {
        let clock = VenueClock([response?.timezone, venueZone])
        let start = LocalDateTime(response?.start, clock: clock)
        (date, time, timeTBA, dateTBA) = (start.date, start.time, start.timeTBA, start.dateTBA)
        initialDate = LocalDateTime(response?.initialStart, clock: clock).date
        startsAt = start.moment(clock)
        let opening = LocalDateTime(doors, clock: clock)
        if let opens = opening.time, opening.date == date, date != nil, time.map({ opens <= $0 }) ?? true {
            doorsAt = opens
        }

        let end = LocalDateTime(end: response?.end, clock: clock)
        // An error in the record, such as the year 9999: no evening or festival lasts that long.
        guard start.days(to: end) <= LocalDateTime.longestRun else { return }
        endDate = end.lastDay(after: start, isSeveralDays: response?.spansMultipleDays)
        if response?.end?.isApproximate != true, let moment = end.moment(clock), let startsAt, moment > startsAt {
            endsAt = moment
        }
    }
}

/// A day and a time of day at the venue.
private struct LocalDateTime {
    var date: LocalDate?
    var time: LocalTime?
    var timeTBA = false
    var dateTBA = false
    /// The same moment in UTC, as announced.
    private var announced: Timestamp?

    /// An event that ends before this time in the morning belongs to the evening before.
    private static let smallHours = 6 * 3_600
    /// The longest evening: a night that begins late and ends in the morning.
    private static let longestEvening = 12 * 3_600
    /// The same if the record says that the event does not last several days.
    private static let longestNight = 15 * 3_600
    private static let day = 86_400
    /// The most days that an event may last.
    static let longestRun = 366

    /// Reads `dates.start` and similar objects.
    init(_ response: DateResponse?, clock: VenueClock) {
        guard let response else { return }
        dateTBA = response.dateTBA || response.dateTBD
        timeTBA = response.timeTBA
        // A date that is to be announced is a placeholder, even if one is given.
        guard !response.dateTBA else { return }
        announced = response.dateTime.flatMap { Timestamp(rfc3339: $0) }
        let local = announced.flatMap(clock.local)
        date = Self.real(response.localDate.flatMap { LocalDate($0) }) ?? Self.real(local?.date)
        if date != nil, !response.timeTBA, !response.noSpecificTime {
            time = response.localTime.flatMap { LocalTime($0) } ?? local?.time
        }
    }

    /// Reads `dates.end`, whose local time is often a copy of the start's: the UTC time counts, unless it is on another
    /// day than the local date.
    init(end response: DateResponse?, clock: VenueClock) {
        self.init(response, clock: clock)
        guard let response, date != nil, !response.timeTBA, !response.noSpecificTime else { return }
        if let local = announced.flatMap(clock.local), local.date == date {
            time = local.time
        } else if response.localDate == nil {
            time = nil
        }
    }

    /// The last day of an event that lasts several days; `nil` when this end is on the day, or in the evening, on which
    /// it begins.
    ///
    /// An end in the small hours belongs to the evening before. If that would leave one day although the record says
    /// that the event has several, the end is used as written. If the record says that the event does not have several
    /// days, an end on the next day is that of a night.
    func lastDay(after start: LocalDateTime, isSeveralDays: Bool?) -> LocalDate? {
        guard let first = start.date, let date, date > first else { return nil }
        if isSeveralDays == false, first.days(to: date) == 1, isOfNight(after: start) { return nil }
        let evening = endsInTheNight(after: start) ? LocalDate(dayNumber: date.dayNumber - 1) ?? date : date
        if evening > first { return evening }
        return isSeveralDays == true ? date : nil
    }

    /// Whether an end on the next day can be that of a night: its time is not known, or not later than the longest night
    /// lasts.
    private func isOfNight(after start: LocalDateTime) -> Bool {
        guard let time, let begin = start.time else { return true }
        return Self.day + time.secondOfDay - begin.secondOfDay <= Self.longestNight
    }

    /// The days from this one to another; 0 if either is unknown.
    func days(to other: LocalDateTime) -> Int {
        date.flatMap { first in other.date.map(first.days(to:)) } ?? 0
    }

    private func endsInTheNight(after start: LocalDateTime) -> Bool {
        guard let first = start.date, let date, let time else { return false }
        let isNextDay = first.days(to: date) == 1
        // Midnight after several days is usually a placeholder for a time that nobody entered.
        if time.secondOfDay == 0 { return isNextDay }
        if time.secondOfDay <= Self.smallHours { return true }
        guard isNextDay, let begin = start.time else { return false }
        return Self.day + time.secondOfDay - begin.secondOfDay <= Self.longestEvening
    }

    /// The moment in UTC. An announced UTC time counts if it is this time at the venue; otherwise it is calculated from
    /// the venue's clock.
    func moment(_ clock: VenueClock) -> Timestamp? {
        guard let date, let time else { return nil }
        if let announced, clock.shows(date, time, at: announced) { return announced }
        return clock.moment(date, time)
    }

    /// 1900-01-01 stands for "unknown" in many of Ticketmaster's records.
    private static func real(_ date: LocalDate?) -> LocalDate? {
        date.flatMap { $0.year > 1900 ? $0 : nil }
    }
}

/// The clock at a venue. Without a known zone it shows nothing.
private struct VenueClock {
    private let zone: TimeZone?

    /// The offsets from UTC that clocks use, in seconds; they are multiples of a quarter of an hour.
    private static let offsets = -12 * 3_600...14 * 3_600
    private static let quarter = 900

    /// - Parameter names: IANA names of the zone; the first that exists is used.
    init(_ names: [String?]) {
        zone = names.lazy.compactMap { $0.flatMap { TimeZone(identifier: $0) } }.first
    }

    func local(_ moment: Timestamp) -> (date: LocalDate, time: LocalTime)? {
        guard let zone else { return nil }
        let seconds = Int(moment.microseconds / 1_000_000)
        let shifted = seconds + Self.offset(of: zone, at: seconds)
        // bounded: RFC 3339 has four digits for the year.
        let day = Int((Double(shifted) / 86_400).rounded(.down))
        guard let date = LocalDate(dayNumber: day), let time = LocalTime(secondOfDay: shifted - day * 86_400) else {
            return nil
        }
        return (date, time)
    }

    /// Whether a time at the venue is this moment. Without a zone, the difference has to be an offset that clocks use.
    func shows(_ date: LocalDate, _ time: LocalTime, at moment: Timestamp) -> Bool {
        if zone != nil { return local(moment).map { $0 == (date, time) } ?? false }
        let difference = Self.seconds(date, time) - Int(moment.microseconds / 1_000_000)
        return Self.offsets.contains(difference) && difference.isMultiple(of: Self.quarter)
    }

    /// The moment of a time at the venue. If a change of the clock repeats the time, either moment is right.
    func moment(_ date: LocalDate, _ time: LocalTime) -> Timestamp? {
        guard let zone else { return nil }
        let local = Self.seconds(date, time)
        let guess = local - Self.offset(of: zone, at: local)
        let seconds = local - Self.offset(of: zone, at: guess)
        return Timestamp(microseconds: Int64(seconds) * 1_000_000)
    }

    private static func offset(of zone: TimeZone, at seconds: Int) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
    }

    /// Seconds since 1970-01-01 on the clock. Dates have years up to 9999.
    private static func seconds(_ date: LocalDate, _ time: LocalTime) -> Int {
        date.dayNumber * day + time.secondOfDay
    }

    private static let day = 86_400
}
