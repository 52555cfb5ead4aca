import Accounts
import Gateway
import HTTPTypes
import Hummingbird
import People
import Storage
import Visibility

extension GatewayContext {
    /// Runs an act toward the person whom the path names.
    ///
    /// - Parameter act: gets the id of the person; `nil` for a name that nobody has.
    /// - Throws: ``Problem``.
    func act<Value: Sendable>(
        in database: Database,
        _ act: @escaping @Sendable (WriteTransaction, _ userID: String, _ subjectID: String?) throws -> Value
    ) async throws -> Value {
        let (userID, name) = (try userID, try username)
        do {
            return try await database.write { transaction in
                try act(transaction, userID, try transaction.accounts.user(named: name)?.id)
            }
        } catch let refusal as PeopleRefusal {
            throw Problem(refusal)
        } catch let reached as ActLimitReached {
            throw Problem(reached)
        }
    }
}
