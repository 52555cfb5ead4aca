import Hummingbird
import Model

/// What one domain adds to the gateway.
///
/// A domain's factory stands in its folder (`GatewayDomain.concerts(…)`) and is named in ``all(_:_:)``; nothing else of
/// the gateway knows a domain by name.
package struct GatewayDomain: Sendable {
    /// In camelCase; the first part of its upkeep steps' names.
    package let name: String
    /// Adds its endpoints.
    let routes: @Sendable (GatewayRouting) -> Void
    /// Adds those that no limit of requests applies to and no credential is asked for. Who sends one all the same is
    /// found by the authentication that is handed over.
    let monitoringRoutes: @Sendable (Router<GatewayContext>, AuthenticationMiddleware) -> Void
    /// What it adds to `GET /v1/events`.
    let eventSources: [EventSource]
    /// What it does by the clock.
    let upkeepSteps: [UpkeepStep]
    let pages: [SitePage]

    init(
        _ name: String, routes: @escaping @Sendable (GatewayRouting) -> Void = { _ in },
        monitoringRoutes: @escaping @Sendable (Router<GatewayContext>, AuthenticationMiddleware) -> Void = { _, _ in },
        eventSources: [EventSource] = [], upkeepSteps: [UpkeepStep] = [], pages: [SitePage] = []
    ) {
        self.name = name
        self.routes = routes
        self.monitoringRoutes = monitoringRoutes
        self.eventSources = eventSources
        self.upkeepSteps = upkeepSteps
        self.pages = pages
    }
}

/// Where a domain's endpoints go.
struct GatewayRouting {
    /// For requests of people who are not signed in, or not yet.
    let open: Router<GatewayContext>
    /// Below `/v1`, for those who are.
    let signedIn: RouterGroup<GatewayContext>
    /// Slows those who guess credentials.
    let throttle: SignInThrottle
    /// The clock of the request limits.
    let now: @Sendable () -> MonotonicInstant
}
