import Foundation

extension DocumentWriter {
    /// Writes `dates`, with the members that are known.
    func writeDates(of event: Event, to json: inout JSONWriter) {
        let timezone = catalog.venues[Int(event.venue)].timezone
        json.object("dates") { json in
            json.object("start") { json in writeStart(of: event, to: &json) }
            if let endDay = event.endDay {
                json.object("end") { json in
                    json.string("localDate", endDay.description)
                    json.bool("approximate", true)
                    json.bool("noSpecificTime", true)
                }
            }
            if let initialDay = event.initialDay {
                json.object("initialStartDate") { json in
                    json.string("localDate", initialDay.description)
                    json.string("localTime", "20:00:00")
                    json.string("dateTime", "\(initialDay)T19:00:00Z")
                }
            }
            if !event.traits.contains(.noTimezone), let timezone { json.string("timezone", timezone) }
            json.object("status") { json in json.string("code", event.status.rawValue) }
            json.bool("spanMultipleDays", event.endDay != nil)
        }
    }

    private func writeStart(of event: Event, to json: inout JSONWriter) {
        if let day = event.day { json.string("localDate", day.description) }
        if let minute = event.minute, event.day != nil, let startsAt = event.startsAt {
            json.string("localTime", "\(Self.padded(minute / 60)):\(Self.padded(minute % 60)):00")
            // Without the venue's zone there is no moment in UTC.
            if catalog.venues[Int(event.venue)].timezone != nil {
                json.string("dateTime", Date(timeIntervalSince1970: Double(startsAt)).formatted(.iso8601))
            }
        }
        json.bool("dateTBD", event.traits.contains(.dateTBD))
        json.bool("dateTBA", event.traits.contains(.dateTBA))
        json.bool("timeTBA", event.traits.contains(.timeTBA))
        json.bool("noSpecificTime", event.traits.contains(.noSpecificTime))
    }

    private static func padded(_ number: Int16) -> String {
        number < 10 ? "0\(number)" : String(number)
    }
}
