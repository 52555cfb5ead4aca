import Accounts
import Jobs
import Model
import Storage
import Telemetry
import Vault

/// The services that all domains of the gateway share.
package struct GatewayServices: Sendable {
    package let queue: JobQueue
    /// Seals secrets for the workers. The gateway itself cannot open them.
    package let sealer: CurrentPublicKey
    package let metrics: MetricRegistry
    /// The tables that have rows of people.
    package let personalTables: PersonalTables
    /// Makes the paths of pictures.
    package let pictures: PicturePaths
    /// The limit of a request's body.
    package let maximumBodyBytes: Int
    package let proxies: TrustedProxies
    /// The memory for the bodies of requests.
    package let bodies: BodyBudget
    /// Who may read `/metrics`.
    let metricsAccess: MetricsAccess
    package let accounts: Accounts
    package let credentials: CredentialCache
    package let address: SiteAddress
    package let origin: SiteOrigin
    package let cookie: SessionCookie
    /// What the domains add to feeds.
    package let feeds = FeedSources()
    /// The `max-age` of `Strict-Transport-Security`, in seconds; `nil` sends no such header.
    let transportSecurity: Int?

    /// - Parameters:
    ///   - publicURL: scheme, host and port at which browsers reach the gateway; `nil` for the address it listens on.
    ///   - transportSecurity: the `max-age` of `Strict-Transport-Security`. Zero sends no such header, and neither does
    ///     a gateway whose `publicURL` is not https.
    package init(
        queue: JobQueue, sealer: CurrentPublicKey, metrics: MetricRegistry, personalTables: PersonalTables,
        pictures: PicturePaths, maximumBodyBytes: Int, bodies: BodyBudget = BodyBudget(), publicURL: String? = nil,
        proxies: TrustedProxies = TrustedProxies(), metricsAccess: MetricsAccess = .local,
        transportSecurity: Duration = .zero
    ) {
        self.queue = queue
        self.sealer = sealer
        self.metrics = metrics
        self.personalTables = personalTables
        self.pictures = pictures
        self.maximumBodyBytes = maximumBodyBytes
        self.proxies = proxies
        self.bodies = bodies
        self.metricsAccess = metricsAccess
        accounts = Accounts(database: queue.database)
        credentials = CredentialCache(accounts: accounts)
        address = SiteAddress(publicURL: publicURL)
        origin = SiteOrigin(publicURL: publicURL)
        cookie = SessionCookie(isSecure: origin.isSecure)
        let seconds = Int(transportSecurity.components.seconds)
        self.transportSecurity = origin.isSecure && seconds > 0 ? seconds : nil
    }

    package var database: Database { queue.database }
}
