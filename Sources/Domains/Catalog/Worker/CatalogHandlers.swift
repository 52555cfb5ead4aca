import Catalog
import Contracts
import Jobs
import Workers

extension JobHandler {
    /// `catalog.search`: decodes, asks, replies. A refusal is also a result, since somebody waits for it.
    static func catalogSearch(_ fetch: CatalogFetch) -> JobHandler {
        .calling(.catalogSearch) { payload, context in
            JobResult(try await fetch.run(payload, for: context.person))
        }
    }

    /// `catalog.top`, like ``catalogSearch(_:)``.
    static func catalogTop(_ fetch: CatalogFetch) -> JobHandler {
        .calling(.catalogTop) { payload, context in
            JobResult(try await fetch.run(payload, for: context.person))
        }
    }

    /// `catalog.item`, like ``catalogSearch(_:)``.
    static func catalogItem(_ fetch: CatalogFetch) -> JobHandler {
        .calling(.catalogItem) { payload, context in
            JobResult(try await fetch.run(payload, for: context.person))
        }
    }
}

extension JobResult<CatalogResult> {
    fileprivate init(_ outcome: CatalogFetch.Outcome) {
        self.init(outcome.result) { transaction, _ in try outcome.write(transaction) }
    }
}

extension WorkerDomain {
    /// Answers questions about services' catalogs.
    package static let catalog = WorkerDomain { process in
        let spotify = try process.providers.spotify()
        let appleMusic = try process.providers.appleMusic()
        let fetch = CatalogFetch(
            calls: CatalogCalls(spotify: spotify, appleMusic: appleMusic, database: process.database))
        return [.catalogSearch(fetch), .catalogTop(fetch), .catalogItem(fetch)]
    }
}
