import Accounts
import HTTPTypes
import Hummingbird
import Jobs
import Logging
import Messaging
import Model
import Storage

/// Everything that the gateway serves over HTTP.
package struct GatewayApplication {
    package let queue: JobQueue
    package let concerts: ConcertDesk
    package let router: MessageRouter
    package let maximumBodyBytes: Int
    package let logger: Logger

    package init(
        queue: JobQueue, concerts: ConcertDesk, router: MessageRouter, maximumBodyBytes: Int, logger: Logger
    ) {
        self.queue = queue
        self.concerts = concerts
        self.router = router
        self.maximumBodyBytes = maximumBodyBytes
        self.logger = logger
    }

    /// - Parameters:
    ///   - host: a loopback address until TLS comes.
    ///   - port: 0 asks the system for a free one.
    ///   - onListening: told the address once requests are accepted.
    package func build(
        host: String, port: Int, onListening: @escaping @Sendable (_ url: String) -> Void
    ) -> some ApplicationProtocol {
        Application(
            router: routes(),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port), serverName: "backline", reuseAddress: true),
            onServerRunning: { channel in
                guard let address = channel.localAddress, let port = address.port else { return }
                let host = address.protocol == .inet6 ? "[\(address.ipAddress ?? host)]" : address.ipAddress ?? host
                onListening("http://\(host):\(port)")
            },
            logger: logger)
    }

    private func routes() -> Router<GatewayContext> {
        let router = Router(context: GatewayContext.self)
        router.add(middleware: ProblemMiddleware())
        OperationsRoutes(queue: queue, router: self.router).add(to: router)
        let users = TokenCache(accounts: Accounts(database: queue.database))
        let api = router.group("v1").add(middleware: AuthenticationMiddleware(users: users))
        JobRoutes(queue: queue, maximumBodyBytes: maximumBodyBytes).add(to: api)
        EventRoutes(queue: queue, sources: [concerts.eventSource]).add(to: api)
        ArtistRoutes(database: queue.database, maximumBodyBytes: maximumBodyBytes).add(to: api)
        ConcertRoutes(desk: concerts, maximumBodyBytes: maximumBodyBytes).add(to: api)
        return router
    }
}
