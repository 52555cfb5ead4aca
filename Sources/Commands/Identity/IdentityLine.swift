import Foundation
import Identity
import Model

/// A record as `backline identity` reads it.
struct IdentityLine: Decodable {
    var id: RecordID?
    var source: String?
    var title: String
    var artist: String?
    var album: String?
    var durationMs: Double?
    /// The release date in any form; forms that no service uses are ignored.
    var released: String?
    var isrc: String?
    var explicit: Bool?
    /// Whether a service marks the lyrics as clean, which says more than that they are not explicit.
    var clean: Bool?

    var record: IdentityRecord {
        IdentityRecord(
            title: title, artist: artist ?? "", album: album ?? "",
            durationMs: durationMs.flatMap { Int(exactly: $0.rounded()) },
            released: released.flatMap { ReleaseDate($0) }, isrc: isrc, isExplicit: explicit,
            isClean: clean ?? false)
    }

    /// The key that identifies a record among others.
    struct Name: Hashable {
        let source: String
        let id: String
    }

    var name: Name? { id.map { Name(source: source ?? "", id: $0.text) } }

    /// The numbers of the sources that records name: Backline's numbers for the sources that it knows, and further
    /// numbers for the others, in the order of their names.
    static func numbers(ofSources records: [IdentityLine]) -> [String: Int] {
        var numbers: [String: Int] = [:]
        for source in MusicSource.allCases { numbers[source.rawValue] = source.number }
        for name in Set(records.compactMap(\.source)).sorted() where numbers[name] == nil {
            numbers[name] = 100 + numbers.count
        }
        return numbers
    }
}

/// An id as a record has it: a text or a whole number.
enum RecordID: Decodable {
    case text(String)
    case number(Int)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    var text: String {
        switch self {
        case .text(let text): text
        case .number(let number): "\(number)"
        }
    }

    func json() throws -> String {
        switch self {
        case .number(let number): return "\(number)"
        case .text(let text):
            let encoder = JSONEncoder()
            encoder.outputFormatting = .withoutEscapingSlashes
            return String(decoding: try encoder.encode(text), as: UTF8.self)
        }
    }
}
