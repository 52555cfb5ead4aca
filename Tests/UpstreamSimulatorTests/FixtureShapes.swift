import Foundation

/// The recordings beside the repository, where they are.
enum Fixtures {
    static let folder: URL? = {
        let named = ProcessInfo.processInfo.environment["BACKLINE_FIXTURES"].map { URL(fileURLWithPath: $0) }
        // Tests/<target>/<file> stands three levels below the repository.
        let repository = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let beside = repository.deletingLastPathComponent().appendingPathComponent("shared/fixtures")
        let folder = (named ?? beside).appendingPathComponent("ticketmaster")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }()

    static func json(_ name: String) throws -> Any {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        return try JSONSerialization.jsonObject(with: Data(contentsOf: folder.appendingPathComponent(name)))
    }
}

/// The set of paths to the leaves of a JSON value, each with the kinds of value found there.
struct Shape {
    enum Kind: String { case string, number, boolean, null }

    private(set) var leaves: [String: Set<Kind>] = [:]

    init() {}

    init(_ value: Any) { add(value) }

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
    /// A number that came from `true` or `false` is stored as a character.
    fileprivate var isBoolean: Bool { String(cString: objCType) == "c" }
}
