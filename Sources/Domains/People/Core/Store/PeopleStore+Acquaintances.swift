import Storage
import Visibility

extension PeopleStore where Access == WriteTransaction {
    /// Looks at up to `limit` acquaintances, and ends those of people who no longer have anything of each other, neither
    /// a follow nor a request, once all devices know it.
    ///
    /// - Returns: how many acquaintances it has looked at.
    package func pruneAcquaintances(limit: Int) throws -> Int {
        try transaction.visibility.pruneAcquaintances(limit: limit) { one, other in
            try hasRequest(of: one, by: other) || hasRequest(of: other, by: one)
        }
    }
}
