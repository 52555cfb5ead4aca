import Accounts
import Concerts
import Gateway
import HTTPTypes
import Hummingbird
import Model
import Storage

/// `/v1/concerts/{id}`: one show, as far as lookups have found it. Reading it causes no lookup.
struct ShowRoutes {
    let database: Database
    let cityNames: CityNames
    let pictures: PicturePaths

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("concerts/{id}.ics", use: calendar)
        group.get("concerts/:id", use: show)
    }

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let detail = try await detail(context)
        return .cacheable(ShowDetailResource(detail: detail, pictures: pictures).json, for: request)
    }

    /// The show as a calendar file.
    @Sendable private func calendar(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let item = try await detail(context).item
        let calendar = ConcertCalendar([item], now: .now())
        guard calendar.count > 0 else {
            throw Problem.conflict(
                code: .noDates, "The show has no date yet, so there is nothing to put into a calendar.")
        }
        return .calendarFile(calendar, day: item.localDate)
    }

    private func detail(_ context: GatewayContext) async throws -> ShowDetail {
        let (id, userID) = (try context.parameters.require("id"), try context.userID)
        let detail = try await database.read { [cityNames] reader in
            let home = try reader.accounts.homeCity(userID: userID).flatMap { HomeCity($0, names: cityNames) }
            return try ShowDetail(id: id, homeCity: home, cityNames: cityNames, in: reader)
        }
        guard let detail else { throw Self.notFound }
        return detail
    }

    private static var notFound: Problem {
        Problem(
            .notFound, code: .notFound, title: "Not found",
            detail: "No search has found a concert with this id, or it was over long ago and is forgotten.")
    }
}

extension Response {
    /// - Parameter day: the day of the only show; `nil` for several.
    static func calendarFile(_ calendar: ConcertCalendar, day: LocalDate?) -> Response {
        let name = "concert\(day.map { "-\($0)" } ?? "s").ics"
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/calendar; charset=utf-8", .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"\(name)\"",
            ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: calendar.bytes)))
    }
}
