import Gateway
import Model
import Pictures

extension GatewayDomain {
    /// Pictures of services.
    package static func pictures(_ services: GatewayServices, settings: PictureSettings) -> GatewayDomain {
        let folder = PictureFolder(settings)
        let fetches = PictureFetches(queue: services.queue)
        return GatewayDomain(
            "pictures",
            routes: { routing in
                PictureRoutes(paths: services.pictures, folder: folder, fetches: fetches).add(to: routing.signedIn)
            },
            upkeepSteps: [
                UpkeepStep("prune", every: .seconds(3_600), startsAtOnce: true) { await folder.prune() },
                UpkeepStep("endWithoutWorker", every: .seconds(1)) { fetches.endWithoutWorker() },
            ])
    }
}
