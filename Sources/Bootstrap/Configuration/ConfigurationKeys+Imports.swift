extension ConfigurationKeys {
    static let importsFolder = ConfigurationKey(
        "imports.folder", optional: .folderPath, example: "/var/lib/backline/imports",
        meaning: """
            The folder of files that people import, which the gateway and the sync-worker share. A file is there until it
            was read. Unset, it is the folder imports beside the database. It needs no backup.
            """)

    static let importsMaximumMegabytes = ConfigurationKey(
        "imports.maximumMegabytes", .integer(1...1_024), default: 1_024, meaning: "The most MiB of one file.")

    static let importsFolderMegabytes = ConfigurationKey(
        "imports.folderMegabytes", .integer(1...1_000_000), default: 4_096,
        meaning: "The most MiB of that folder. Files that would not fit are refused until others were read.")
}
