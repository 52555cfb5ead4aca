import Foundation
import Library

extension BacklineConfiguration {
    package struct Imports: Sendable, Equatable {
        /// The folder for files that people import, which the gateway and the workers share.
        package var folder: String
        /// The most bytes of one file.
        package var maximumBytes: Int
        /// The most bytes of all files in the folder.
        package var capacity: Int
        /// The bytes that imports leave free on the disk.
        package var reserve: Int
        /// The limits on what files may add to one person's library.
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

extension ImportFolder {
    package init(_ configuration: BacklineConfiguration.Imports) {
        self.init(path: configuration.folder)
    }
}
