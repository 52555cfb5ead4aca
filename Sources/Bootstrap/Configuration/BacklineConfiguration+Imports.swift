import Foundation
import Library
import Storage

extension BacklineConfiguration {
    package struct Imports: Sendable, Equatable {
        /// The folder of files that people import, which the gateway and the workers share.
        package var folder: String
        /// The most bytes of one file.
        package var maximumBytes: Int
        /// The most bytes of all files in the folder.
        package var capacity: Int
        /// The bytes of the disk that stay free.
        package var reserve: Int
        /// What one person's library may have of files.
        package var quota: ImportQuota

        init(reading reader: inout ConfigurationReader, database: Database) {
            let beside = (database.path as NSString).deletingLastPathComponent as NSString
            folder = reader.value(ConfigurationKeys.importsFolder) ?? beside.appendingPathComponent("imports")
            maximumBytes = reader.value(ConfigurationKeys.importsMaximumMegabytes) << 20
            capacity = reader.value(ConfigurationKeys.importsFolderMegabytes) << 20
            reserve = reader.value(ConfigurationKeys.importsReserveMegabytes) << 20
            func limit(_ value: Int) -> Int? { value == 0 ? nil : value }
            quota = ImportQuota(
                rows: limit(reader.value(ConfigurationKeys.importsRowsPerPerson)),
                characters: limit(reader.value(ConfigurationKeys.importsCharactersPerPerson)))
        }
    }
}

extension BacklineConfiguration.Imports {
    /// Removes the files of a person who is gone, as far as their imports still name them. It waits for the disk, and
    /// so it is for commands. What it leaves, the gateway removes within a minute.
    package func removeFiles(ofUser userID: String, in database: Storage.Database) async {
        guard let files = try? await database.read({ try $0.imports.files(userID: userID) }) else { return }
        let folder = ImportFolder(self)
        for file in files { folder.remove(file) }
    }
}

extension ImportFolder {
    package init(_ configuration: BacklineConfiguration.Imports) {
        self.init(path: configuration.folder)
    }
}
