import Contracts
import Connections
import Model
import Workers

extension WorkerDomain {
    /// Verifies Gemini keys by reading the list of models.
    package static let geminiConnections = WorkerDomain { process in
        let gemini = try process.providers.gemini()
        return [
            .verification(.setupVerifyGemini, process.verification) { candidate in
                let key = candidate.secrets[SecretField.apiKey] ?? Secret("")
                try await ProviderFailure.translating(.gemini) { try await gemini.client(candidate: key).verify() }
                return nil
            }
        ]
    }
}
