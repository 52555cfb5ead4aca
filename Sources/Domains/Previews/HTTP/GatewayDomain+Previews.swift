import Gateway
import Model
import Previews

extension GatewayDomain {
    /// Previews of songs.
    ///
    /// - Parameter hosts: the hosts from which pages may play audio.
    package static func previews(_ services: GatewayServices, hosts: MediaHosts) -> GatewayDomain {
        let database = services.database
        return GatewayDomain(
            "previews",
            routes: { routing in
                PreviewRoutes(queue: services.queue, hosts: hosts).add(to: routing.signedIn)
            },
            upkeepSteps: [
                UpkeepStep(pruning: "prune", every: .seconds(3_600), startsAtOnce: true) { time in
                    _ = try await database.deleteInBatches(at: time.before(StoredPreview.lifetime)) {
                        try $0.previews.prune(foundBefore: $1, limit: $2)
                    }
                    _ = try await database.deleteInBatches(at: time) { transaction, _, limit in
                        try transaction.previews.limit(atOnce: limit)
                    }
                }
            ])
    }
}
