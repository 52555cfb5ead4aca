import Foundation

/// The `dates` of an event, with the members that are known.
struct DatesDocument: Encodable {
    struct Start: Encodable {
        var localDate: String?
        var localTime: String?
        var dateTime: String?
        var dateTBD: Bool
        var dateTBA: Bool
        var timeTBA: Bool
        var noSpecificTime: Bool
    }

    struct End: Encodable {
        var localDate: String
        let approximate = true
        let noSpecificTime = true
    }

    struct InitialStart: Encodable {
        var localDate: String
        let localTime = "20:00:00"
        var dateTime: String
    }

    struct Status: Encodable {
        var code: String
    }

    let start: Start
    let end: End?
    let initialStartDate: InitialStart?
    let timezone: String?
    let status: Status
    let spanMultipleDays: Bool

    /// - Parameter timezone: the venue's.
    init(_ event: Event, timezone: String?) {
        start = Start(event, timezone: timezone)
        end = event.endDay.map { End(localDate: $0.description) }
        initialStartDate = event.initialDay.map {
            InitialStart(localDate: $0.description, dateTime: "\($0)T19:00:00Z")
        }
        self.timezone = event.traits.contains(.noTimezone) ? nil : timezone
        status = Status(code: event.status.rawValue)
        spanMultipleDays = event.endDay != nil
    }
}

extension DatesDocument.Start {
    fileprivate init(_ event: Event, timezone: String?) {
        localDate = event.day?.description
        if let minute = event.minute, event.day != nil, let startsAt = event.startsAt {
            localTime = Self.time(minute)
            // Without the venue's zone there is no moment in UTC.
            if timezone != nil { dateTime = Date(timeIntervalSince1970: Double(startsAt)).formatted(.iso8601) }
        }
        dateTBD = event.traits.contains(.dateTBD)
        dateTBA = event.traits.contains(.dateTBA)
        timeTBA = event.traits.contains(.timeTBA)
        noSpecificTime = event.traits.contains(.noSpecificTime)
    }

    /// A minute of the day, as `HH:mm:ss`.
    static func time(_ minute: Int16) -> String { "\(padded(minute / 60)):\(padded(minute % 60)):00" }

    private static func padded(_ number: Int16) -> String {
        number < 10 ? "0\(number)" : String(number)
    }
}
