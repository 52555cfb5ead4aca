import Model
import Storage

/// What somebody brought to sign in with, by where it waits until a worker has found out whom it is of.
package enum SignInProof: Sendable, Equatable {
    /// A row of `authorizations`.
    case authorization(id: String)
    /// A row of `credential_candidates`.
    case candidate(id: String)

    fileprivate var id: String {
        switch self {
        case .authorization(let id), .candidate(let id): id
        }
    }

    fileprivate var table: SQL {
        switch self {
        case .authorization: "authorizations"
        case .candidate: "credential_candidates"
        }
    }
}

extension VaultStore {
    /// Whether somebody waits to learn whom a proof is of.
    package func isWaiting(_ proof: SignInProof, now: Timestamp) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS found FROM \(proof.table)
            WHERE id = \(proof.id) AND user_id IS NULL AND expires_at > \(now)
            """) != nil
    }
}

extension VaultStore where Access == WriteTransaction {
    /// Says whom a proof is of, for ``spend(_:now:)``.
    package func settle(_ proof: SignInProof, userID: String) throws {
        try transaction.execute(
            "UPDATE \(proof.table) SET user_id = \(userID) WHERE id = \(proof.id) AND user_id IS NULL")
    }

    /// Takes away a proof that a worker has settled, of however many who try only once.
    ///
    /// - Returns: the id of whom it is of; `nil` when it is not settled, gone or over.
    package func spend(_ proof: SignInProof, now: Timestamp) throws -> String? {
        let owner: String? = try transaction.row(
            """
            SELECT user_id FROM \(proof.table)
            WHERE id = \(proof.id) AND user_id IS NOT NULL AND expires_at > \(now)
            """)?["user_id"]
        if owner != nil { try drop(proof) }
        return owner
    }

    package func drop(_ proof: SignInProof) throws {
        try transaction.execute("DELETE FROM \(proof.table) WHERE id = \(proof.id)")
    }
}
