import Accounts
import Gateway
import HTTPTypes
import Hummingbird
import People
import Storage
import Visibility

extension GatewayContext {
    /// The username in the path of a request; `nil` for one that nobody can have, which is answered like an unknown one.
    var namedPerson: String? {
        guard let name = try? text("username", of: "person"), !name.utf8.contains(0), name.utf8.count <= 1_000 else {
            return nil
        }
        return name
    }

    /// Runs an act toward the person whom the path names.
    ///
    /// - Parameter act: gets the id of the person; `nil` for a name that nobody has.
    /// - Throws: ``Problem``.
    func act<Value: Sendable>(
        in database: Database,
        _ act: @escaping @Sendable (WriteTransaction, _ userID: String, _ subjectID: String?) throws -> Value
    ) async throws -> Value {
        let (userID, name) = (try userID, namedPerson)
        do {
            return try await database.write { transaction in
                try act(transaction, userID, try name.flatMap { try transaction.accounts.user(named: $0) }?.id)
            }
        } catch let refusal as PeopleRefusal {
            throw Problem(refusal)
        } catch let reached as ActLimitReached {
            throw Problem(reached)
        }
    }
}
