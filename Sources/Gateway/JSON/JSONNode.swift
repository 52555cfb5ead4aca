/// A value of a JSON document with its byte range, so that a part can be kept exactly as it was written.
package struct JSONNode {
    package enum Value {
        case null
        case bool(Bool)
        /// The number's text; RFC 8259 sets no bounds on numbers.
        case number(String)
        case string(String)
        case array([JSONNode])
        /// The members in the document's order, with unique names.
        case object([Member])
        /// An object or array that was checked but not decoded; only its text is used.
        case opaque
    }

    package struct Member {
        package var name: String
        package var value: JSONNode
    }

    package var value: Value
    /// Its byte range in the document.
    package var range: Range<Int>

    /// The name of its type, for error texts.
    package var kindName: String {
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
