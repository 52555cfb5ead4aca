/// The tracks that a search has found, and the text at which they begin in a sort order.
struct SearchHits {
    /// A field of a ``SearchText``, by its index.
    enum Field: Int {
        case title, artist, album
    }

    /// More bytes would hardly move the beginning.
    private static let headBytes = 16

    private(set) var ids: [Int64] = []
    private let field: Field?
    /// The first bytes of the lowest value of ``field``.
    private var least: [UInt8]?

    /// - Parameter field: the first field of the sort order in which the tracks will be looked up.
    init(orderedBy field: Field? = nil) {
        self.field = field
    }

    /// - Parameter text: the track's text, in the form of ``SearchText``.
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

    /// A text that does not come after the field's value of any track found, in the byte order of the databases; `nil`
    /// without a field or without tracks.
    var beginning: String? {
        guard var bytes = least else { return nil }
        // The last character may be truncated.
        while true {
            if let text = String(validating: bytes, as: UTF8.self) { return text }
            bytes.removeLast()
        }
    }
}
