import AppleMusic
import Contracts
import LinkedAccounts
import Model

extension WorkerDomain {
    /// Verifies keys and tokens of Apple Music by reading the person's storefront.
    package static let appleMusicConnections = WorkerDomain { process in
        let appleMusic = try process.providers.appleMusic()
        return [
            .verification(.setupVerifyAppleMusic, process.verification) { candidate in
                let key = AppleMusicDeveloperKey(
                    teamID: candidate.details[SetupDetail.teamID] ?? "",
                    keyID: candidate.details[SetupDetail.keyID] ?? "",
                    privateKey: candidate.secrets[SecretField.privateKey] ?? Secret(""))
                let userToken = candidate.secrets[SecretField.userToken] ?? Secret("")
                let storefront = try await ProviderFailure.translating(.appleMusic) {
                    try await appleMusic.client(candidate: key, userToken: userToken).storefront()
                }
                return "storefront \(storefront)"
            }
        ]
    }
}
