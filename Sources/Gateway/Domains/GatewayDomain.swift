import Hummingbird
import Model

/// The endpoints, stream events, upkeep steps and pages that one domain adds to the gateway.
///
/// A domain's factory is in its folder (`GatewayDomain.concerts(…)`) and is listed in ``all(_:_:)``. No other code of
/// the gateway names a domain.
package struct GatewayDomain: Sendable {
    /// In camelCase; the prefix of the names of its upkeep steps.
    package let name: String
    /// Adds its endpoints.
    let routes: @Sendable (GatewayRouting) -> Void
    /// Adds endpoints before the limits of requests. They can use the given authentication to identify a client that
    /// sends a credential, and its admission to apply the limits themselves.
    let monitoringRoutes: @Sendable (Router<GatewayContext>, AuthenticationMiddleware) -> Void
    /// Its events in `GET /v1/events`.
    let eventSources: [EventSource]
    /// Its periodic work.
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

/// The routers and shared state that a domain adds its endpoints with.
struct GatewayRouting {
    /// The root, for requests without authentication.
    let open: Router<GatewayContext>
    /// `/v1`, after ``AuthenticationMiddleware``.
    let signedIn: RouterGroup<GatewayContext>
    /// Slows addresses that guess credentials.
    let throttle: SignInThrottle
    /// The clock of the request limits.
    let now: @Sendable () -> MonotonicInstant
}
