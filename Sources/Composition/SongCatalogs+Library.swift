import CurationWorker
import LibraryEdits
import LibraryWorker
import Workers

extension SongCatalogs {
    /// The catalogs of the services that people have connected for their libraries.
    init(process: WorkerProcess) throws {
        let libraries = try LibrarySources(process)
        self.init(
            database: process.database, connected: { try await libraries.connected(userID: $0) },
            open: { service, userID in
                let catalog = try await libraries.copying(service, userID: userID)
                return { text in
                    try await catalog.search(text, 0).map { FoundSong(id: $0.id, record: $0.record) }
                }
            })
    }
}
