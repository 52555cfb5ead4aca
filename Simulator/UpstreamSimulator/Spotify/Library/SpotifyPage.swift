/// The part of a list that a Web API call requests, with the links to the adjacent pages.
struct SpotifyPage: Sendable, Equatable {
    var limit: Int
    var offset: Int

    init(limit: Int, offset: Int) {
        self.limit = limit
        self.offset = offset
    }

    /// Reads `limit` and `offset`.
    ///
    /// - Throws: the 400 for a number that the endpoint does not accept.
    init(_ target: RequestTarget, usual: Int, most: Int, largestOffset: Int = 100_000_000) throws(SpotifyRefusal) {
        limit = usual
        offset = 0
        if let text = target["limit"] {
            guard let number = Int(text), (1...most).contains(number) else { throw .badRequest("Invalid limit") }
            limit = number
        }
        if let text = target["offset"] {
            guard let number = Int(text), (0...largestOffset).contains(number) else {
                throw .badRequest("Invalid offset")
            }
            offset = number
        }
    }
}
