import LibraryFiles
import Synchronization

/// Limits on what one user's library may contain from files, since a compressed file can take up many times its size in
/// the database.
package struct ImportQuota: Sendable, Equatable {
    /// The maximum number of tracks and playlist entries; `nil` for no limit.
    package var rows: Int?
    /// The maximum length of their texts in Unicode scalars, which both SQLite and PostgreSQL count; `nil` for no
    /// limit.
    package var characters: Int?

    package init(rows: Int? = 2_000_000, characters: Int? = 500_000_000) {
        (self.rows, self.characters) = (rows, characters)
    }

    /// How much a library contains from files.
    package struct Use: Sendable, Equatable {
        package var rows = 0
        package var characters = 0

        package init(rows: Int = 0, characters: Int = 0) {
            (self.rows, self.characters) = (rows, characters)
        }
    }
}

/// How much an import may still write. It only counts its own writes, which is sufficient because a user's imports do
/// not run concurrently.
final class ImportRoom: Sendable {
    private let quota: ImportQuota
    private let used: Mutex<ImportQuota.Use>

    init(_ quota: ImportQuota, used: ImportQuota.Use) {
        self.quota = quota
        self.used = Mutex(used)
    }

    func add(_ more: ImportQuota.Use) {
        used.withLock { used in
            used.rows += more.rows
            used.characters += more.characters
        }
    }

    /// - Parameter rows: the number of rows to add.
    /// - Throws: an error for people if the rows exceed the quota.
    func check(adding rows: Int = 1) throws(LibraryFileError) {
        let used = used.withLock { $0 }
        guard rows > 0 else { return }
        if let most = quota.rows, used.rows >= most || rows > most - used.rows {
            throw Self.reached("imports.rowsPerPerson", "\(most) songs and entries of playlists")
        }
        if let most = quota.characters, used.characters >= most {
            throw Self.reached("imports.charactersPerPerson", "\(most) characters of songs")
        }
    }

    private static func reached(_ key: String, _ what: String) -> LibraryFileError {
        LibraryFileError(
            "\(key) allows each person \(what) from files, and your library has reached this limit. Remove "
                + "an import that you do not need, or ask the administrator, and then import the file again.")
    }
}
