/// Shows that change at the simulated Ticketmaster.
extension Simulator {
    /// A show, as the control routes answer with it.
    package struct Show: Decodable, Sendable {
        package var id: String
        package var artist: String?
        package var city: String?
        /// `YYYY-MM-DD`.
        package var date: String?
        package var status: String
    }

    /// Announces a show.
    ///
    /// - Parameter isOnSale: whether it is on sale at once.
    package func announce(
        _ artist: String, in city: String, inDays days: Int, isOnSale: Bool = true
    ) async throws -> Show {
        try await change([
            "action": .string("announce"), "artist": .string(artist), "city": .string(city), "inDays": .integer(days),
            "isOnSale": .bool(isOnSale),
        ])
    }

    @discardableResult
    package func putOnSale(_ id: String) async throws -> Show {
        try await change(["action": .string("putOnSale"), "id": .string(id)])
    }

    @discardableResult
    package func move(_ id: String, inDays days: Int) async throws -> Show {
        try await change(["action": .string("move"), "id": .string(id), "inDays": .integer(days)])
    }

    @discardableResult
    package func cancel(_ id: String) async throws -> Show {
        try await change(["action": .string("cancel"), "id": .string(id)])
    }

    private func change(_ command: [String: JSON]) async throws -> Show {
        let response = try await client.post("/_sim/shows", JSON.object(command).encoded)
        try Self.check(response)
        guard let show = try response.decode([Show].self).first else {
            throw UnexpectedAnswer(description: "no show in '\(response.text)'")
        }
        return show
    }
}
