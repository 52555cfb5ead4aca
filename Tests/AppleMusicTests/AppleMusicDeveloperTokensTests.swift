import Foundation
import Model
import Testing

@testable import AppleMusic

@Suite("Cached developer tokens")
struct AppleMusicDeveloperTokensTests {
    private let key = SampleKey()

    @Test("A token is signed once, and renewed well before it expires or after the clock was set back")
    func renewalBeforeExpiry() async throws {
        let tokens = AppleMusicDeveloperTokens()
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        func token(after seconds: TimeInterval) async throws -> (token: Secret, isNew: Bool) {
            try await tokens.token(of: key.developerKey(), now: start.addingTimeInterval(seconds))
        }
        let first = try await token(after: 0)
        let late = try await token(after: 1_799)
        #expect(first.isNew && !late.isNew && late.token == first.token)
        let second = try await token(after: 1_800)
        #expect(second.isNew && second.token != first.token)
        let end = try await key.claims(of: first.token.reveal()).exp
        #expect(Double(end) - start.timeIntervalSince1970 > 3_000)
        let back = try await token(after: 1_700)
        #expect(back.isNew)
    }

    @Test("A different private key with the same name, or a forgotten token, causes a new signature")
    func renewalForAnotherKey() async throws {
        let tokens = AppleMusicDeveloperTokens()
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let first = try await tokens.token(of: key.developerKey(), now: now)
        let other = try await tokens.token(of: SampleKey().developerKey(), now: now)
        #expect(first.isNew && other.isNew && first.token != other.token)
        let again = try await tokens.token(of: key.developerKey(), now: now)
        #expect(again.isNew)
        tokens.forget(again.token)
        let after = try await tokens.token(of: key.developerKey(), now: now)
        #expect(after.isNew)
        let kept = try await tokens.token(of: key.developerKey(), now: now)
        #expect(!kept.isNew)
    }

    @Test("An unreadable private key is an error, and is not cached")
    func unreadableKeyIsNotCached() async throws {
        let tokens = AppleMusicDeveloperTokens()
        let broken = key.developerKey(pasted: "none")
        await #expect(throws: AppleMusicError.privateKeyUnreadable) { try await tokens.token(of: broken) }
        let whole = try await tokens.token(of: key.developerKey())
        #expect(whole.isNew)
    }

    @Test("Faults of the installation's key are reported to its operator; others, as with a person's own key")
    func operatorSeesFaultsOfTheInstallationKey() {
        let now = Timestamp(microseconds: 1)
        let refused = AppleMusicError.developerTokenRefused
        #expect(refused.failure(at: now).kind == .keyRefused)
        #expect(refused.installationFailure(at: now).kind == .clientRefused)
        #expect(refused.installationFailure(at: now).recovery == .fixConfiguration)
        #expect(AppleMusicError.privateKeyUnreadable.installationFailure(at: now).kind == .credentialMissing)
        for error in [AppleMusicError.userTokenRefused, .subscriptionMissing, .rateLimited(after: .seconds(3))] {
            #expect(error.installationFailure(at: now) == error.failure(at: now))
        }
    }
}
