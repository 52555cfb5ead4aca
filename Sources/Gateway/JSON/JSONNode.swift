/// A value of a JSON document with the place where it stands, so that a part can be kept as it was written.
struct JSONNode {
    enum Value {
        case null
        case bool(Bool)
        /// As it was written; RFC 8259 sets no bounds on numbers.
        case number(String)
        case string(String)
        case array([JSONNode])
        /// In the order of the document, names unique.
        case object([Member])
        /// Checked, but not taken apart: only its text is of interest.
        case opaque
    }

    struct Member {
        var name: String
        var value: JSONNode
    }

    var value: Value
    /// The bytes of the document it stands in.
    var range: Range<Int>

    /// What it is, for an error's text.
    var kindName: String {
        switch value {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object, .opaque: "an object"
        }
    }
}
