import Foundation

/// Reads rows of JSON: the elements of an array, or one value after the other.
final class JSONRowsReader<Element: Decodable>: LibraryFileReader {
    private let scanner: JSONScanner
    private let isArray: Bool
    private var number = 0
    private var isAtEnd = false
    private let item: (Element, Int) -> LibraryFileItem?
    private let decoder = JSONDecoder()

    /// - Parameter item: makes the item of a row and its number, from 1; `nil` for a row that is none.
    init(
        _ bytes: TextBytes, item: @escaping (Element, Int) -> LibraryFileItem?
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
            let bytes = try scanner.value(limit: 1 << 18)
            guard let row = try? decoder.decode(Element.self, from: Data(bytes)) else {
                return .skipped(line: number, reason: "it is no row of such a file, or has a value of another type")
            }
            if let item = item(row, number) { return item }
        }
        return nil
    }
}
