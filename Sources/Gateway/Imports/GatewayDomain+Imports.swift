import Library

extension GatewayDomain {
    /// Files that people bring into their libraries, and take out of them.
    static func imports(
        _ services: GatewayServices, folder: ImportFolder, limits: ImportUploads.Limits
    ) -> GatewayDomain {
        let uploads = ImportUploads(folder: folder, limits: limits)
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
                }
            ],
            pages: [SitePage("/library/import", module: "library/import.js", section: "library")])
    }
}
