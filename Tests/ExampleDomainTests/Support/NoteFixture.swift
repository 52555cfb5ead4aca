import Accounts
import Bootstrap
import Contracts
import Domains
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Jobs
import Logging
import Messaging
import Model
import Notes
import Storage
import Telemetry
import TestSupport
import Testing
import Vault
import Visibility

@testable import Composition
@testable import Gateway

extension [Domain] {
    /// Those whose tables the tests use.
    static let tested: [Domain] = [.storage, .visibility, .accounts, .jobs, .notes]
}

/// A gateway with the domain of notes and no other, on its own database, without a network and without workers.
struct NoteFixture: Sendable {
    let database: Database
    let application: GatewayApplication

    static func run(_ body: (NoteFixture) async throws -> Void) async throws {
        try await withDatabase(of: .tested) { database, folder in
            let parts = [DomainParts].notes
            // Every gateway has the keys of private texts, which are in the section of the vault.
            let configuration = BacklineConfiguration.defaults(with: ([.vault] + parts.map(\.core)).settings)
            database.register(parts.flatMap { $0.subscribers(configuration) })
            let logger = Logger.silent
            let events = JobEvents()
            let dispatcher = Dispatcher(
                database: database, events: events, settings: JobSettings(), kinds: JobKinds(of: .tested),
                logger: logger)
            let services = GatewayServices(
                queue: JobQueue(database: database, dispatcher: dispatcher, events: events),
                sealer: CurrentPublicKey(file: VaultPublicKeyFile(path: folder.file("vault.pub"))),
                metrics: MetricRegistry(), personalTables: PersonalTables(of: .tested),
                pictures: PicturePaths(hosts: MediaHosts([:]), key: PicturePathKey()), maximumBodyBytes: 16_384)
            let settings = DomainSettings(
                messages: try MessageRouter(endpoint: Endpoint("ipc://\(folder.file("run/gateway.ipc"))")),
                sections: configuration.sections, previewHosts: MediaHosts([:]))
            let gateway = GatewayParts(services: services, settings: settings)
            let edge: [GatewayDomain] = [
                .site, .jobs(services, retention: settings.jobs.retention, schedules: settings.schedules),
            ]
            let application = GatewayApplication(
                services: services, domains: edge + parts.flatMap { $0.gateway(gateway) }, requestLimit: nil,
                logger: logger)
            try await body(NoteFixture(database: database, application: application))
            events.close()
        }
    }

    /// Adds a person.
    ///
    /// - Returns: their id, and the header of their requests.
    func person(_ name: String) async throws -> (id: String, headers: HTTPFields) {
        let accounts = Accounts(database: database)
        let token = try await accounts.addUser(name: name)
        let user = try #require(try await accounts.user(for: token))
        return (user.id, [.authorization: "Bearer \(token.secret.reveal())"])
    }

    /// Sends requests to the router.
    func withClient(_ body: @Sendable (any TestClientProtocol) async throws -> Void) async throws {
        try await application.build(host: "127.0.0.1", port: 0) { _ in }.test(.router, body)
    }

    /// The domain's part of the gateway.
    var notes: GatewayDomain? { application.domains.first { $0.name == "notes" } }

    @discardableResult
    func add(
        _ words: String, about provider: Provider? = nil, userID: String, now: Timestamp = .now()
    ) async throws -> Note {
        try await database.write { try $0.notes.add(words, about: provider, userID: userID, now: now) }
    }

    /// The words of a person's notes, the newest first.
    func words(userID: String) async throws -> [String] {
        try await database.read { try $0.notes.all(userID: userID).map(\.words) }
    }
}
