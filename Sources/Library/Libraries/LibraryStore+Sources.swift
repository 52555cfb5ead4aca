import Model
import Storage

extension LibraryStore {
    /// The country whose catalog a user uses at a source; `nil` if unknown.
    package func storefront(of source: MusicSource, userID: String) throws -> String? {
        let row = try transaction.row(
            """
            SELECT library_sources.storefront FROM libraries
            JOIN library_sources ON library_sources.library_id = libraries.id
            WHERE libraries.user_id = \(userID) AND library_sources.source = \(source.number)
            """)
        return try row?["storefront"]
    }
}

extension LibraryStore where Access == WriteTransaction {
    func setStorefront(_ storefront: String, of source: MusicSource, library: Int64) throws {
        try transaction.run(
            """
            UPDATE library_sources SET storefront = \(storefront)
            WHERE library_id = \(library) AND source = \(source.number)
            """)
    }

    func recordCompletion(of source: MusicSource, library: Int64, now: Timestamp) throws {
        try transaction.run(
            """
            UPDATE library_sources SET completed_at = \(now)
            WHERE library_id = \(library) AND source = \(source.number)
            """)
    }
}
