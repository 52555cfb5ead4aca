import Accounts
import Jobs
import Model
import Storage
import Telemetry
import Vault

/// What all domains of the gateway share.
package struct GatewayServices: Sendable {
    package let queue: JobQueue
    /// Seals for the workers; the gateway opens nothing.
    package let sealer: CurrentPublicKey
    package let metrics: MetricRegistry
    /// The tables with rows of people.
    let personalTables: PersonalTables
    /// Of a request's body.
    package let maximumBodyBytes: Int
    /// Whose word about where a request comes from is believed.
    package let trustedProxies: [AddressRange]
    let accounts: Accounts
    let credentials: CredentialCache
    let address: SiteAddress
    let origin: SiteOrigin
    let cookie: SessionCookie
    /// How long browsers keep to TLS, in whole seconds; `nil` where they are told nothing of it.
    let transportSecurity: Int?

    /// - Parameters:
    ///   - publicURL: scheme, host and port under which browsers find the gateway; `nil` where it listens.
    ///   - transportSecurity: how long browsers keep to TLS, where `publicURL` is one of https; zero does not tell them.
    package init(
        queue: JobQueue, sealer: CurrentPublicKey, metrics: MetricRegistry, personalTables: PersonalTables,
        maximumBodyBytes: Int, publicURL: String? = nil, trustedProxies: [AddressRange] = [],
        transportSecurity: Duration = .zero
    ) {
        self.queue = queue
        self.sealer = sealer
        self.metrics = metrics
        self.personalTables = personalTables
        self.maximumBodyBytes = maximumBodyBytes
        self.trustedProxies = trustedProxies
        accounts = Accounts(database: queue.database)
        credentials = CredentialCache(accounts: accounts)
        address = SiteAddress(publicURL: publicURL)
        origin = SiteOrigin(publicURL: publicURL)
        cookie = SessionCookie(isSecure: origin.isSecure)
        let seconds = Int(transportSecurity.components.seconds)
        self.transportSecurity = origin.isSecure && seconds > 0 ? seconds : nil
    }

    var database: Database { queue.database }
}
