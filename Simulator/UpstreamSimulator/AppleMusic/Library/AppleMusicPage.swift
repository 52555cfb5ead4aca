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

    /// The part of a list that is on this page.
    func part<Element>(of list: [Element]) -> ArraySlice<Element> {
        list.dropFirst(offset).prefix(limit)
    }

    /// A list's document. `next` repeats only the offset: a caller has to add limit and include again.
    ///
    /// - Parameters:
    ///   - data: what the page shows of its part of the list.
    ///   - nextPath: the path as Apple has it, such as `/v1/me/library/songs`.
    ///   - total: the length of the list.
    func document(
        _ data: [AppleMusicResource], nextPath: String, total: Int, hasTotal: Bool
    ) -> AppleMusicListDocument {
        AppleMusicListDocument(
            next: offset + limit < total ? "\(nextPath)?offset=\(offset + limit)" : nil, data: data,
            meta: hasTotal ? .init(total: total) : nil)
    }
}
