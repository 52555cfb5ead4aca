import AppleMusic
import Bootstrap
import Foundation
import Connections
import Model
import Storage
import Testing
import Upstream
import Vault

@testable import UpstreamSimulator
@testable import Workers

/// A person at an installation with a developer key for Apple Music.
struct AppleMusicFixture {
    let simulator: AppleMusicSimulator
    /// The simulator's key, and a user token.
    let key: AppleMusicKey
    let process: WorkerProcess
    let userID: String
    private let keyFile: String
    private let provider: AppleMusicProvider

    static func run(_ body: @escaping @Sendable (AppleMusicFixture) async throws -> Void) async throws {
        try await WorkerFixture.run { fixture in
            let keyFile = fixture.configuration.vault.keyFile + ".p8"
            let key = try await fixture.withWorker("sync-worker") { process in
                let address = fixture.configuration.upstreams[.appleMusic].baseURL
                return try await Control.of(process.providers, at: address.replacing("/apple-music/v1", with: ""))
                    .key()
            }
            var configuration = fixture.configuration
            configuration.appleMusic.developerKey = .init(
                teamID: key.teamId, keyID: key.keyId, privateKeyFile: keyFile)
            let whole = WorkerFixture(
                simulator: fixture.simulator, database: fixture.database, userID: fixture.userID,
                configuration: configuration)
            try await whole.withWorker("sync-worker") { process in
                let own = AppleMusicFixture(
                    simulator: fixture.simulator.appleMusic, key: key, process: process, userID: fixture.userID,
                    keyFile: keyFile, provider: try process.providers.appleMusic())
                try own.writeKeyFile(key.privateKey)
                try await body(own)
            }
        }
    }

    /// - Parameter content: `nil` removes the file.
    func writeKeyFile(_ content: String?) throws {
        if let content {
            try content.write(toFile: keyFile, atomically: true, encoding: .utf8)
        } else {
            try FileManager.default.removeItem(atPath: keyFile)
        }
    }

    /// Stores what a person entered.
    ///
    /// - Parameter ownKeyID: the key id of the person's own developer key.
    func enter(userToken: String, ownKeyID: String? = nil) async throws {
        let (userID, vault, key) = (userID, process.vault, key)
        try await process.database.write { transaction in
            func put(_ secret: String, _ field: String) throws {
                try transaction.vault.putSecret(
                    Secret(secret), as: SecretName(userID: userID, provider: .appleMusic, field: field), by: vault,
                    now: .now())
            }
            try put(userToken, SecretField.userToken)
            if ownKeyID != nil { try put(key.privateKey, SecretField.privateKey) }
            try transaction.connections.handle(.accepted, userID: userID, provider: .appleMusic, now: .now()) {
                $0.details = ownKeyID.map { #"{"teamId": "\#(key.teamId)", "keyId": "\#($0)"}"# }
            }
        }
    }

    func storefront() async throws -> String {
        try await provider.call(userID: userID) { try await $0.storefront() }
    }

    var state: ConnectionState {
        get async throws {
            let found = try await process.database.read { [userID] in
                try $0.connections.record(userID: userID, provider: Provider.appleMusic.rawValue)
            }
            return try ConnectionState(try #require(found))
        }
    }

    /// The calls that reached the simulator.
    var calls: Int {
        simulator.recorder.log.endpoints["GET /apple-music/v1/me/storefront"]?.arrivals ?? 0
    }
}

/// The simulator's controls.
private struct Control: OpenedProvider {
    let client: UpstreamClient

    static func of(_ providers: ProviderSet, at address: String) throws -> Control {
        try providers.opened { runtime in
            Control(client: try providers.calls(.appleMusic, by: runtime, at: BaseURL(address))(nil, RetryPolicy()))
        }
    }

    func key() async throws -> AppleMusicKey {
        let answer = try await client.send(UpstreamRequest(path: "/_sim/apple-music/key"))
        try #require(answer.status == 200)
        return try JSONDecoder().decode(AppleMusicKey.self, from: Data(answer.body))
    }
}
