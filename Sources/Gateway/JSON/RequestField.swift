import Model

/// A field of a request with its path, decoded strictly: a wrong type, a value out of range and an
/// unknown member are errors that name where they stand.
struct RequestField {
    let path: String
    let node: JSONNode
    private let document: [UInt8]

    /// Reads a request's body, which must be a JSON object.
    static func body(_ bytes: [UInt8], opaqueMembers: Set<String> = []) throws -> RequestField {
        do {
            let node = try JSONParser.parse(bytes, opaqueMembers: opaqueMembers)
            return RequestField(path: "$", node: node, document: bytes)
        } catch {
            throw Problem.invalidRequest(
                code: "invalidJSON", "The body is not JSON: at byte \(error.offset), \(error.reason).")
        }
    }

    private init(path: String, node: JSONNode, document: [UInt8]) {
        self.path = path
        self.node = node
        self.document = document
    }

    private func at(_ suffix: String, _ node: JSONNode) -> RequestField {
        RequestField(path: path + suffix, node: node, document: document)
    }

    func refuse(_ reason: String) -> Problem {
        Problem.invalidRequest(code: "invalidField", "\(path): \(reason)", field: path)
    }

    private func expected(_ what: String) -> Problem {
        refuse("expected \(what), found \(node.kindName).")
    }

    /// Its members by name.
    ///
    /// - Parameter keepsNull: whether members that are null are there; else they count as absent.
    func object(_ known: [String], keepsNull: Bool = false) throws -> [String: RequestField] {
        guard case .object(let members) = node.value else { throw expected("an object") }
        var fields: [String: RequestField] = [:]
        for member in members {
            let name = member.name
            let field = at(".\(String(name.unicodeScalars.prefix(60)))", member.value)
            guard known.contains(name) else {
                throw field.refuse("there is no such field here; known are \(known.joined(separator: ", ")).")
            }
            if field.isNull, !keepsNull { continue }
            fields[name] = field
        }
        return fields
    }

    var isNull: Bool {
        if case .null = node.value { true } else { false }
    }

    func bool() throws -> Bool {
        guard case .bool(let value) = node.value else { throw expected("true or false") }
        return value
    }

    /// Its elements; more than `limit` are refused.
    func array(limit: Int, of what: String) throws -> [RequestField] {
        guard case .array(let elements) = node.value else { throw expected("an array") }
        guard elements.count <= limit else {
            throw refuse("\(elements.count) \(what) are too many; \(limit) is the most.")
        }
        return elements.enumerated().map { at("[\($0.offset)]", $0.element) }
    }

    /// - Parameter limit: of Unicode scalars.
    func string(limit: Int) throws -> String {
        guard case .string(let text) = node.value else { throw expected("a string") }
        // Scalars, because one grapheme cluster may have any number of combining marks.
        let count = text.unicodeScalars.count
        guard count <= limit else {
            throw refuse("\(count) characters are too many; \(limit) is the most.")
        }
        // SQLite's text ends there, and PostgreSQL refuses it.
        guard !text.utf8.contains(0) else { throw refuse("the character U+0000 cannot be kept; leave it out.") }
        return text
    }

    func integer(in range: ClosedRange<Int>) throws -> Int {
        guard case .number(let text) = node.value else { throw expected("a whole number") }
        guard let value = Int(text) ?? Double(text).flatMap({ Int(exactly: $0) }) else {
            throw refuse("expected a whole number, found \(text.prefix(40)).")
        }
        guard range.contains(value) else {
            throw refuse("\(value) is out of range; allowed is \(range.lowerBound) to \(range.upperBound).")
        }
        return value
    }

    func timestamp() throws -> Timestamp {
        let text = try string(limit: 64)
        guard let timestamp = Timestamp(rfc3339: text) else {
            throw refuse("expected a time as in RFC 3339, such as 2026-11-20T20:00:00Z, found '\(text)'.")
        }
        return timestamp
    }

    /// The value as it was written.
    var rawText: String {
        String(decoding: document[node.range], as: UTF8.self)
    }
}
