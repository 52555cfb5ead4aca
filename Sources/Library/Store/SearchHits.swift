/// The tracks that a search has found, and where they begin in an order by their texts.
struct SearchHits {
    /// A field of a ``SearchText``, by its place there.
    enum Field: Int {
        case title, artist, album
    }

    /// More bytes would hardly move the beginning.
    private static let headBytes = 16

    private(set) var ids: [Int64] = []
    private let field: Field?
    /// The first bytes of the least value of ``field``.
    private var least: [UInt8]?

    /// - Parameter field: the first field of the order in which the tracks are going to be looked for.
    init(orderedBy field: Field? = nil) {
        self.field = field
    }

    /// - Parameter text: of the track, as ``SearchText`` has it.
    mutating func add(_ id: Int64, text: UnsafeRawBufferPointer) {
        ids.append(id)
        guard let field else { return }
        var value = text[...]
        for _ in 0..<field.rawValue {
            guard let end = value.firstIndex(of: SearchText.separator) else { return }
            value = value[(end + 1)...]
        }
        let head = value.prefix(Self.headBytes).prefix { $0 != SearchText.separator }
        if let least, !head.lexicographicallyPrecedes(least) { return }
        least = Array(head)
    }

    /// A text that no found track's value of the field comes before, as databases compare bytes; `nil` without a field
    /// or without tracks.
    var beginning: String? {
        guard var bytes = least else { return nil }
        // The last character may be cut.
        while true {
            if let text = String(validating: bytes, as: UTF8.self) { return text }
            bytes.removeLast()
        }
    }
}
