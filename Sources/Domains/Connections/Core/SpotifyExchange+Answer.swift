import Contracts
import Model
import Storage
import Vault

extension SpotifyExchange {
    /// Replaces the connected account with the account of a question, as the person has answered.
    ///
    /// - Parameter keepsFormerData: whether the data of the former account stays.
    /// - Throws: errors of the database, and cancellation. Other failures are in the verdict.
    package func replaceAccount(questionID: String, userID: String, keepsFormerData: Bool) async throws -> Outcome {
        let found = try await database.read { try $0.vault.candidate(id: questionID, now: .now()) }
        guard let found, found.userID == userID, found.provider == Provider.spotify.rawValue else {
            return Outcome(verdict: .questionExpired) { _ in .nothing }
        }
        let (question, grant): (AccountQuestion, SpotifyGrant)
        do throws(VaultError) {
            (question, grant) = try AccountQuestion.opened(found, userID: userID, by: vault)
            // The tokens are sealed again in the transaction that stores them.
            _ = try vault.vault()
        } catch {
            return Outcome(verdict: AuthorizationVerdict(sealed(error))) { _ in .nothing }
        }
        return Outcome(verdict: .connected) { [vault] transaction in
            let (now, provider) = (Timestamp.now(), Provider.spotify.rawValue)
            let former = try transaction.connections.record(userID: userID, provider: provider)
            // The question was answered, withdrawn or expired in the meantime, or the connection is now a different
            // one.
            guard try transaction.vault.candidate(id: questionID, now: now) != nil,
                former?.accountID == question.formerAccountID
            else { return .nothing }
            try AccountQuestion.withdraw(userID: userID, in: transaction, now: now)
            try grant.store(userID: userID, sealedBy: vault, in: transaction, now: now)
            if keepsFormerData {
                try transaction.connections.putFormerAccount(
                    FormerAccountRecord(
                        accountID: question.formerAccountID, accountName: former?.accountName, replacedAt: now),
                    userID: userID, provider: provider)
            }
            return WriteResult(isConnected: true)
        }
    }
}
