extension ConfigurationKeys {
    static let importsFolder = ConfigurationKey(
        "imports.folder", optional: .folderPath, example: "/var/lib/backline/imports",
        meaning: """
            The folder of files that people import, which the gateway and the sync-worker share. A file is there until
            it was read. Unset, it is the folder imports beside the database. It needs no backup.
            """)

    static let importsMaximumMegabytes = ConfigurationKey(
        "imports.maximumMegabytes", .integer(1...1_024), default: 1_024,
        meaning: "The most MiB of one file. It has at most half of imports.folderMegabytes, whatever is set here.")

    static let importsFolderMegabytes = ConfigurationKey(
        "imports.folderMegabytes", .integer(2...1_000_000), default: 4_096,
        meaning: """
            The most MiB of that folder. The files of one person get half of it. Files that would not fit are refused
            until others were read.
            """)

    static let importsReserveMegabytes = ConfigurationKey(
        "imports.reserveMegabytes", .integer(0...1_000_000), default: 512,
        meaning: """
            The free space in MiB that stays on the disk of that folder: a file that would take any of it is refused.
            The database, which is usually beside it, needs room for what files bring.
            """)

    static let importsRowsPerPerson = ConfigurationKey(
        "imports.rowsPerPerson", .integer(0...1_000_000_000), default: 2_000_000,
        meaning: """
            The most songs and entries of playlists that files bring into one person's library. Listens have a limit of
            their own. 0 sets no limit.
            """)

    static let importsCharactersPerPerson = ConfigurationKey(
        "imports.charactersPerPerson", .integer(0...1_000_000_000_000), default: 500_000_000,
        meaning: "The most characters of the names of these songs and entries. 0 sets no limit.")
}
