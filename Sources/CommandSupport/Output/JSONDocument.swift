import Foundation

/// The JSON that commands print, indented and with sorted members.
package enum JSONDocument {
    /// The JSON of one of this program's own values.
    package static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// The gateway's JSON, with the fields that this program does not know.
    package static func text(ofAnswer data: Data, onOneLine: Bool = false) throws -> String {
        let object = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        var options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed]
        if !onOneLine { options.insert(.prettyPrinted) }
        return String(decoding: try JSONSerialization.data(withJSONObject: object, options: options), as: UTF8.self)
    }

    /// The items of several pages as one page, with the fields that this program does not know.
    package static func text(ofPages pages: [Data], limit: Int = .max) throws -> String {
        var items: [Any] = []
        for page in pages {
            guard let object = try JSONSerialization.jsonObject(with: page) as? [String: Any],
                let more = object["items"] as? [Any]
            else { throw CocoaError(.coderReadCorrupt) }
            items += more
        }
        let object: [String: Any] = ["items": Array(items.prefix(limit))]
        let data = try JSONSerialization.data(
            withJSONObject: object, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data, as: UTF8.self)
    }
}
