import Accounts
import Concerts
import Gateway
import HTTPTypes
import Hummingbird
import Model
import Storage

/// `/v1/calendar/{secret}.ics`: a person's calendar, for programs that have its address and nothing else.
///
/// It shows what is stored, and reading it asks no upstream. As long as programs read it, its person's artists are looked
/// up daily (``CalendarReadings``).
struct SubscribedCalendarRoutes: Sendable {
    /// What the path of a calendar begins with.
    static let prefix = "/v1/calendar/"
    /// The most requests of an address at once, which come back over a minute. The servers of one provider read the
    /// calendars of many people.
    static let requestsPerMinute = 60

    private let database: Database
    private let cityNames: CityNames
    private let readings: CalendarReadings
    private let limit: AddressLimit

    /// - Parameter now: the clock of the limit.
    init(
        database: Database, cityNames: CityNames, readings: CalendarReadings, proxies: TrustedProxies,
        now: @escaping @Sendable () -> MonotonicInstant
    ) {
        (self.database, self.cityNames, self.readings) = (database, cityNames, readings)
        limit = AddressLimit(requestsPerMinute: Self.requestsPerMinute, proxies: proxies, now: now)
    }

    /// The path of a calendar.
    static func path(of token: CalendarToken) -> String { prefix + token.secret.reveal() + ".ics" }

    func add(to router: Router<GatewayContext>) {
        router.get("v1/calendar/{secret}.ics", use: show)
        router.head("v1/calendar/{secret}.ics", use: showHead)
    }

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        if let delay = limit.wait(of: request, context) { throw Problem.tooManyCalendars(retryAfter: delay) }
        guard let token = CalendarToken(try context.parameters.require("secret")),
            let bytes = try await calendar(at: token)
        else { throw Problem.unknownCalendar }
        return .cacheable(
            bytes, of: "text/calendar; charset=utf-8",
            headers: [
                // The name that a browser would choose contains the secret.
                .contentDisposition: #"attachment; filename="concerts.ics""#,
                .referrerPolicy: "no-referrer", .robotsTag: "noindex, nofollow, noarchive",
            ], for: request)
    }

    @Sendable private func showHead(_ request: Request, _ context: GatewayContext) async throws -> Response {
        do {
            return try await show(request, context).createHeadResponse()
        } catch let problem as Problem {
            return problem.response().createHeadResponse()
        }
    }

    private func calendar(at token: CalendarToken) async throws -> [UInt8]? {
        let now = Timestamp.now()
        let found = try await database.read { [cityNames] reader in
            try reader.concerts.calendar(at: token).map { found in
                let home: HomeCity? =
                    found.subscription.places == .home
                    ? try reader.accounts.homeCity(userID: found.userID).flatMap { HomeCity($0, names: cityNames) }
                    : nil
                let area = try home.map { try HomeArea($0, cityNames: cityNames, in: reader) }
                let shows = try CalendarShows(
                    ofUser: found.userID, in: area, cityNames: cityNames, now: now, in: reader)
                return (found, SubscribedCalendar(shows.shows, madeAt: found.subscription.madeAt).bytes)
            }
        }
        guard let (calendar, bytes) = found else { return nil }
        readings.note(calendar.subscription, ofUser: calendar.userID, at: token, now)
        return bytes
    }
}

extension Problem {
    /// The answer for every address without a calendar, whatever the reason.
    fileprivate static let unknownCalendar = Problem(
        .notFound, code: .notFound, title: "No calendar",
        detail: "There is no calendar at this address. It was replaced or switched off, or the address is incomplete. "
            + "Whoever it belongs to can make a new one under Profile, Settings, Calendar.")

    fileprivate static func tooManyCalendars(retryAfter delay: Int) -> Problem {
        Problem(
            .tooManyRequests, code: .tooManyRequests, title: "Too many requests",
            detail: "Your network has read many calendars within a minute. Wait \(delay) s, and read them less often.",
            retryAfter: delay)
    }
}
