import Gateway
import Notes
import Storage

extension GatewayDomain {
    /// People's notes.
    package static func notes(_ services: GatewayServices, settings: NoteSettings) -> GatewayDomain {
        let database = services.database
        return GatewayDomain(
            "notes",
            routes: { routing in
                NoteRoutes(database: database, maximumBodyBytes: services.maximumBodyBytes).add(to: routing.signedIn)
            },
            eventSources: [
                EventSource(.note, topics: [.notes]) { reader, userID, after, limit in
                    try reader.notes.changed(userID: userID, after: after, limit: limit).map {
                        EventSource.Change(number: $0.change, id: $0.id, data: $0.json)
                    }
                }
            ],
            upkeepSteps: [
                UpkeepStep(pruning: "prune", every: pruneInterval, startsAtOnce: true) { time in
                    try await database.deleteInBatches(at: time.before(settings.retention)) {
                        try $0.notes.prune(createdBefore: $1, limit: $2)
                    }
                }
            ],
            pages: [
                SitePage(
                    "/notes", module: "notes/notes.js", section: "library", link: PageLink("Notes", icon: "pencil"))
            ])
    }
}
