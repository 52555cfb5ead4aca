extension ConfigurationKeys {
    static let importsFolder = ConfigurationKey(
        "imports.folder", optional: .folderPath, example: "/var/lib/backline/imports",
        meaning: """
            The folder for files that people import, which the gateway and the sync-worker share. A file stays there
            until it has been read. Unset, it is the folder imports beside the database. It needs no backup.
            """)

    static let importsMaximumMegabytes = ConfigurationKey(
        "imports.maximumMegabytes", .integer(1...1_024), default: 1_024,
        meaning: """
            The largest accepted file, in MiB. Whatever is set here, a file may use at most half of
            imports.folderMegabytes.
            """)

    static let importsFolderMegabytes = ConfigurationKey(
        "imports.folderMegabytes", .integer(2...1_000_000), default: 4_096,
        meaning: """
            The most MiB in that folder. One person's files may use half of it. Files that would not fit are refused
            until others have been read.
            """)

    static let importsReserveMegabytes = ConfigurationKey(
        "imports.reserveMegabytes", .integer(0...1_000_000), default: 512,
        meaning: """
            The free space, in MiB, to leave on that folder's disk: a file that would use any of it is refused. The
            database, which is usually on the same disk, needs room for the content of the files.
            """)

    static let importsRowsPerPerson = ConfigurationKey(
        "imports.rowsPerPerson", .integer(0...1_000_000_000), default: 2_000_000,
        meaning: """
            The most songs and playlist entries that files may add to one person's library. Listens have their own
            limit. 0 sets no limit.
            """)

    static let importsCharactersPerPerson = ConfigurationKey(
        "imports.charactersPerPerson", .integer(0...1_000_000_000_000), default: 500_000_000,
        meaning: "The most characters in the names of these songs and entries. 0 sets no limit.")
}
