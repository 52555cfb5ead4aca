import Composition
import Bootstrap
import Contracts
import Domains
import Foundation
import Gateway
import Jobs
import Logging
import Messaging
import Pictures
import Previews
import Storage
import Telemetry
import Vault

/// The gateway: serves the HTTP API and the pages, manages the job queue, and hands jobs to workers.
enum APIGateway {
    static func main() async {
        await ServiceRunner.run(name: "api-gateway", sections: .all) { configuration, manager, logger in
            let security = try configuration.messaging.gatewaySecurity { problem in
                logger.warning("a worker's key was not accepted", metadata: ["error": "\(problem)"])
            }
            let router = try MessageRouter(
                endpoint: Endpoint(configuration.messaging.endpoint), faults: try .fromTestEnvironment(),
                security: security)
            let database = try await Database.openWhenPossible(
                path: configuration.database.path, domains: .all, niceness: Database.preferredNiceness,
                manager: manager,
                logger: logger)
            database.register(.all(configuration))
            // This comes before the schema and the workers' runs are changed.
            try router.requireFreeEndpoint()
            try await database.lockForGatewayWhenPossible(manager: manager, logger: logger)
            for name in try await database.migrateWhenPossible(manager: manager, logger: logger) {
                logger.notice("migrated the database", metadata: ["step": "\(name)"])
            }
            if let warning = configuration.http.proxyWarning {
                logger.warning("\(warning) \(BacklineConfiguration.HTTP.proxyAdvice)")
            }
            let sealer = CurrentPublicKey(configuration.vault)
            sealer.start(privateKeys: configuration.vault.keyFile, logger: logger)
            let settings = JobSettings(configuration.jobs)
            let events = JobEvents()
            let metrics = MetricRegistry()
            let dispatcher = Dispatcher(
                database: database, events: events, settings: settings, kinds: JobKinds(of: .all), metrics: metrics,
                logger: logger)
            let queue = JobQueue(
                database: database, dispatcher: dispatcher, events: events, quotas: configuration.quotas)
            let pictures = configuration[PictureSettings.self]
            let services = GatewayServices(
                queue: queue, sealer: sealer, metrics: metrics, personalTables: PersonalTables(of: .all),
                pictures: PicturePaths(
                    hosts: pictures.hosts(baseURLs: configuration.upstreams.baseURLs),
                    key: .load(path: pictures.keyFile, logger: logger)),
                maximumBodyBytes: configuration.limits.maximumBodyBytes,
                bodies: BodyBudget(limit: configuration.limits.bufferedBodyBytes),
                publicURL: configuration.http.publicURL, proxies: TrustedProxies(configuration.http.trustedProxies),
                metricsAccess: configuration.http.metricsAccess, transportSecurity: configuration.http.transportSecurity
            )
            let domainSettings = try DomainSettings(
                configuration, jobs: settings, kinds: queue.kinds, messages: router, sealer: sealer)
            let domains = GatewayDomain.all(services, domainSettings)
            let messaging = GatewayMessaging(
                queue: queue, router: router,
                keys: configuration.messaging.usesCurve ? configuration.messaging.keys : nil,
                metrics: metrics, logger: logger)
            try await messaging.start()
            manager.watch("database writer") { database.probeWriter($0) }
            manager.watch("messaging") { router.probe($0) }
            manager.watch("HTTP") { EventLoops.probe($0) }
            let application = GatewayApplication(
                services: services, domains: domains, requestLimit: RequestLimit(configuration),
                connectionCap: ConnectionCap(openFiles: OpenFileLimit.current, logger: logger),
                pages: WebFolder.load(configured: configuration.http.webRoot, logger: logger),
                mediaSources: domainSettings.previewHosts.policySources,
                connections: ConnectionLimits(configuration.http), logger: logger)
            let server = application.build(host: configuration.http.host, port: configuration.http.port) { url in
                logger.notice("listening", metadata: ["url": "\(url)"])
                manager.ready("Listening on \(url)")
                // For a parent process that needs the port chosen by the system.
                FileHandle.standardOutput.write(Data("api-gateway listening on \(url)\n".utf8))
            }
            return [
                SchemaWatch(database), messaging,
                GatewayUpkeep(domains: domains, services: services, logger: logger),
                ConnectionCutoff(
                    ListeningServer(server, host: configuration.http.host, port: configuration.http.port),
                    timeout: configuration.worker.gracePeriod / 2, logger: logger),
                EventCloser(events: events),
            ]
        }
    }
}
