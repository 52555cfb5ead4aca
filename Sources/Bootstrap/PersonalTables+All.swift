import Accounts
import Catalog
import Concerts
import Curation
import JobStorage
import Library
import LinkedAccounts
import Listening
import PermitStorage
import Storage
import Vault

extension PersonalTables {
    /// The tables of all domains. Add a new domain that stores rows about people here.
    package static let all = PersonalTables(
        .accounts, .vault, .connections, .permits, .concerts, .library, .catalog, .listening, .curation, .jobs)
}
