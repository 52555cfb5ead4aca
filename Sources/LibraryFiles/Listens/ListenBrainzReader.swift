import Foundation

/// Reads listens in the form of ListenBrainz: lines or an array of them, as exports have them, or pages of its API.
final class ListenBrainzReader: LibraryFileReader {
    /// The API's pages have up to 1,000 listens.
    private static let largestPage = 1 << 22

    private let scanner: JSONScanner
    private let isArray: Bool
    private let decoder = JSONDecoder()
    private var pages = 0
    private var line = 0
    private var rest: ArraySlice<DecodedOrNot<ListenBrainzRow>> = []

    init(_ bytes: TextBytes) throws(LibraryFileError) {
        scanner = JSONScanner(bytes)
        isArray = try scanner.peek() == UInt8(ascii: "[")
        if isArray { try scanner.take("[") }
    }

    func next() throws(LibraryFileError) -> LibraryFileItem? {
        while true {
            if let row = rest.popFirst() {
                line += 1
                guard let row = row.value else {
                    return .skipped(line: line, reason: "it is no listen, or has a value of another type")
                }
                if let item = row.item(line: line) { return item }
                continue
            }
            guard try isArray ? scanner.advance(isFirst: pages == 0, until: "]") : scanner.peek() != nil else {
                return nil
            }
            pages += 1
            let bytes = try scanner.value(limit: Self.largestPage)
            rest = ((try? decoder.decode(ListenBrainzPage.self, from: Data(bytes)))?.rows ?? [DecodedOrNot()])[...]
        }
    }
}

/// A listen, or what has several: an answer of the API (`{"payload": {"listens": […]}}`), and what programs send to it
/// (`{"payload": […]}`).
private struct ListenBrainzPage: Decodable {
    private struct Payload: Decodable {
        var listens: [DecodedOrNot<ListenBrainzRow>]
    }

    private enum CodingKeys: String, CodingKey {
        case payload
    }

    var rows: [DecodedOrNot<ListenBrainzRow>]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if !container.contains(.payload) {
            rows = [try DecodedOrNot(from: decoder)]
        } else if let page = try? container.decode(Payload.self, forKey: .payload) {
            rows = page.listens
        } else {
            rows = try container.decode([DecodedOrNot<ListenBrainzRow>].self, forKey: .payload)
        }
    }
}

/// A value of a list, which the rest of the list does not depend on.
struct DecodedOrNot<Value: Decodable>: Decodable {
    /// `nil` for a value of another form.
    var value: Value?

    init() {}

    init(from decoder: any Decoder) throws {
        value = try? Value(from: decoder)
    }
}
