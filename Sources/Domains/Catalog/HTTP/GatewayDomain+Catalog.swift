import Gateway
import Jobs

extension GatewayDomain {
    /// Searches and pages of services' catalogs, and top lists.
    ///
    /// - Parameter librarySearch: finds what the person's own library has.
    package static func catalog(
        _ services: GatewayServices, _ service: CatalogService, librarySearch: @escaping LibrarySearch
    ) -> GatewayDomain {
        GatewayDomain(
            "catalog",
            routes: { routing in
                CatalogRoutes(service: service, librarySearch: librarySearch, pictures: services.pictures)
                    .add(to: routing.signedIn)
            },
            upkeepSteps: [
                UpkeepStep(pruning: "prune", every: .seconds(60), startsAtOnce: true) { time in
                    try await service.prune(at: time)
                }
            ],
            pages: [SitePage("/explore/:source/:type/:id", module: "catalog/item.js", section: "explore")])
    }
}
