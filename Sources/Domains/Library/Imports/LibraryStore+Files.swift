import Library
import LibraryWriting
import Model
import Storage

extension LibraryStore where Access == WriteTransaction {
    /// The scan under which rows from files are written.
    ///
    /// - Parameter source: Apple Music for an export of its app, otherwise files.
    func readingOfFiles(_ source: MusicSource, userID: String, now: Timestamp) throws -> SourceScan {
        let library = try open(userID: userID, now: now)
        return SourceScan(
            userID: userID, libraryID: library, sync: 0, source: source,
            accountID: try account(accountOfFiles, of: source, library: library, now: now))
    }
}
