import Model
import Storage

extension CurationStore {
    /// The model that a person has chosen; `nil` without a choice.
    package func modelChoice(userID: String) throws -> ModelChoice? {
        try transaction.row("SELECT model FROM curation_settings WHERE user_id = \(userID)").map {
            try $0.word("model")
        }
    }
}

extension CurationStore where Access == WriteTransaction {
    /// - Parameter choice: the model; `nil` removes the choice.
    package func choose(_ choice: ModelChoice?, userID: String) throws {
        guard let choice else {
            try transaction.run("DELETE FROM curation_settings WHERE user_id = \(userID)")
            return
        }
        try transaction.run(
            """
            INSERT INTO curation_settings (user_id, model) VALUES (\(userID), \(choice.rawValue))
            ON CONFLICT (user_id) DO UPDATE SET model = excluded.model
            """)
    }
}
