import Gateway

/// JSON objects without nested ones, whose members get names such as `link.href`, as ListenBrainz writes them.
///
/// Flattening writes the names of the outer objects before each inner member, so a few bytes could become a thousand
/// times as many; the limits prevent that.
struct FlatJSON {
    /// The most bytes of one object.
    static let maximumBytes = 64 << 10
    /// The most members of one object.
    static let maximumMembers = 256
    /// The longest name in bytes, including the names of the outer objects.
    static let maximumName = 500

    private let document: [UInt8]
    private let replaced: [String: [UInt8]?]
    private var json: [UInt8] = []
    private var count = 0

    /// Ids that are empty, and members that the server itself creates, are left out.
    ///
    /// - Parameters:
    ///   - document: the bytes that the members were read from.
    ///   - replaced: replacements for the values of outer members, by their names; `nil` leaves one out.
    /// - Returns: `nil` when nothing is left.
    /// - Throws: ``ListenBrainzError`` where a limit is exceeded.
    static func text(
        of members: [JSONNode.Member], in document: [UInt8], replacing replaced: [String: [UInt8]?] = [:]
    ) throws(ListenBrainzError) -> String? {
        var flat = FlatJSON(document: document, replaced: replaced)
        try flat.collect(members, below: "")
        return flat.count == 0 ? nil : "{" + String(decoding: flat.json, as: UTF8.self) + "}"
    }

    private init(document: [UInt8], replaced: [String: [UInt8]?]) {
        (self.document, self.replaced) = (document, replaced)
    }

    private mutating func collect(
        _ members: [JSONNode.Member], below prefix: String
    ) throws(ListenBrainzError) {
        for member in members where member.name != "recording_msid" {
            switch member.value.value {
            case .null: continue
            case .string(let text) where text.isEmpty: continue
            default: break
            }
            guard prefix.utf8.count + member.name.utf8.count <= Self.maximumName else {
                throw ListenBrainzError(
                    "The name of a member of track_metadata.additional_info, with the names of the objects around it,"
                        + " may not be longer than \(Self.maximumName) bytes.")
            }
            let name = prefix + member.name
            if prefix.isEmpty, let value = replaced[name] {
                if let value { try add(name, value[...]) }
            } else if case .object(let nested) = member.value.value {
                try collect(nested, below: name + ".")
            } else {
                try add(name, document[member.value.range])
            }
        }
    }

    private mutating func add(_ name: String, _ value: ArraySlice<UInt8>) throws(ListenBrainzError) {
        count += 1
        guard count <= Self.maximumMembers else {
            throw ListenBrainzError(
                "track_metadata.additional_info may not have more than \(Self.maximumMembers) members.")
        }
        var writer = JSONWriter(reserving: name.utf8.count + 2)
        writer.value(name)
        guard json.count + writer.bytes.count + value.count + 4 <= Self.maximumBytes else {
            throw ListenBrainzError(
                "track_metadata.additional_info may not be larger than \(Self.maximumBytes) bytes once its nested"
                    + " objects are written as members with names such as link.href.")
        }
        if count > 1 { json.append(UInt8(ascii: ",")) }
        json += writer.bytes
        json.append(UInt8(ascii: ":"))
        json += value
    }
}
