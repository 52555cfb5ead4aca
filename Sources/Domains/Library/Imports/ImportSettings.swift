import Settings

/// The settings of files that people import.
package struct ImportSettings: SettingsSection {
    /// The folder for these files, which the gateway and the workers share.
    package var folder: String
    /// The most bytes of one file.
    package var maximumBytes: Int
    /// The most bytes of all files in the folder.
    package var capacity: Int
    /// The most bytes of one person's files in it, so that nobody keeps others from importing.
    package var capacityOfPerson: Int { capacity / 2 }
    /// The bytes that imports leave free on the disk.
    package var reserve: Int
    /// The limits on what files may add to one person's library.
    package var quota: ImportQuota

    package static let keys = [
        Keys.folder.summary, Keys.maximumMegabytes.summary, Keys.folderMegabytes.summary,
        Keys.reserveMegabytes.summary, Keys.rowsPerPerson.summary, Keys.charactersPerPerson.summary,
    ]

    package init(reading reader: inout ConfigurationReader) {
        folder = reader.value(Keys.folder) ?? reader.path(besideDatabase: "imports")
        maximumBytes = reader.value(Keys.maximumMegabytes) << 20
        capacity = reader.value(Keys.folderMegabytes) << 20
        reserve = reader.value(Keys.reserveMegabytes) << 20
        func limit(_ value: Int) -> Int? { value == 0 ? nil : value }
        quota = ImportQuota(
            rows: limit(reader.value(Keys.rowsPerPerson)), characters: limit(reader.value(Keys.charactersPerPerson)))
    }
}

extension ImportFolder {
    package init(_ settings: ImportSettings) {
        self.init(path: settings.folder)
    }
}

private enum Keys {
    static let folder = ConfigurationKey(
        "imports.folder", optional: .folderPath, example: "/var/lib/backline/imports",
        meaning: """
            The folder for files that people import, which the gateway and the sync-worker share. A file stays there
            until it has been read. Unset, it is the folder imports beside the database. It needs no backup.
            """)

    static let maximumMegabytes = ConfigurationKey(
        "imports.maximumMegabytes", .integer(1...1_024), default: 1_024,
        meaning: """
            The largest accepted file, in MiB. Whatever is set here, a file may use at most half of
            imports.folderMegabytes.
            """)

    static let folderMegabytes = ConfigurationKey(
        "imports.folderMegabytes", .integer(2...1_000_000), default: 4_096,
        meaning: """
            The most MiB in that folder. One person's files may use half of it. Files that would not fit are refused
            until others have been read.
            """)

    static let reserveMegabytes = ConfigurationKey(
        "imports.reserveMegabytes", .integer(0...1_000_000), default: 512,
        meaning: """
            The free space, in MiB, to leave on that folder's disk: a file that would use any of it is refused. The
            database, which is usually on the same disk, needs room for the content of the files.
            """)

    static let rowsPerPerson = ConfigurationKey(
        "imports.rowsPerPerson", .integer(0...1_000_000_000), default: 2_000_000,
        meaning: """
            The most songs and playlist entries that files may add to one person's library. Listens have their own
            limit. 0 sets no limit.
            """)

    static let charactersPerPerson = ConfigurationKey(
        "imports.charactersPerPerson", .integer(0...1_000_000_000_000), default: 500_000_000,
        meaning: "The most characters in the names of these songs and entries. 0 sets no limit.")
}
