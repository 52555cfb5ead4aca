import Model

/// A field of a request with its path, decoded strictly: a wrong type, a value out of range and an
/// unknown member are errors that name the field's path.
package struct RequestField {
    /// The field's position, from which an error's path is made.
    private indirect enum Path {
        case document
        case member(String, of: Path)
        case element(Int, of: Path)

        var path: String {
            switch self {
            case .document: "$"
            case .member(let name, let object): object.path + "." + String(name.unicodeScalars.prefix(60))
            case .element(let index, let array): array.path + "[\(index)]"
            }
        }
    }

    /// The members of an object by name.
    package struct Members {
        private let fields: [(name: String, field: RequestField)]

        fileprivate init(_ fields: [(name: String, field: RequestField)]) {
            self.fields = fields
        }

        /// A linear search: requests have few fields, and hashing their names would take longer.
        package subscript(_ name: String) -> RequestField? { fields.first { $0.name == name }?.field }
    }

    package let node: JSONNode
    private let location: Path
    private let document: [UInt8]

    /// The field's path, such as `$.jobs[3].kind`.
    package var path: String { location.path }

    /// Reads a request's body, which must be a JSON object in UTF-8.
    package static func body(_ bytes: [UInt8], opaqueMembers: [String] = []) throws -> RequestField {
        do throws(JSONSyntaxError) {
            let document = try JSONParser.document(of: bytes)
            let node = try JSONParser.parse(document, opaqueMembers: opaqueMembers)
            return RequestField(node: node, location: .document, document: document)
        } catch {
            throw Problem.invalidRequest(
                code: .invalidJSON, "The body is not valid JSON: at byte \(error.offset), \(error.reason).")
        }
    }

    private init(node: JSONNode, location: Path, document: [UInt8]) {
        self.node = node
        self.location = location
        self.document = document
    }

    /// The value that a short text stands for.
    ///
    /// - Parameters:
    ///   - expectation: which texts stand for a value.
    ///   - parse: returns `nil` for any other text.
    package func value<Value>(_ expectation: String, _ parse: (String) -> Value?) throws -> Value {
        let text = try string(limit: 100)
        guard let value = parse(text) else { throw refuse("\(expectation), found '\(text.prefix(40))'.") }
        return value
    }

    /// A problem with this field: `invalidField`, its path and the reason.
    package func refuse(_ reason: String) -> Problem {
        Problem.invalidRequest(code: .invalidField, "\(path): \(reason)", field: path)
    }

    private func expected(_ what: String) -> Problem {
        refuse("expected \(what), found \(node.kindName).")
    }

    /// The members of an object.
    ///
    /// - Parameters:
    ///   - known: the names that are allowed.
    ///   - keepsNull: whether members that are null are included; otherwise they count as absent.
    /// - Throws: ``Problem`` when it is not an object or has an unknown member.
    package func object(_ known: [String], keepsNull: Bool = false) throws -> Members {
        guard case .object(let members) = node.value else { throw expected("an object") }
        return Members(
            try members.compactMap { member in
                let field = RequestField(
                    node: member.value, location: .member(member.name, of: location), document: document)
                guard known.contains(member.name) else {
                    throw field.refuse("unknown field; expected one of \(known.joined(separator: ", ")).")
                }
                return field.isNull && !keepsNull ? nil : (member.name, field)
            })
    }

    package var isNull: Bool {
        if case .null = node.value { true } else { false }
    }

    package func bool() throws -> Bool {
        guard case .bool(let value) = node.value else { throw expected("true or false") }
        return value
    }

    /// The elements of an array.
    ///
    /// - Parameters:
    ///   - limit: more elements are refused.
    ///   - what: the elements' name in the refusal, in the plural.
    package func array(limit: Int, of what: String) throws -> [RequestField] {
        guard case .array(let elements) = node.value else { throw expected("an array") }
        guard elements.count <= limit else {
            throw refuse("\(elements.count) \(what) are too many; at most \(limit) are allowed.")
        }
        return elements.enumerated().map { index, element in
            RequestField(node: element, location: .element(index, of: location), document: document)
        }
    }

    /// - Parameter limit: the most Unicode scalars.
    package func string(limit: Int) throws -> String {
        guard case .string(let text) = node.value else { throw expected("a string") }
        // Scalars, because one grapheme cluster may have any number of combining marks.
        let count = text.unicodeScalars.count
        guard count <= limit else {
            throw refuse("\(count) characters are too many; at most \(limit) are allowed.")
        }
        // SQLite's text functions stop at U+0000, and PostgreSQL's text type refuses it.
        guard !text.utf8.contains(0) else { throw refuse("the character U+0000 cannot be stored; leave it out.") }
        return text
    }

    package func integer(in range: ClosedRange<Int>) throws -> Int {
        guard case .number(let text) = node.value else { throw expected("a whole number") }
        guard let value = Int(json: text, in: .min ... .max) else {
            throw refuse("expected a whole number, found \(text.prefix(40)).")
        }
        guard range.contains(value) else {
            throw refuse("\(value) is out of range; expected \(range.lowerBound) to \(range.upperBound).")
        }
        return value
    }

    package func timestamp() throws -> Timestamp {
        let text = try string(limit: 64)
        guard let timestamp = Timestamp(rfc3339: text) else {
            throw refuse("expected an RFC 3339 time, such as 2026-11-20T20:00:00Z, found '\(text)'.")
        }
        return timestamp
    }

    /// The value's JSON, exactly as it was sent.
    var rawText: String {
        String(decoding: document[node.range], as: UTF8.self)
    }
}
