import Foundation

/// A value of a server's JSON. Every member may be missing or of another type.
struct ChatValue {
    private let value: Any

    /// - Returns: `nil` for a missing value, and for `null`.
    private init?(_ value: Any?) {
        guard let value, !(value is NSNull) else { return nil }
        self.value = value
    }

    /// - Returns: `nil` for a text that is not JSON.
    init?(json: some Sequence<UInt8>) {
        self.init(try? JSONSerialization.jsonObject(with: Data(json), options: .fragmentsAllowed))
    }

    init(members: [String: ChatValue]) { value = members.mapValues(\.value) }

    init(items: [ChatValue]) { value = items.map(\.value) }

    init(text: String) { value = text }

    var text: String? { value as? String }

    var number: Int? { value is String ? nil : value as? Int }

    var isTrue: Bool { value as? Bool ?? false }

    var items: [ChatValue]? { (value as? [Any]).map { $0.compactMap { ChatValue($0) } } }

    var names: Set<String>? { (value as? [String: Any]).map { Set($0.keys) } }

    subscript(name: String) -> ChatValue? { ChatValue((value as? [String: Any])?[name]) }

    /// The first of these members that exists.
    func first(of names: [String]) -> ChatValue? { names.lazy.compactMap { self[$0] }.first }

    /// An object or a list as JSON; `nil` for an empty one and for other values.
    var json: String? {
        guard (value as? [Any])?.isEmpty == false || (value as? [String: Any])?.isEmpty == false,
            JSONSerialization.isValidJSONObject(value),
            let data = try? JSONSerialization.data(withJSONObject: value, options: .sortedKeys)
        else { return nil }
        return String(decoding: data, as: UTF8.self)
    }
}

/// A text in any form that servers use: as a text, as a part or a list of parts, or as the JSON itself that should have
/// been in a text.
struct ChatText {
    /// Excludes parts that are thoughts.
    private(set) var text = ""
    private(set) var thoughts = ""

    /// Members of a part that contain its text, or JSON in its place, such as the arguments of a tool.
    private static let contents = [
        "text", "content", "parts", "value", "thinking", "reasoning", "summary", "json", "input", "arguments", "parsed",
    ]
    /// The members that a part without a type may have. An object with other members is itself an answer.
    private static let untyped: Set<String> = [
        "text", "content", "parts", "value", "role", "name", "id", "index", "thought", "annotations", "refusal",
    ]

    init(_ value: ChatValue?) {
        guard let value else { return }
        if let text = value.text {
            self.text = text
            return
        }
        for item in value.items ?? [value] { add(item) }
        if text.isEmpty, thoughts.isEmpty { text = value.json ?? "" }
    }

    var all: String { thoughts + text }

    private mutating func add(_ part: ChatValue) {
        if let text = part.text {
            self.text += text
            return
        }
        guard let names = part.names, names.contains("type") || names.isSubset(of: Self.untyped) else { return }
        let inner = ChatText(part.first(of: Self.contents))
        let type = part["type"]?.text?.lowercased() ?? ""
        if part["thought"]?.isTrue ?? false || ["think", "reason", "thought"].contains(where: type.contains) {
            thoughts += inner.all
        } else {
            thoughts += inner.thoughts
            text += inner.text
        }
    }
}
