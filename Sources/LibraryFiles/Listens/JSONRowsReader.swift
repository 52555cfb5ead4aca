/// Reads rows of JSON: the elements of an array, or one value after the other. It holds one row, of at most 256 KiB.
final class JSONRowsReader: LibraryFileReader {
    private static let largestRow = 1 << 18

    private let scanner: JSONScanner
    private let isArray: Bool
    private var number = 0
    private var isAtEnd = false
    private let item: (JSONMembers, Int) -> LibraryFileItem?

    /// - Parameter item: makes the item of a row and its number, from 1; `nil` for a row that is none.
    init(
        _ bytes: TextBytes, item: @escaping (JSONMembers, Int) -> LibraryFileItem?
    ) throws(LibraryFileError) {
        scanner = JSONScanner(bytes)
        isArray = try scanner.peek() == UInt8(ascii: "[")
        if isArray { try scanner.take("[") }
        self.item = item
    }

    func next() throws(LibraryFileError) -> LibraryFileItem? {
        while !isAtEnd {
            guard try isArray ? scanner.advance(isFirst: number == 0, until: "]") : scanner.peek() != nil else {
                isAtEnd = true
                break
            }
            number += 1
            guard let row = try scanner.value(limit: Self.largestRow).flatMap({ JSONMembers($0) }),
                let item = item(row, number)
            else {
                return .skipped(
                    line: number, reason: "it is not a row of such a file, or a value has the wrong type")
            }
            return item
        }
        return nil
    }
}
