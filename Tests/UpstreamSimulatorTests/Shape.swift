import Foundation

/// The set of paths to the leaves of a JSON value, each with the kinds of value found there.
struct Shape {
    enum Kind: String { case string, number, boolean, null }

    private(set) var leaves: [String: Set<Kind>] = [:]

    init() {}

    init(_ value: Any) { add(value) }

    mutating func remove(_ path: String) { leaves[path] = nil }

    mutating func add(_ value: Any, at path: String = "") {
        switch value {
        case let object as [String: Any]: for (key, member) in object { add(member, at: "\(path).\(key)") }
        case let list as [Any]: for element in list { add(element, at: path + "[]") }
        case is String: leaves[path, default: []].insert(.string)
        case let number as NSNumber: leaves[path, default: []].insert(number.isBoolean ? .boolean : .number)
        default: leaves[path, default: []].insert(.null)
        }
    }
}

extension NSNumber {
    /// A number that was made from `true` or `false` is stored as a character.
    fileprivate var isBoolean: Bool { String(cString: objCType) == "c" }
}
