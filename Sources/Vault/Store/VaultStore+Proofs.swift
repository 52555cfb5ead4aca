import Model
import Storage

/// A proof of identity for signing in, which waits until a worker has identified its person.
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
    /// Whether a proof is waiting for ``markVerified(_:userID:)``.
    package func isWaiting(_ proof: SignInProof, now: Timestamp) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS found FROM \(proof.table)
            WHERE id = \(proof.id) AND user_id IS NULL AND expires_at > \(now)
            """) != nil
    }
}

extension VaultStore where Access == WriteTransaction {
    /// Stores the person that a proof identifies, for ``spend(_:now:)``.
    package func markVerified(_ proof: SignInProof, userID: String) throws {
        try transaction.run(
            "UPDATE \(proof.table) SET user_id = \(userID) WHERE id = \(proof.id) AND user_id IS NULL")
    }

    /// Consumes a proof that a worker has verified. Only the first of several calls succeeds.
    ///
    /// - Returns: the id of the person; `nil` when the proof is not verified, missing or expired.
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
        try transaction.run("DELETE FROM \(proof.table) WHERE id = \(proof.id)")
    }
}
