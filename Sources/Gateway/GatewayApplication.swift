import Accounts
import Connections
import HTTPTypes
import Hummingbird
import Jobs
import Logging
import Messaging
import Model
import Storage
import Telemetry
import Vault

/// Everything that the gateway serves over HTTP.
package struct GatewayApplication {
    package let queue: JobQueue
    package let concerts: ConcertDesk
    package let operations: OperationsDesk
    package let vault: CurrentVault
    package let setup: SetupDesk
    package let spotify: SpotifyDesk
    let google: GoogleDesk
    package let maximumBodyBytes: Int
    package let requestLimit: RequestLimit?
    package let credentials: CredentialCache
    package let pages: WebFolder?
    package let publicURL: String?
    private let address: SiteAddress
    package let trustedProxies: [AddressRange]
    package let connectionCap: ConnectionCap?
    package let connections: ConnectionLimits
    package let logger: Logger

    /// - Parameters:
    ///   - spotify: `nil`: nobody can connect Spotify.
    ///   - google: `nil`: nobody signs in with Google.
    ///   - requestLimit: `nil` sets none.
    ///   - connectionCap: `nil` takes any number of connections.
    ///   - pages: `nil` serves the API alone.
    ///   - publicURL: scheme, host and port under which browsers find the gateway; `nil` where it listens.
    ///   - trustedProxies: whose word about where a request comes from is believed.
    package init(
        queue: JobQueue, concerts: ConcertDesk, operations: OperationsDesk, vault: CurrentVault,
        spotify: SpotifyAuthorizations? = nil, google: GoogleSignInClient? = nil, maximumBodyBytes: Int,
        requestLimit: RequestLimit?,
        connectionCap: ConnectionCap? = nil, pages: WebFolder? = nil, publicURL: String? = nil,
        trustedProxies: [AddressRange] = [],
        connections: ConnectionLimits = ConnectionLimits(), logger: Logger
    ) {
        self.queue = queue
        self.concerts = concerts
        self.operations = operations
        self.vault = vault
        setup = SetupDesk(queue: queue, vault: vault, cityNames: concerts.cityNames)
        self.spotify = SpotifyDesk(queue: queue, authorizations: spotify)
        self.google = GoogleDesk(queue: queue, vault: vault, client: google)
        self.maximumBodyBytes = maximumBodyBytes
        self.requestLimit = requestLimit
        credentials = CredentialCache(accounts: Accounts(database: queue.database))
        self.connectionCap = connectionCap
        self.pages = pages
        self.publicURL = publicURL
        address = SiteAddress(publicURL: publicURL)
        self.trustedProxies = trustedProxies
        self.connections = connections
        self.logger = logger
    }

    /// - Parameters:
    ///   - host: a loopback address until TLS comes.
    ///   - port: 0 asks the system for a free one.
    ///   - onListening: told the address once requests are accepted.
    package func build(
        host: String, port: Int, onListening: @escaping @Sendable (_ url: String) -> Void
    ) -> some ApplicationProtocol {
        let router = routes()
        router.refuseOtherMethods()
        var server = ApplicationConfiguration(
            address: .hostname(host, port: port), serverName: "backline", reuseAddress: true)
        server.availableConnectionsDelegate = connectionCap
        if let connectionCap { operations.metrics.addSource { connectionCap.collect(into: &$0) } }
        return Application(
            router: router,
            server: .gateway(limits: connections, metrics: operations.metrics),
            configuration: server,
            onServerRunning: { [logger, address = self.address] channel in
                // Before the handler that would take any error for the end.
                try? await channel.pipeline.addHandler(AcceptErrorHandler(logger: logger), position: .first)
                guard let bound = channel.localAddress, let port = bound.port else { return }
                let host = bound.protocol == .inet6 ? "[\(bound.ipAddress ?? host)]" : bound.ipAddress ?? host
                address.listens(onPort: port)
                onListening("http://\(host):\(port)")
            },
            logger: logger)
    }

    /// Every endpoint; `docs/openapi.yaml` describes them.
    ///
    /// - Parameter now: the clock of the request limits.
    func routes(
        now: @escaping @Sendable () -> MonotonicInstant = MonotonicInstant.now
    ) -> Router<GatewayContext> {
        let router = Router(context: GatewayContext.self)
        router.add(middleware: TelemetryMiddleware(metrics: operations.metrics))
        router.add(middleware: SecurityHeadersMiddleware())
        if requestLimit != nil { router.add(middleware: RateLimitHeadersMiddleware()) }
        router.add(middleware: ProblemMiddleware())
        router.add(middleware: PageMiddleware(pages: pages))
        OperationsRoutes(queue: queue, desk: operations).add(to: router)
        // From here on, so that supervisors and monitoring are never refused.
        if let requestLimit {
            router.add(middleware: RequestLimitMiddleware(per: .address, requestLimit, now: now))
        }
        let site = SiteOrigin(publicURL: publicURL)
        let cookie = SessionCookie(isSecure: publicURL?.hasPrefix("https:") == true)
        let throttle = SignInThrottle(trustedProxies: trustedProxies, now: now)
        let api = router.group("v1").add(
            middleware: AuthenticationMiddleware(
                credentials: credentials, cookie: cookie, site: site, throttle: throttle))
        if let requestLimit {
            api.add(middleware: RequestLimitMiddleware(per: .token, requestLimit, now: now))
        }
        let accounts = Accounts(database: queue.database)
        SessionRoutes(
            accounts: accounts, credentials: credentials, cookie: cookie, site: site, throttle: throttle,
            maximumBodyBytes: maximumBodyBytes
        ).add(to: router, api)
        GoogleRoutes(
            desk: google, credentials: credentials, cookie: cookie, throttle: throttle,
            startThrottle: SignInThrottle(trustedProxies: trustedProxies, now: now), site: address,
            maximumBodyBytes: maximumBodyBytes
        ).add(to: router)
        ProfileRoutes(
            accounts: accounts, credentials: credentials, queue: queue, setup: setup, cookie: cookie,
            maximumBodyBytes: maximumBodyBytes
        ).add(to: api)
        ExportRoutes(database: queue.database).add(to: api)
        OwnCredentialRoutes(accounts: accounts, credentials: credentials, maximumBodyBytes: maximumBodyBytes)
            .add(to: api)
        JobRoutes(queue: queue, maximumBodyBytes: maximumBodyBytes).add(to: api)
        EventRoutes(queue: queue, sources: [concerts.eventSource, setup.eventSource], credentials: credentials)
            .add(to: api)
        ArtistRoutes(database: queue.database, maximumBodyBytes: maximumBodyBytes).add(to: api)
        ConcertRoutes(desk: concerts, maximumBodyBytes: maximumBodyBytes).add(to: api)
        SetupRoutes(desk: setup, maximumBodyBytes: maximumBodyBytes).add(to: api)
        SpotifyRoutes(desk: spotify, setup: setup, site: address, maximumBodyBytes: maximumBodyBytes).add(to: api)
        AdminRoutes(queue: queue, desk: operations).add(to: api)
        return router
    }
}
