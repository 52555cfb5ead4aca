import HTTPTypes
import Hummingbird
import Logging
import Model
import NIOCore

/// The gateway's HTTP application: the endpoints and pages of all domains, with their shared middleware.
package struct GatewayApplication {
    let services: GatewayServices
    let domains: [GatewayDomain]
    private let requestLimit: RequestLimit?
    private let pages: WebFolder?
    private let sitePages: SitePages
    private let mediaSources: [String]
    private let connectionCap: ConnectionCap?
    private let connections: ConnectionLimits
    private let logger: Logger

    /// - Parameters:
    ///   - requestLimit: `nil` sets no limit.
    ///   - connectionCap: `nil` accepts any number of connections, even from one address.
    ///   - pages: `nil` serves only the API.
    ///   - mediaSources: the origins from which pages may play audio.
    package init(
        services: GatewayServices, domains: [GatewayDomain], requestLimit: RequestLimit?,
        connectionCap: ConnectionCap? = nil, pages: WebFolder? = nil, mediaSources: [String] = [],
        connections: ConnectionLimits = ConnectionLimits(), logger: Logger
    ) {
        self.services = services
        self.domains = domains
        services.feeds.replace(by: domains)
        self.requestLimit = requestLimit
        self.connectionCap = connectionCap
        self.pages = pages
        self.mediaSources = mediaSources
        sitePages = SitePages(
            domains.flatMap(\.pages), eventNames: domains.flatMap(\.eventSources).map(\.kind.name))
        self.connections = connections
        self.logger = logger
    }

    /// - Parameters:
    ///   - host: an IP address or a host name. The gateway speaks plain HTTP; a proxy adds TLS.
    ///   - port: 0 lets the system choose a free port.
    ///   - onListening: called with the gateway's URL once it accepts requests.
    package func build(
        host: String, port: Int, onListening: @escaping @Sendable (_ url: String) -> Void
    ) -> some ApplicationProtocol {
        let router = routes()
        router.refuseOtherMethods()
        var server = ApplicationConfiguration(
            address: .hostname(host, port: port), serverName: "backline", reuseAddress: true)
        server.availableConnectionsDelegate = connectionCap
        if let connectionCap { services.metrics.addSource { connectionCap.collect(into: &$0) } }
        return Application(
            router: router,
            server: .gateway(
                limits: connections,
                shares: connectionCap.map { ConnectionShares(of: $0, proxies: services.proxies, logger: logger) },
                metrics: services.metrics),
            configuration: server,
            onServerRunning: { [logger, address = services.address] channel in
                // Hummingbird's own handler ends the server on any error of the listening socket, so this one
                // has to run before it.
                try? await channel.pipeline.addHandler(AcceptErrorHandler(logger: logger), position: .first)
                guard let bound = channel.localAddress, let port = bound.port else { return }
                let host = bound.protocol == .inet6 ? "[\(bound.ipAddress ?? host)]" : bound.ipAddress ?? host
                address.listens(onPort: port)
                onListening("http://\(host):\(port)")
            },
            logger: logger)
    }

    /// All endpoints, as `docs/openapi.yaml` describes them.
    ///
    /// - Parameter now: the clock of the request limits.
    func routes(
        now: @escaping @Sendable () -> MonotonicInstant = MonotonicInstant.now
    ) -> Router<GatewayContext> {
        let router = Router(context: GatewayContext.self)
        let secretPaths = SecretPaths(domains.flatMap(\.secretPaths))
        router.add(middleware: TelemetryMiddleware(metrics: services.metrics, secretPaths: secretPaths))
        router.add(middleware: ContinueMiddleware())
        router.add(middleware: SecurityHeadersMiddleware(transportSecurity: services.transportSecurity))
        if requestLimit != nil { router.add(middleware: RateLimitHeadersMiddleware()) }
        router.add(middleware: ProblemMiddleware(limits: connections, secretPaths: secretPaths))
        router.add(middleware: PageMiddleware(pages: pages, site: sitePages, mediaSources: mediaSources))
        let throttle = SignInThrottle(proxies: services.proxies, now: now)
        let admission = RequestAdmission(
            credentials: services.credentials, cookie: services.cookie,
            limits: requestLimit.map { RequestLimits($0, now: now) }, bodies: services.bodies,
            proxies: services.proxies)
        let authentication = AuthenticationMiddleware(admission: admission, site: services.origin, throttle: throttle)
        for domain in domains { domain.monitoringRoutes(router, authentication) }
        // The limits apply only to routes added from here on: supervisors and monitoring are never refused.
        router.add(middleware: AdmissionMiddleware(admission: admission))
        let signedIn = router.group("v1").add(middleware: authentication)
        let routing = GatewayRouting(open: router, signedIn: signedIn, throttle: throttle, now: now)
        for domain in domains { domain.routes(routing) }
        let sources = domains.flatMap(\.eventSources)
        EventRoutes(queue: services.queue, sources: sources, credentials: services.credentials).add(to: signedIn)
        ChangeRoutes(database: services.queue.database, sources: sources).add(to: signedIn)
        return router
    }
}
