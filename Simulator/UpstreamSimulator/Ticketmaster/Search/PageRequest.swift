/// The page of a result that a request asks for.
package struct PageRequest: Sendable, Equatable {
    /// The size of a page, 1 to 200; 20 by default.
    package var size = 20
    /// The number of the page, from 0.
    package var number = 0

    /// Totals are never reported higher.
    static let largestTotal = 10_000

    package init(_ target: RequestTarget) throws(Refusal) {
        if let text = target["size"], !text.isEmpty {
            guard let value = Int(text), value > 0 else {
                throw .value(of: "size", allowed: "1..199")
            }
            guard value <= 200 else { throw .pageSize }
            size = value
        }
        if let text = target["page"], !text.isEmpty {
            // Multiplied by the size below, so it must not be close to the largest integer.
            guard let value = Int32(text), value >= 0 else { throw .value(of: "page", allowed: "0..") }
            number = Int(value)
        }
        // As seen on the real service: an offset of exactly 1,000 is served, contrary to the documentation, and offsets
        // that reach the cap on totals are refused with another code.
        if offset + size >= Self.largestTotal { throw .resultLimit }
        if offset > 1_000 { throw .pagingDepth }
    }

    var offset: Int { size * number }
}
