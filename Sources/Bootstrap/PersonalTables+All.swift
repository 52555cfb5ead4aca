import Accounts
import Concerts
import Connections
import Storage
import Vault

extension PersonalTables {
    /// Those of every domain. Whoever adds a domain with rows of people names its tables here.
    package static let all = PersonalTables(.accounts, .vault, .connections, .permits, .concerts, .jobs)
}
