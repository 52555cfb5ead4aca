import Concerts
import Gateway
import HTTPTypes
import Hummingbird
import Jobs
import Model

/// `/v1/concert-searches` and `/v1/concerts/nearby`.
struct ConcertRoutes {
    let service: ConcertService
    let pictures: PicturePaths
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
        // A page that the answer may need is checked before a search begins.
        let page = try ShowPageRequest(request, cityNames: service.cityNames)
        let bytes = try await request.bodyBytes(limit: maximumBodyBytes)
        let search = try ConcertSearchRequest(
            RequestField.body(bytes.isEmpty ? Array("{}".utf8) : bytes), cityNames: service.cityNames,
            pictures: pictures)
        let userID = try context.userID
        let id = try await service.begin(
            search, userID: userID, idempotencyKey: try request.idempotencyKey(body: bytes))
        return try await accepted(id, page: page, request: request, userID: userID)
    }

    /// `202` with the search, or `200` with a page of its shows when it ends while the request waits.
    private func accepted(
        _ id: String, page: ShowPageRequest, request: Request, userID: String
    ) async throws -> Response {
        var headers: HTTPFields = [.location: "/v1/concert-searches/\(id)"]
        guard let wait = request.preferredWait else {
            guard let status = try await service.status(id: id, userID: userID) else { throw Self.notFound }
            return .json(.accepted, status, headers: headers)
        }
        headers[.preferenceApplied] = "wait=\(wait.components.seconds)"
        switch try await service.awaitEnd(id: id, userID: userID, page: page, within: wait) {
        case nil: throw Self.notFound
        case .running(let status): return .json(.accepted, status, headers: headers)
        case .ended(let page): return .json(.ok, page, headers: headers)
        }
    }

    @Sendable private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let limit = try request.pageLimit(standard: 20, maximum: 200)
        let (page, seq) = try await service.list(
            userID: try context.userID, cursor: request.cursor(of: ConcertLists.searches), limit: limit)
        return .cacheable(page, seq: seq, for: request)
    }

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let page = try await service.page(
            id: try context.parameters.require("id"), userID: try context.userID,
            page: try ShowPageRequest(request, cityNames: service.cityNames))
        guard let page else { throw Self.notFound }
        return .cacheable(page, for: request)
    }

    /// The shows as a calendar file: all of them, or the one that `item` names.
    @Sendable private func calendar(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let item = request.parameter("item")
        let shows = try await service.shows(
            id: try context.parameters.require("id"), userID: try context.userID, item: item,
            filter: try ShowFilter(request, cityNames: service.cityNames))
        guard let shows else { throw Self.notFound }
        guard item == nil || !shows.isEmpty else { throw Problem.notFound("show in this search") }
        let calendar = ConcertCalendar(shows, now: .now())
        // A calendar file without an entry is not valid (RFC 5545, section 3.6).
        guard calendar.count > 0 else {
            throw Problem.conflict(
                code: .noDates, "None of the shows has a date yet, so there is nothing to put into a calendar.")
        }
        return .calendarFile(calendar, day: item == nil ? nil : shows.first?.localDate)
    }

    @Sendable private func cancel(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id = try context.parameters.require("id")
        guard let search = try await service.cancel(id: id, userID: try context.userID) else { throw Self.notFound }
        guard search.outcome.state == .cancelled else {
            throw Problem.conflict(
                code: .alreadyFinished,
                "The search is \(search.outcome.state.rawValue); there is nothing left to cancel.")
        }
        return .json(.ok, ConcertSearchResource(search).status)
    }

    @Sendable private func retry(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let page = try ShowPageRequest(request, cityNames: service.cityNames)
        let id = try context.parameters.require("id")
        let userID = try context.userID
        guard let isRetried = try await service.retry(id: id, userID: userID) else { throw Self.notFound }
        guard isRetried else {
            throw Problem.conflict(
                code: .nothingToRetry,
                "There is nothing to retry: the search is still running, or all of its artists were looked up.")
        }
        return try await accepted(id, page: page, request: request, userID: userID)
    }

    @Sendable private func nearby(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let area = try NearbyRequest(request, cityNames: service.cityNames)
        // The city is the middle of the area, and shows around it count as well.
        let page = try ShowPageRequest(request, filter: ShowFilter(ofNearby: request))
        if let fresh = try await service.freshNearby(area, page: page) { return .cacheable(fresh, for: request) }
        let id = try await service.beginNearby(area, userID: userID)
        return try await accepted(id, page: page, request: request, userID: userID)
    }

    private static var notFound: Problem { .notFound("concert search") }
}
