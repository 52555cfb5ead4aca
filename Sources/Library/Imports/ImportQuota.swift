import LibraryFiles
import Synchronization

/// What one person's library may have of files: a file that was zipped is many times as large in the database.
package struct ImportQuota: Sendable, Equatable {
    /// Songs, and entries of playlists; `nil` sets no limit.
    package var rows: Int?
    /// Of their texts, in Unicode scalars, as both SQLite and PostgreSQL count them; `nil` sets no limit.
    package var characters: Int?

    package init(rows: Int? = 2_000_000, characters: Int? = 500_000_000) {
        (self.rows, self.characters) = (rows, characters)
    }

    /// What a library has of files.
    package struct Use: Sendable, Equatable {
        package var rows = 0
        package var characters = 0

        package init(rows: Int = 0, characters: Int = 0) {
            (self.rows, self.characters) = (rows, characters)
        }
    }
}

/// What an import may still write. It counts what it writes itself, beside which no other import of the person runs.
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

    /// - Parameter rows: that are to be added.
    /// - Throws: an error for people when they may not be.
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
            "\(key) allows each person \(what) from files, which your library has. Remove what an import brought that "
                + "you do not need, or ask the administrator, and import the file again.")
    }
}
