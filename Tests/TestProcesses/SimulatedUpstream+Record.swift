/// What people do to their playlists at `simulator.spotify` and `simulator.appleMusic`, and what happened to them.
extension SimulatedUpstream {
    /// An edit of a playlist, for ``changeLibrary(_:playlists:person:after:at:)``.
    package struct PlaylistEdit: Sendable {
        /// `append`, `insert`, `remove`, `replace`, `reorder`, `empty`, `delete`, `create`, `rename`.
        package var edit: String
        /// The playlist's id; not for `create`.
        package var id: String?
        /// The playlist's name, if its id is not known.
        package var called: String?
        package var count: Int?
        package var name: String?
        /// The ids of songs in the library, with `append`, `insert`, `remove` and `create`.
        package var songs: [String]?
        /// The position, for `insert`, `remove` and `reorder`.
        package var position: Int?
        /// The new position, for `reorder`.
        package var to: Int?
        /// At Apple Music with `append`, the number of calls to the library until the songs are shown.
        package var showsAfterCalls: Int?

        package init(
            _ edit: String, id: String? = nil, count: Int? = nil, name: String? = nil, songs: [String]? = nil,
            position: Int? = nil, to: Int? = nil
        ) {
            (self.edit, self.id, self.count, self.name) = (edit, id, count, name)
            (self.songs, self.position, self.to) = (songs, position, to)
        }

        var json: JSON {
            var members: [String: JSON] = ["edit": .string(edit)]
            for (key, text) in [("id", id), ("called", called), ("name", name)] {
                members[key] = text.map { .string($0) }
            }
            for (key, number) in [
                ("count", count), ("position", position), ("to", to), ("showsAfterCalls", showsAfterCalls),
            ] { members[key] = number.map { .integer($0) } }
            members["songs"] = songs.map { .array($0.map { .string($0) }) }
            return .object(members)
        }
    }

    /// A request right before or right after which a library changes.
    package struct RequestMoment: Sendable {
        /// A part of the endpoint's name, such as `DELETE /spotify/v1/playlists/{id}/items`.
        package var endpoint: String
        /// The number of the request among those that match from now on.
        package var request: Int
        /// Whether the request has taken effect before the change. Its answer is sent after the change in any case.
        package var isAfter: Bool

        package init(_ isAfter: Bool, _ endpoint: String, request: Int = 1) {
            (self.isAfter, self.endpoint, self.request) = (isAfter, endpoint, request)
        }

        package static func before(_ endpoint: String, request: Int = 1) -> Self {
            Self(false, endpoint, request: request)
        }

        package static func after(_ endpoint: String, request: Int = 1) -> Self {
            Self(true, endpoint, request: request)
        }

        var json: JSON {
            .object([
                "match": .object(["endpoint": .string(endpoint)]), "request": .integer(request),
                "moment": .string(isAfter ? "after" : "before"),
            ])
        }
    }

    /// Something that happened to a playlist.
    package struct RecordedEvent: Decodable, Sendable {
        package enum Kind: String, Decodable, Sendable { case request, created, deleted, changed, renamed }

        /// Who changed a playlist: a program through the API, or a person in the service's own app.
        package enum Author: String, Decodable, Sendable { case app, person }

        /// Microseconds of `CLOCK_BOOTTIME`.
        package var at: Int
        package var kind: Kind
        package var playlist: String?
        /// For a request, its endpoint.
        package var endpoint: String?
        /// For a request, the fault that was applied.
        package var fault: String?
        /// For a change, who made it.
        package var author: Author?
        package var name: String?
        /// For a change, the library ids of the songs afterwards, including those that are not shown yet.
        package var entries: [String]?

        package init(
            at moment: Int, kind: Kind, playlist: String?, endpoint: String? = nil, fault: String? = nil,
            author: Author? = nil, name: String? = nil, entries: [String]? = nil
        ) {
            (at, self.kind, self.playlist, self.endpoint) = (moment, kind, playlist, endpoint)
            (self.fault, self.author, self.name, self.entries) = (fault, author, name, entries)
        }
    }

    /// A playlist as its service shows it.
    package struct PlaylistView: Decodable, Sendable {
        package var id: String
        package var name: String
        /// The library ids of its songs; empty texts for other entries.
        package var entries: [String]
        /// The ids of the same songs in the service's catalog.
        package var catalogIds: [String]
    }

    /// Begins to record what happens to playlists.
    package func beginRecord() async throws { try await order("library/record") }

    package func record() async throws -> [RecordedEvent] {
        struct Record: Decodable { var events: [RecordedEvent] }
        let record: Record = try await ask("library/record")
        return record.events
    }

    package func shownPlaylists() async throws -> [PlaylistView] { try await ask("library/playlists") }

    /// Discards the changes that wait for a request.
    package func forgetChanges() async throws {
        try Simulator.check(await client.send(.DELETE, "/_sim/\(name)/library/changes"))
    }

    /// Shows everything that Apple Music does not show yet.
    package func showAll() async throws { try await order("library/changes", .object(["showAll": .bool(true)])) }
}
