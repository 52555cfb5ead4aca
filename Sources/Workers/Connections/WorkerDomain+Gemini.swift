import Connections
import Contracts
import Model

extension WorkerDomain {
    /// Proving Gemini keys, by asking for the list of models.
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
