import Testing
import Yams

/// Client generators skip, or refuse, a part of what JSON Schema allows. The rules are those of Apple's
/// swift-openapi-generator, which has the narrowest subset of those that people use.
@Suite("docs/openapi.yaml: what client generators understand")
struct GeneratorSubsetTests {
    private typealias Object = [String: Any]

    /// The rules that a schema breaks.
    ///
    /// - Parameter place: its JSON pointer, which begins with `#/`.
    private static func findings(_ schema: Object, at place: String) -> [String] {
        var findings: [String] = []
        if schema["type"] as? String == "null" {
            findings.append("is only null: give a schema of its own the type [object, 'null']")
        }
        if schema["anyOf"] != nil { findings.append("has anyOf: use oneOf with a discriminator") }
        if let branches = schema["oneOf"] as? [Object] {
            if !branches.allSatisfy({ $0.keys.contains("$ref") }) {
                findings.append("has a branch of oneOf without a name: move it to components/schemas")
            }
            if schema["discriminator"] == nil { findings.append("has oneOf without a discriminator") }
        }
        let isNamed = place.wholeMatch(of: /#\/components\/schemas\/[^\/]+/) != nil
        if schema["enum"] is [Any], !isNamed {
            findings.append("has its values inline: move them to components/schemas")
        }
        return findings
    }

    private static func findings(in document: OpenAPIDocument) -> [String] {
        var all: [String] = []
        document.visit { object, place in
            // Values of an example are no schemas.
            guard !place.contains("/example") else { return }
            all += findings(object, at: place).map { "\(place) \($0)" }
        }
        return all.sorted()
    }

    @Test("The document stays inside what Apple's generator understands")
    func subset() throws {
        let findings = Self.findings(in: try OpenAPIDocument())
        #expect(findings.isEmpty, "\(findings.joined(separator: "\n"))")
    }

    @Test(
        "Each of the rules finds what breaks it",
        arguments: [
            ("is only null", "{oneOf: [{$ref: '#/a'}, {type: 'null', $ref: '#/b'}], discriminator: {}}"),
            ("anyOf", "{anyOf: [{$ref: '#/a'}]}"),
            ("without a name", "{oneOf: [{type: object}], discriminator: {}}"),
            ("without a discriminator", "{oneOf: [{$ref: '#/a'}]}"),
            ("inline", "{properties: {kind: {enum: [a, b]}}}"),
        ])
    func broken(part: String, schema: String) throws {
        let schema = try #require(try Yams.load(yaml: schema))
        let document = OpenAPIDocument(root: ["components": ["schemas": ["One": schema]]])
        let findings = Self.findings(in: document)
        #expect(findings.count == 1 && findings.allSatisfy { $0.contains(part) }, "\(findings)")
    }
}
