import Contracts
import Storage

extension LibraryStore {
    /// People with a schedule, after and up to an id; `nil` for all after it.
    func scheduledPeople(after userID: String, upTo end: String?) throws -> [String] {
        let kind = TypedJobKind.librarySync.kind.name
        let limit: SQL = end.map { "AND user_id <= \($0)" } ?? ""
        return try transaction.rows(
            "SELECT user_id FROM domain_schedules WHERE kind = \(kind) AND user_id > \(userID) \(limit)"
        ).map { try $0["user_id"] }
    }
}
