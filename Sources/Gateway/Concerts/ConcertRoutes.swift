import Concerts
import HTTPTypes
import Hummingbird
import Jobs
import Model
import Storage

/// `/v1/concert-searches` and `/v1/concerts/nearby`.
struct ConcertRoutes {
    let desk: ConcertDesk
    let maximumBodyBytes: Int

    func add(to group: RouterGroup<GatewayContext>) {
        group.post("concert-searches", use: begin)
        group.get("concert-searches", use: list)
        group.get("concert-searches/{id}.ics", use: calendar)
        group.get("concert-searches/:id", use: show)
        group.post("concert-searches/:id/cancel", use: cancel)
        group.post("concert-searches/:id/retry", use: retry)
        group.askingUpstreams.get("concerts/nearby", use: nearby)
    }

    @Sendable private func begin(_ request: Request, _ context: GatewayContext) async throws -> Response {
        // What is wrong with the page that may be the answer is said before a search begins.
        _ = try PageParameters(request)
        let filter = try filter(of: request)
        let bytes = try await request.bodyBytes(limit: maximumBodyBytes)
        let body = try RequestField.body(bytes.isEmpty ? Array("{}".utf8) : bytes)
        let fields = try body.object(["artists", "homeCity"])
        let artists = try fields["artists"].map { field in
            let names = try ArtistRequest.names(in: field)
            guard !names.isEmpty else {
                throw field.refuse("there is nobody to search for; leave the field out to search for your list.")
            }
            do {
                return try ArtistList(names: names).artists
            } catch let error as ArtistListError {
                throw Problem.invalidRequest(code: error.code, "\(field.path): \(error)", field: field.path)
            }
        }
        let homeCity = try fields["homeCity"].map { field in
            let city = try field.string(limit: 200)
            guard HomeCity(city, names: desk.cityNames) != nil else {
                throw field.refuse("'\(city)' is no city's name; leave the field out for none.")
            }
            return city
        }
        let userID = try context.userID
        let id = try await desk.begin(
            artists, homeCity: homeCity, userID: userID, idempotencyKey: try request.idempotencyKey(body: bytes))
        return try await accepted(id, filter: filter, request: request, userID: userID)
    }

    /// `202` with the search, or `200` when it is over in the time that the request waits.
    private func accepted(
        _ id: String, filter: ShowFilter, request: Request, userID: String
    ) async throws -> Response {
        var headers: HTTPFields = [.location: "/v1/concert-searches/\(id)"]
        if let wait = request.preferredWait {
            headers[.preferenceApplied] = "wait=\(wait.components.seconds)"
            _ = try await desk.wait(forSearch: id, userID: userID, within: wait)
        }
        let found = try await desk.queue.database.read { try ConcertSearchResult(id: id, userID: userID, in: $0) }
        guard let found else { throw Problem.notFound("concert search") }
        if found.outcome.state != .running, request.preferredWait != nil {
            return try await page(id, filter: filter, request: request, userID: userID, headers: headers)
        }
        return .json(.accepted, ConcertSearchResource(found).status, headers: headers)
    }

