import Foundation
import Connections
import Model
import Testing

@testable import UpstreamSimulator
@testable import Workers

@Suite("Calls to Apple Music for people", .timeLimit(.minutes(5)))
struct AppleMusicProviderTests {
    @Test("Faults of the installation's developer key cost nobody their connection; a refused user token does")
    func installationKey() async throws {
        try await AppleMusicFixture.run { fixture in
            try await fixture.enter(userToken: fixture.key.userToken)
            let storefront = try await fixture.storefront()
            #expect(storefront == "fr")

            // The cached token is refused, and so is the newly signed one.
            let before = fixture.calls
            try fixture.simulator.apply(AppleMusicSettings(keyID: "OTHERKEY01"))
            let refused = try await #require(throws: ProviderFailure.self) { try await fixture.storefront() }
            #expect(refused.kind == .clientRefused && refused.recovery == .fixConfiguration)
            #expect(fixture.calls == before + 2)
            var state = try await fixture.state
            #expect(state == .degraded(.clientRefused, until: nil))

            try fixture.simulator.apply(AppleMusicSettings(keyID: fixture.key.keyId))
            let again = try await fixture.storefront()
            state = try await fixture.state
            #expect(again == "fr" && state == .connected)

            try fixture.simulator.apply(AppleMusicSettings(userTokens: [:]))
            let dead = try await #require(throws: ProviderFailure.self) { try await fixture.storefront() }
            state = try await fixture.state
            #expect(dead.kind == .userTokenRefused && state == .needsReconnect(.userTokenRefused))
            let lost = try await #require(throws: ProviderFailure.self) { try await fixture.storefront() }
            #expect(lost.kind == .connectionNeeded)
        }
    }

    @Test("A person's own developer key takes precedence, and its refusal is reported to them")
    func ownKey() async throws {
        try await AppleMusicFixture.run { fixture in
            try await fixture.enter(userToken: fixture.key.userToken, ownKeyID: "STRANGE001")
            let refused = try await #require(throws: ProviderFailure.self) { try await fixture.storefront() }
            #expect(refused.kind == .keyRefused && refused.recovery == .reconnect)
            let state = try await fixture.state
            #expect(state == .needsReconnect(.keyRefused))
        }
    }

    @Test("A missing or unreadable key file is reported to the operator, and can be replaced at run time")
    func keyFile() async throws {
        try await AppleMusicFixture.run { fixture in
            try await fixture.enter(userToken: fixture.key.userToken)
            for content in [nil, "none", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"] {
                try fixture.writeKeyFile(content)
                let failure = try await #require(throws: ProviderFailure.self) { try await fixture.storefront() }
                #expect(failure.kind == .credentialMissing && failure.recovery == .fixConfiguration)
                let state = try await fixture.state
                #expect(state == .connected)
            }
            #expect(fixture.calls == 0)
            try fixture.writeKeyFile(fixture.key.privateKey)
            let storefront = try await fixture.storefront()
            #expect(storefront == "fr")
        }
    }
}
