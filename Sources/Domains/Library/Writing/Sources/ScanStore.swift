import Library
import Model
import Storage

/// What scans of sources' lists have seen, and the pages that syncs have fetched but not written yet. Read or written
/// in a transaction: `transaction.scans`.
package struct ScanStore<Access: SQLReader> {
    package let transaction: Access
}

extension SQLReader {
    package var scans: ScanStore<Self> { ScanStore(transaction: self) }
}

extension SourceScan {
    /// The name of a list's items among the sightings. It distinguishes between the two scans of a list.
    func item(of list: SourceList) -> String { isSecond ? list.seenAgain : list.item }
}

extension ScanStore where Access == WriteTransaction {
    /// Records that a scan of a whole list has seen these items.
    ///
    /// - Parameter ids: the keys of the list's rows.
    func markSeen(_ list: SourceList, _ ids: [Int64], by scan: SourceScan) throws {
        for part in ids.inParts {
            try transaction.run(
                """
                INSERT INTO library_sightings (library_id, source, item, item_id)
                SELECT library_id, source, \(scan.item(of: list)), id FROM \(trusted: list.table)
                WHERE +library_id = \(scan.libraryID) AND +source = \(scan.source.number)
                    AND id IN (\(list: part))
                ON CONFLICT (library_id, source, item, item_id) DO NOTHING
                """)
        }
    }

    /// Records that a scan of a whole list has seen items for which it only got the source's ids.
    package func markSeen(_ list: SourceList, sourceIDs: [String], by scan: SourceScan) throws {
        for part in sourceIDs.inParts {
            try transaction.run(
                """
                INSERT INTO library_sightings (library_id, source, item, item_id)
                SELECT library_id, source, \(scan.item(of: list)), id FROM \(trusted: list.table)
                WHERE library_id = \(scan.libraryID) AND source = \(scan.source.number)
                    AND source_id IN (\(list: part))
                ON CONFLICT (library_id, source, item, item_id) DO NOTHING
                """)
        }
    }
}
