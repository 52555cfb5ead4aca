import Accounts
import Connections

extension WorkerProcess {
    /// Proves what people enter. Where they live belongs to their account.
    var verification: CredentialVerification {
        CredentialVerification(database: database, vault: vault) { city, userID, now, transaction in
            try transaction.accounts.setHomeCity(city, userID: userID, now: now)
        }
    }
}
