import Concerts
import Gateway
import HTTPTypes
import Hummingbird
import Model
import Storage

/// `/v1/me/calendar`: whether a person's calendar is on, which shows it has, and its address, which is shown once.
struct CalendarRoutes {
    let database: Database
    let watching: ConcertWatching
    let address: SiteAddress
    let maximumBodyBytes: Int

    private static let path = "/v1/me/calendar"

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("me/calendar", use: show)
        group.post("me/calendar", use: make)
        group.patch("me/calendar", use: change)
        group.delete("me/calendar", use: remove)
    }

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        guard let calendar = try await database.read({ try $0.concerts.calendar(ofUser: userID) }) else {
            return Response(status: .noContent)
        }
        return .json(.ok, JSONWriter.object { calendar.write(to: &$0) })
    }

    /// Switches the calendar on, or gives it another address. From then on the person's artists are looked up daily.
    @Sendable private func make(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let bytes = try await request.bodyBytes(limit: maximumBodyBytes)
        let body = try RequestField.body(bytes.isEmpty ? Array("{}".utf8) : bytes)
        let wanted = try body.object(["places"])["places"].map(Self.places)
        let token = CalendarToken.random()
        let calendar = try await database.write { [watching] transaction in
            let places = try wanted ?? transaction.concerts.calendar(ofUser: userID)?.places ?? .home
            let calendar = CalendarSubscription(places: places, madeAt: .now(), readAt: nil)
            try transaction.concerts.setCalendar(calendar, at: token, userID: userID)
            try watching.open(userID: userID, isFirst: false, in: transaction)
            return calendar
        }
        return .json(
            .created,
            JSONWriter.object { json in
                calendar.write(to: &json)
                json.member("url", (address.url ?? "") + SubscribedCalendarRoutes.path(of: token))
            }, headers: [.location: Self.path])
    }

    @Sendable private func change(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let body = try await request.json(limit: maximumBodyBytes)
        guard let field = try body.object(["places"])["places"] else {
            throw body.refuse("the field places is missing.")
        }
        let places = try Self.places(field)
        guard let calendar = try await database.write({ try $0.concerts.changeCalendar(places, userID: userID) }) else {
            throw Problem(
                .notFound, code: .notFound, title: "Not found",
                detail: "Your calendar is off. 'POST \(Self.path)' switches it on.")
        }
        return .json(.ok, JSONWriter.object { calendar.write(to: &$0) })
    }

    @Sendable private func remove(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        try await database.write { try $0.concerts.removeCalendar(userID: userID) }
        return Response(status: .noContent)
    }

    private static func places(_ field: RequestField) throws -> CalendarPlaces {
        try field.value("expected home or anywhere") { CalendarPlaces(name: $0) }
    }
}

extension CalendarSubscription {
    /// Writes what the API shows of a calendar, as members of an object.
    fileprivate func write(to json: inout JSONWriter) {
        json.member("places", places.name)
        json.member("madeAt", madeAt)
        json.member("lastReadAt", readAt)
    }
}
