import Contracts
import Domains
import Model
import Storage
import TestSupport
import Testing
import Vault

@testable import Connections

@Suite("The setup while a person connects Spotify again")
struct SetupAttemptTests {
    private static let now = Timestamp(microseconds: 1_700_000_000_000_000)

    /// The Spotify step of a person whose consent has ended, or who now has another client id, with an attempt to
    /// connect that lasts from `start` until `end`, in seconds from now.
    private func step(
        renewIn: Int64, grantedTo client: String, from start: Int64, to end: Int64, at moment: Timestamp = Self.now
    ) async throws -> SetupStep {
        let step = try await withDatabase { database, _ in
            let userID = try await database.addPerson()
            return try await database.write { transaction in
                try transaction.connections.handle(
                    .accepted, userID: userID, provider: .spotify, now: Self.now.advanced(by: .seconds(-9_000))
                ) {
                    $0.renewBy = Self.now.advanced(by: .seconds(renewIn))
                    $0.clientID = client
                    $0.authorizedAt = Self.now.advanced(by: .seconds(-300))
                }
                let until = Self.now.advanced(by: .seconds(end))
                try transaction.vault.insertAuthorization(
                    AuthorizationRecord(
                        stateHash: "s", id: "a", userID: userID, sessionHash: nil, provider: "spotify", clientID: "app",
                        redirectURI: "", scopes: "", verifier: SealedSecret(keyID: "k", bytes: [1], hint: ""),
                        createdAt: Self.now.advanced(by: .seconds(start)), expiresAt: until))
                try transaction.connections.handle(
                    .authorizationBegan(until: until), userID: userID, provider: .spotify, now: Self.now)
                let checklist = try SetupChecklist(
                    userID: userID, kinds: JobKinds(of: .tested), city: nil, spotifyClientID: "app", vaultReaders: [],
                    in: transaction, now: moment)
                return checklist.step(.spotify)
            }
        }
        return try #require(step)
    }

    private func isAuthorizing(_ step: SetupStep, after reason: String) -> Bool {
        step.state == .incomplete && step.recovery == nil && step.reason == reason
            && step.detail == "Give your consent on Spotify's page, or start again."
    }

    @Test("After the end of the consent, or with another client id, the step asks for the pending consent")
    func underWay() async throws {
        let ended = try await step(renewIn: -60, grantedTo: "app", from: -1, to: 599)
        #expect(isAuthorizing(ended, after: "consentEnded"))
        let changed = try await step(renewIn: 9_000_000, grantedTo: "former", from: -1, to: 599)
        #expect(isAuthorizing(changed, after: "clientChanged"))
    }

    @Test("An attempt that has ended, is from the future, or is older than the connection changes nothing")
    func outdatedAttempts() async throws {
        for (start, end) in [(-601, -1), (60, 660), (-301, 299)] as [(Int64, Int64)] {
            let step = try await step(renewIn: -60, grantedTo: "app", from: start, to: end)
            #expect(step.state == .needsAttention && step.recovery == .reconnect && step.reason == "consentEnded")
        }
        // The attempt ends without anybody writing.
        let moment = Self.now.advanced(by: .seconds(599))
        let step = try await step(renewIn: -60, grantedTo: "app", from: -1, to: 599, at: moment)
        #expect(step.state == .needsAttention && step.recovery == .reconnect && step.reason == "consentEnded")
    }

    @Test("A working connection stays complete while its person renews the consent")
    func renewalOfAConsent() async throws {
        let step = try await step(renewIn: 9_000_000, grantedTo: "app", from: -1, to: 599)
        #expect(step.state == .complete && step.reason == nil)
    }
}
