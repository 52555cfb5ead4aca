/// Reads listens in the form of ListenBrainz: lines or an array of them, as exports have them, or pages of its API. It
/// holds one page, of at most 4 MiB: 50 MiB of memory.
final class ListenBrainzReader: LibraryFileReader {
    /// The API's pages have up to 1,000 listens.
    private static let largestPage = 1 << 22

    private let scanner: JSONScanner
    private let isArray: Bool
    private var pages = 0
    private var line = 0
    private var rest: ArraySlice<JSONValue> = []

    init(_ bytes: TextBytes) throws(LibraryFileError) {
        scanner = JSONScanner(bytes)
        isArray = try scanner.peek() == UInt8(ascii: "[")
        if isArray { try scanner.take("[") }
    }

    func next() throws(LibraryFileError) -> LibraryFileItem? {
        while true {
            if let row = rest.popFirst() {
                line += 1
                guard let row = ListenBrainzRow(row) else {
                    return .skipped(line: line, reason: "it is no listen, or has a value of another type")
                }
                if let item = row.item(line: line) { return item }
                continue
            }
            guard try isArray ? scanner.advance(isFirst: pages == 0, until: "]") : scanner.peek() != nil else {
                return nil
            }
            pages += 1
            // A damaged page is one row that is no listen.
            rest = rows(of: try scanner.value(limit: Self.largestPage) ?? .null)[...]
        }
    }
}

/// A listen, or what has several: an answer of the API (`{"payload": {"listens": […]}}`), and what programs send to it
/// (`{"payload": […]}`).
private func rows(of value: JSONValue) -> [JSONValue] {
    guard let payload = value.members?["payload"] else { return [value] }
    return payload.members?["listens"]?.elements ?? payload.elements ?? [payload]
}
