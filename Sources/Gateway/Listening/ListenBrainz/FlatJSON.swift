/// JSON objects without nested ones, whose members get names such as `link.href`, as ListenBrainz writes them.
enum FlatJSON {
    /// Ids that are empty, and members that the server itself makes, are left out.
    ///
    /// - Parameter document: the bytes that the members were read from.
    /// - Returns: `nil` when nothing is left.
    static func text(of members: [JSONNode.Member], in document: [UInt8]) -> String? {
        var parts: [String] = []
        collect(members, below: "", in: document, into: &parts)
        return parts.isEmpty ? nil : "{" + parts.joined(separator: ",") + "}"
    }

    private static func collect(
        _ members: [JSONNode.Member], below prefix: String, in document: [UInt8], into parts: inout [String]
    ) {
        for member in members where member.name != "recording_msid" {
            let name = prefix + member.name
            switch member.value.value {
            case .null: continue
            case .object(let nested): collect(nested, below: name + ".", in: document, into: &parts)
            case .string(let text) where text.isEmpty: continue
            default:
                var json = JSONWriter(reserving: name.utf8.count + 2)
                json.value(name)
                let value = String(decoding: document[member.value.range], as: UTF8.self)
                parts.append(String(decoding: json.bytes, as: UTF8.self) + ":" + value)
            }
        }
    }
}