    @Sendable private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let limit = try request.pageLimit(standard: 20, maximum: 200)
        let page = try await desk.list(
            userID: try context.userID, cursor: request.cursor(of: ConcertLists.searches), limit: limit)
        return .cacheable(page, for: request)
    }

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await page(
            try context.parameters.require("id"), filter: try filter(of: request), request: request,
            userID: try context.userID)
    }

    /// `?include=&city=`: which shows of a search are asked for.
    private func filter(of request: Request) throws -> ShowFilter {
        let city = try request.parameter("city").map { text in
            guard text.count <= 200, let city = HomeCity(text, names: desk.cityNames) else {
                throw Problem.invalidRequest(
                    code: "invalidParameter",
                    "city: '\(text.prefix(40))' is no city's name; leave it out for shows everywhere.", field: "city")
            }
            return city
        }
        return ShowFilter(includesCancelled: try request.includesCancelled, city: city)
    }

    private func page(
        _ id: String, filter: ShowFilter, request: Request, userID: String, headers: HTTPFields? = nil
    ) async throws -> Response {
        let parameters = try PageParameters(request)
        let page = try await desk.page(
            id: id, userID: userID, filter: filter, cursor: parameters.cursor, limit: parameters.limit)
        guard let page else { throw Problem.notFound("concert search") }
        return headers.map { .json(.ok, page, headers: $0) } ?? .cacheable(page, for: request)
    }

    /// The shows as a file for a calendar, all or the one that `item` names.
    @Sendable private func calendar(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let item = request.parameter("item")
        let shows = try await desk.shows(
            id: try context.parameters.require("id"), userID: try context.userID, item: item,
            filter: try filter(of: request))
        guard let shows else { throw Problem.notFound("concert search") }
        guard item == nil || !shows.isEmpty else { throw Problem.notFound("show in this search") }
        let calendar = ConcertCalendar(shows, now: .now())
        // A calendar file without an entry is none (RFC 5545, section 3.6).
        guard calendar.count > 0 else {
            throw Problem.conflict(
                code: "noDates", "No show of this search has a date so far, so there is nothing for a calendar.")
        }
        let day = item == nil ? nil : shows.first?.localDate
        let name = "concert\(day.map { "-\($0)" } ?? "s").ics"
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/calendar; charset=utf-8", .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"\(name)\"",
            ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: calendar.bytes)))
    }

    @Sendable private func cancel(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id = try context.parameters.require("id")
        let userID = try context.userID
        guard try await desk.cancel(id: id, userID: userID) else { throw Problem.notFound("concert search") }
        let found = try await desk.queue.database.read { try ConcertSearchResult(id: id, userID: userID, in: $0) }
        guard let found else { throw Problem.notFound("concert search") }
        guard found.outcome.state == .cancelled else {
            throw Problem.conflict(
                code: "alreadyFinished",
                "The search is \(found.outcome.state.rawValue); there is nothing left to cancel.")
        }
        return .json(.ok, ConcertSearchResource(found).status)
    }

    @Sendable private func retry(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id = try context.parameters.require("id")
        let userID = try context.userID
        guard let count = try await desk.retry(id: id, userID: userID) else {
            throw Problem.notFound("concert search")
        }
        guard count > 0 else {
            throw Problem.conflict(
                code: "nothingToRetry", "The search still runs, or found out about all its artists: nothing failed.")
        }
        return try await accepted(id, filter: try filter(of: request), request: request, userID: userID)
    }

    @Sendable private func nearby(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        guard let city = request.parameter("city"), let key = desk.cityNames.key(for: city), city.count <= 200 else {
            throw Problem.invalidRequest(
                code: "invalidParameter", "city: name a city, in 200 characters at most, such as ?city=Prague.",
                field: "city")
        }
        let radius = request.parameter("radius").map { Int($0) ?? -1 } ?? ConcertSearches.standardRadius
        guard ConcertSearches.radiusRange.contains(radius) else {
            throw Problem.invalidRequest(
                code: "invalidParameter",
                "radius: expected whole kilometres from \(ConcertSearches.radiusRange.lowerBound) to "
                    + "\(ConcertSearches.radiusRange.upperBound), found '\((request.parameter("radius") ?? "").prefix(40))'.",
                field: "radius")
        }
        let parameters = try PageParameters(request)
        // The city is the middle of what is asked for, and shows around it count as well.
        let filter = ShowFilter(includesCancelled: try request.includesCancelled)
        if let fresh = try await desk.freshNearby(
            city: city, cityKey: key, radius: radius,
            filter: filter, cursor: parameters.cursor, limit: parameters.limit)
        {
            return .cacheable(fresh, for: request)
        }
        let id = try await desk.beginNearby(city: city, cityKey: key, radius: radius, userID: userID)
        return try await accepted(id, filter: filter, request: request, userID: userID)
    }
}

/// `?cursor=&limit=` of a page of shows.
private struct PageParameters {
    var cursor: ConcertPage.Position?
    var limit: Int

    init(_ request: Request) throws {
        limit = try request.pageLimit(standard: 50, maximum: 200)
        cursor = try request.cursor(of: ConcertLists.shows)
    }
}

extension Request {
    /// `?include=cancelled`
    fileprivate var includesCancelled: Bool {
        get throws {
            switch parameter("include") {
            case nil: return false
            case "cancelled": return true
            case let other?:
                throw Problem.invalidRequest(
                    code: "invalidParameter", "include: only 'cancelled' is known here, found '\(other.prefix(40))'.",
                    field: "include")
            }
        }
    }
}
