import Foundation
import TestSupport
import Testing
import Yams

/// `docs/openapi.yaml`, looked up by JSON pointers.
struct OpenAPIDocument {
    struct Operation: Hashable, Comparable, CustomStringConvertible {
        var method: String
        var path: String

        var description: String { "\(method) \(path)" }

        static func < (left: Operation, right: Operation) -> Bool {
            (left.path, left.method) < (right.path, right.method)
        }
    }

    let root: [String: Any]

    init() throws {
        let text = try Repository.text("docs/openapi.yaml")
        root = try #require(try Yams.load(yaml: text) as? [String: Any])
    }

    /// A part of the document.
    init(root: [String: Any]) {
        self.root = root
    }

    /// The operations with their descriptions.
    var operations: [Operation: [String: Any]] {
        get throws {
            var operations: [Operation: [String: Any]] = [:]
            for (path, item) in try #require(root["paths"] as? [String: [String: Any]]) {
                for (method, operation) in item {
                    operations[Operation(method: method.uppercased(), path: path)] = try #require(
                        operation as? [String: Any])
                }
            }
            return operations
        }
    }

    /// The value at a pointer such as `components/schemas/Job`.
    func value(at pointer: String) -> Any? {
        pointer.split(separator: "/").reduce(root as Any?) { ($0 as? [String: Any])?[String($1)] }
    }

    func schema(_ name: String) throws -> [String: Any] {
        try #require(value(at: "components/schemas/\(name)") as? [String: Any])
    }

    /// The values of a named schema's `enum`, or of the named schema that one of its parts, such as `properties/code`,
    /// refers to.
    func values(_ schema: String, _ place: String = "") throws -> Set<String> {
        var found = try #require(value(at: "components/schemas/\(schema)/\(place)") as? [String: Any])
        if let reference = found["$ref"] as? String {
            found = try #require(value(at: String(reference.dropFirst(2))) as? [String: Any])
        }
        return Set(try #require(found["enum"] as? [String]))
    }

    /// Every object of the document.
    func visit(_ visitor: (_ object: [String: Any], _ place: String) -> Void) {
        func walk(_ value: Any, _ place: String) {
            if let object = value as? [String: Any] {
                visitor(object, place)
                for (name, member) in object { walk(member, "\(place)/\(name)") }
            } else if let elements = value as? [Any] {
                for (index, element) in elements.enumerated() { walk(element, "\(place)/\(index)") }
            }
        }
        walk(root, "#")
    }
}
