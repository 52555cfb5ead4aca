import Hummingbird
import Model

/// The endpoints, stream events, upkeep steps and pages that one domain adds to the gateway.
///
/// A domain's factory is in its HTTP target (`GatewayDomain.concerts(…)`), and the module Composition lists all of them.
/// No code of the gateway itself names a domain.
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
    /// What the paths of its routes begin with that have a secret in the next segment, such as `/p/`. No log and no
    /// error has what follows.
    let secretPaths: [String]
    /// The contents of its items in feeds.
    let feedItemSources: [FeedItemSource]
    /// How far it has found what it adds to feeds.
    let feedRefreshSources: [FeedRefreshSource]

    /// The time between two runs of a step that deletes old rows.
    package static let pruneInterval = Duration.seconds(600)

    package init(
        _ name: String, routes: @escaping @Sendable (GatewayRouting) -> Void = { _ in },
        monitoringRoutes: @escaping @Sendable (Router<GatewayContext>, AuthenticationMiddleware) -> Void = { _, _ in },
        eventSources: [EventSource] = [], upkeepSteps: [UpkeepStep] = [], pages: [SitePage] = [],
        secretPaths: [String] = [], feedItemSources: [FeedItemSource] = [], feedRefreshSources: [FeedRefreshSource] = []
    ) {
        self.name = name
        self.routes = routes
        self.monitoringRoutes = monitoringRoutes
        self.eventSources = eventSources
        self.upkeepSteps = upkeepSteps
        self.pages = pages
        self.secretPaths = secretPaths
        self.feedItemSources = feedItemSources
        self.feedRefreshSources = feedRefreshSources
    }
}

/// The routers and shared state that a domain adds its endpoints with.
package struct GatewayRouting {
    /// The root, for requests without authentication.
    package let open: Router<GatewayContext>
    /// `/v1`, after ``AuthenticationMiddleware``.
    package let signedIn: RouterGroup<GatewayContext>
    /// Slows addresses that guess credentials.
    package let throttle: SignInThrottle
    /// The clock of the request limits.
    package let now: @Sendable () -> MonotonicInstant
}
