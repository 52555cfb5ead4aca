import Gateway
import LibraryImports

extension GatewayDomain {
    /// Files that people import into their libraries or export from them.
    ///
    /// - Parameter historyRetention: how long an import can be undone after its end.
    package static func imports(
        _ services: GatewayServices, settings: ImportSettings, historyRetention: Duration
    ) -> GatewayDomain {
        let uploads = ImportUploads(settings)
        let pruning = ImportPruning(database: services.database, retention: historyRetention)
        return GatewayDomain(
            "imports",
            routes: { routing in
                ImportRoutes(queue: services.queue, uploads: uploads).add(to: routing.signedIn)
                LibraryExportRoutes(database: services.database).add(to: routing.signedIn)
            },
            eventSources: [ImportRoutes.eventSource],
            upkeepSteps: [
                UpkeepStep("removeFiles", every: .seconds(60), startsAtOnce: true) {
                    try await uploads.removeLeftovers(in: services.database)
                },
                UpkeepStep(pruning: "prune", every: .seconds(3_600), startsAtOnce: true) { time in
                    try await pruning.prune(at: time)
                },
            ],
            pages: [SitePage("/library/import", module: "library/import.js", section: "library")])
    }
}
