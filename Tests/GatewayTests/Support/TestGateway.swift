import Accounts
import Composition
import Bootstrap
import Concerts
import Contracts
import Curation
import Domains
import Hummingbird
import HummingbirdTesting
import Jobs
import Library
import LibraryImports
import Listening
import Logging
import Messaging
import Model
import NIOCore
import NIOEmbedded
import Pictures
import Platform
import Previews
import Settings
import Storage
import Telemetry
import TestSupport
import Vault

@testable import AccountsHTTP
@testable import Composition
@testable import ConnectionsHTTP
@testable import Gateway
@testable import LibraryHTTP

/// A gateway's HTTP side on its own database, without workers.
struct TestGateway: Sendable {
    let application: GatewayApplication
    let database: Database
    /// The pictures that were fetched.
    let pictures: PictureFolder
    /// The files that people import.
    let imports: ImportFolder

    /// - Parameters:
    ///   - personalTables: the tables that an erasure goes through.
    ///   - changeSettings: changes the domains' settings.
    static func run(
        google: GoogleSignInClient? = nil, appleMusic: AppleMusicSignIn? = nil, requestLimit: RequestLimit? = nil,
        pages: WebFolder? = nil, mediaSources: [String] = [], publicURL: String? = nil,
        trustedProxies: [AddressRange] = [], bodies: BodyBudget = BodyBudget(),
        metricsAccess: MetricsAccess = .local, connectionCap: ConnectionCap? = nil, transportSecurity: Duration = .zero,
        personalTables: PersonalTables = PersonalTables(of: .all), quotas: Quotas = Quotas(),
        changeSettings: (inout SettingsSections) -> Void = { _ in },
        _ body: (TestGateway) async throws -> Void
    ) async throws {
        func serve(_ database: Database, _ folder: TemporaryFolder) async throws {
            let logger = Logger.silent
            let events = JobEvents()
            let dispatcher = Dispatcher(
                database: database, events: events, settings: JobSettings(), kinds: JobKinds(of: .all), logger: logger)
            let queue = JobQueue(database: database, dispatcher: dispatcher, events: events, quotas: quotas)
            let services = GatewayServices(
                queue: queue, sealer: CurrentPublicKey(file: VaultPublicKeyFile(path: folder.file("vault.pub"))),
                metrics: MetricRegistry(), personalTables: personalTables,
                pictures: .sample, maximumBodyBytes: 1_024, bodies: bodies, publicURL: publicURL,
                proxies: TrustedProxies(trustedProxies), metricsAccess: metricsAccess,
                transportSecurity: transportSecurity)
            var sections = SettingsSections.sample(folder)
            changeSettings(&sections)
            var settings = DomainSettings(
                messages: try MessageRouter(endpoint: Endpoint("ipc://\(folder.file("run/gateway.ipc"))")),
                sections: sections, previewHosts: sections[PreviewSettings.self].hosts(baseURLs: [:]))
            settings.google = google
            settings.appleMusic = appleMusic
            let application = GatewayApplication(
                services: services, domains: GatewayDomain.all(services, settings), requestLimit: requestLimit,
                connectionCap: connectionCap, pages: pages, mediaSources: mediaSources, logger: logger)
            try await body(
                TestGateway(
                    application: application, database: database,
                    pictures: PictureFolder(sections[PictureSettings.self]),
                    imports: ImportFolder(sections[ImportSettings.self])))
            events.close()
        }
        try await withDatabase { database, folder in
            database.register(.all(.defaults(with: .all)))
            try await serve(database, folder)
        }
    }

    /// The authorization header of a new user.
    func authorization(_ name: String = "ada", isAdmin: Bool = false) async throws -> HTTPFields {
        [.authorization: "Bearer \(try await addUser(name, isAdmin: isAdmin).secret.reveal())"]
    }

    func addUser(_ name: String, isAdmin: Bool = false) async throws -> APIToken {
        try await Accounts(database: database).addUser(name: name, isAdmin: isAdmin)
    }

    /// The number of rows of a query.
    func count(_ query: SQL) async throws -> Int {
        try await database.read { try $0.rows(query).count }
    }

    /// Sends requests to the router, without a network.
    func withClient(_ body: @Sendable (any TestClientProtocol) async throws -> Void) async throws {
        try await application.build(host: "127.0.0.1", port: 0) { _ in }.test(.router, body)
    }
}

extension SettingsSections {
    /// The default settings.
    static let defaults: SettingsSections = {
        var reader = ConfigurationReader(sources: [])
        return SettingsSections(.all, reading: &reader)
    }()

    /// Settings without language models, and without anything that happens on a schedule.
    fileprivate static func sample(_ folder: TemporaryFolder) -> SettingsSections {
        var sections = defaults
        sections[ConcertSettings.self].freshness = .seconds(86_400)
        sections[LibrarySettings.self].syncInterval = nil
        sections[ListeningSettings.self].spotifyInterval = nil
        sections[CurationSettings.self].geminiModels = []
        sections[CurationSettings.self].monthlyTokens = nil
        sections[CurationSettings.self].recommendationInterval = nil
        sections[ImportSettings.self].folder = folder.file("imports")
        sections[PictureSettings.self].folder = folder.file("pictures")
        sections[PictureSettings.self].capacity = 1 << 20
        sections[TextKeySettings.self].keyFile = folder.file("messages/messages.key")
        return sections
    }
}

extension RequestAdmission {
    /// An admission without limits.
    static func sample(_ credentials: CredentialCache) -> RequestAdmission {
        RequestAdmission(
            credentials: credentials, cookie: SessionCookie(isSecure: false), limits: nil, bodies: BodyBudget(),
            proxies: TrustedProxies())
    }
}

extension Request {
    /// A request without a connection.
    init(
        _ method: HTTPRequest.Method = .get, _ path: String = "/", host: String = "localhost",
        headers: HTTPFields = [:], body: String = ""
    ) {
        self.init(
            head: HTTPRequest(method: method, scheme: "http", authority: host, path: path, headerFields: headers),
            body: RequestBody(buffer: ByteBuffer(string: body)))
    }
}

extension GatewayContext {
    /// The context of a request from an address, or from none.
    static func from(_ address: String? = nil) throws -> GatewayContext {
        let channel = NIOAsyncTestingChannel()
        if let address { channel.remoteAddress = try SocketAddress(ipAddress: address, port: 50_000) }
        return GatewayContext(
            source: ApplicationRequestContextSource(
                channel: channel, logger: .silent))
    }
}
