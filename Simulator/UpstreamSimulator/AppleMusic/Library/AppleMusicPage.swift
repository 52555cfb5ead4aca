/// The part of a library's list that a call requests.
struct AppleMusicPage: Sendable, Equatable {
    var limit = 25
    var offset = 0

    /// - Throws: the 400 for a number that the API does not accept.
    init(_ target: RequestTarget, usual: Int = 25, most: Int = 100) throws(AppleMusicRefusal) {
        limit = usual
        if let text = target["limit"] {
            guard let number = Int(text), (1...most).contains(number) else {
                throw .parameter("limit", "Value must be an integer from 1 to \(most)")
            }
            limit = number
        }
        if let text = target["offset"] {
            guard let number = Int(text), number >= 0, number < 1 << 40 else {
                throw .parameter("offset", "Value must be an integer greater than or equal to 0")
            }
            offset = number
        }
    }

    /// A list's document. `next` repeats only the offset: a caller has to add limit and include again.
    ///
    /// - Parameters:
    ///   - nextPath: the path as Apple has it, such as `/v1/me/library/songs`.
    ///   - total: the number of items that the service counts, including those that it shows on no page.
    func document(
        nextPath: String, total: Int, hasTotal: Bool, data: (inout JSONWriter) -> Void
    ) -> Answer {
        var json = JSONWriter()
        json.object { json in
            if offset + limit < total { json.string("next", "\(nextPath)?offset=\(offset + limit)") }
            json.array("data", data)
            if hasTotal { json.object("meta") { $0.number("total", total) } }
        }
        return Answer(status: 200, contentType: AppleMusicSimulator.json, body: json.text)
    }
}
