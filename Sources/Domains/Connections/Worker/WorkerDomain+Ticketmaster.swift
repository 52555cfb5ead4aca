import Contracts
import Connections
import Model
import Workers

extension WorkerDomain {
    /// Verifies Ticketmaster keys by searching for one event.
    package static let ticketmasterConnections = WorkerDomain { process in
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
}
