import Catalog
import Contracts
import Jobs

extension JobHandler {
    /// `catalog.search`: decodes, asks, replies. A refusal is also a result, since somebody waits for it.
    package static func catalogSearch(_ reading: CatalogReading) -> JobHandler {
        .calling(.catalogSearch) { payload, context in
            JobReply(try await reading.run(payload, for: context.person))
        }
    }

    /// `catalog.top`, like ``catalogSearch(_:)``.
    package static func catalogTop(_ reading: CatalogReading) -> JobHandler {
        .calling(.catalogTop) { payload, context in
            JobReply(try await reading.run(payload, for: context.person))
        }
    }

    /// `catalog.item`, like ``catalogSearch(_:)``.
    package static func catalogItem(_ reading: CatalogReading) -> JobHandler {
        .calling(.catalogItem) { payload, context in
            JobReply(try await reading.run(payload, for: context.person))
        }
    }
}

extension JobReply<CatalogResult> {
    fileprivate init(_ outcome: CatalogReading.Outcome) {
        self.init(outcome.result) { transaction, _ in try outcome.write(transaction) }
    }
}

extension WorkerDomain {
    /// Answers questions about services' catalogs.
    package static let catalog = WorkerDomain { process in
        let spotify = try process.providers.spotify()
        let appleMusic = try process.providers.appleMusic()
        let reading = CatalogReading(
            calls: CatalogCalls(spotify: spotify, appleMusic: appleMusic, database: process.database))
        return [.catalogSearch(reading), .catalogTop(reading), .catalogItem(reading)]
    }
}
