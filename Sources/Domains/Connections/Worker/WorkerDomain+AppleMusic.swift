import AppleMusic
import Contracts
import Jobs
import Connections
import Model
import Workers

extension WorkerDomain {
    /// Verifies keys and tokens of Apple Music by reading the person's storefront, and signs tokens for the page on
    /// which people sign in with Apple.
    package static let appleMusicConnections = WorkerDomain { process in
        let appleMusic = try process.providers.appleMusic()
        return [
            .verification(.setupVerifyAppleMusic, process.verification) { candidate in
                // A person without their own key uses the installation's.
                let ownKey = candidate.secrets[SecretField.privateKey].map { privateKey in
                    AppleMusicDeveloperKey(
                        teamID: candidate.details[SetupDetail.teamID] ?? "",
                        keyID: candidate.details[SetupDetail.keyID] ?? "", privateKey: privateKey)
                }
                let userToken = candidate.secrets[SecretField.userToken] ?? Secret("")
                let storefront = try await appleMusic.storefront(ownKey: ownKey, userToken: userToken)
                return "storefront \(storefront)"
            },
            .appleMusicPageToken(appleMusic),
        ]
    }
}

extension JobHandler {
    /// `setup.appleMusicPageToken`: signs, replies. An unusable key is also a result, since somebody waits.
    fileprivate static func appleMusicPageToken(_ appleMusic: AppleMusicProvider) -> JobHandler {
        JobHandler(.setupAppleMusicPageToken) { payload, _ in
            do {
                let signed = try await appleMusic.pageToken(origin: payload.origin)
                return JobResult(AppleMusicPageTokenResult(token: signed.token.reveal(), expiresAt: signed.expiresAt))
            } catch let failure as ProviderFailure {
                return JobResult(AppleMusicPageTokenResult(detail: failure.message))
            }
        }
    }
}
