import Accounts
import AppleMusic
import Connections
import Contracts
import Model

extension WorkerDomain {
    /// Proving Gemini keys, by asking for the list of models.
    package static let geminiSetup = WorkerDomain { process in
        let gemini = try process.providers.gemini()
        return [
            .verification(.setupVerifyGemini, process.verification) { candidate in
                let key = candidate.secrets[SecretField.apiKey] ?? Secret("")
                try await ProviderFailure.translating(.gemini) { try await gemini.client(candidate: key).verify() }
                return nil
            }
        ]
    }

    /// Proving Ticketmaster keys, by asking for one event.
    package static let ticketmasterSetup = WorkerDomain { process in
        let ticketmaster = try process.providers.ticketmaster()
        return [
            .verification(.setupVerifyTicketmaster, process.verification) { candidate in
                let key = candidate.secrets[SecretField.apiKey] ?? Secret("")
                _ = try await ProviderFailure.translating(.ticketmaster) {
                    try await ticketmaster.client(candidate: key).events(keyword: "music", size: 1)
                }
                return nil
            }
        ]
    }

    /// Proving the keys and tokens of Apple Music, by asking for the person's storefront.
    package static let appleMusicSetup = WorkerDomain { process in
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

extension WorkerProcess {
    fileprivate var verification: CredentialVerification {
        CredentialVerification(database: database, vault: vault) { city, userID, now, transaction in
            try transaction.accounts.setHomeCity(city, userID: userID, now: now)
        }
    }
}
