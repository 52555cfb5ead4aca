import AppleMusic
import Contracts
import LinkedAccounts
import Model

extension WorkerDomain {
    /// Verifies keys and tokens of Apple Music by reading the person's storefront.
    package static let appleMusicConnections = WorkerDomain { process in
        let appleMusic = try process.providers.appleMusic()
        return [
            .verification(.setupVerifyAppleMusic, process.verification, library: process.libraryHooks) { candidate in
                // Without a key of their own the person uses the installation's.
                let ownKey = candidate.secrets[SecretField.privateKey].map { privateKey in
                    AppleMusicDeveloperKey(
                        teamID: candidate.details[SetupDetail.teamID] ?? "",
                        keyID: candidate.details[SetupDetail.keyID] ?? "", privateKey: privateKey)
                }
                let userToken = candidate.secrets[SecretField.userToken] ?? Secret("")
                let storefront = try await appleMusic.storefront(ownKey: ownKey, userToken: userToken)
                return "storefront \(storefront)"
            }
        ]
    }
}
