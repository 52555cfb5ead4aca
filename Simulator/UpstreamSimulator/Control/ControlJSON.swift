import Foundation
import Hummingbird

/// How the control routes read and write JSON.
enum ControlJSON {
    /// Decodes JSON with any `Content-Type`: `curl -d` sends that of a form.
    static func decode<Value: Decodable>(
        _ type: Value.Type, _ request: Request, _ context: SimulatorContext
    ) async throws -> Value {
        let body = try await request.body.collect(upTo: context.maxUploadSize)
        do {
            return try JSONDecoder().decode(Value.self, from: Data(body.readableBytesView))
        } catch {
            throw HTTPError(.badRequest, message: "The body is not valid for this route: \(error)")
        }
    }

    static func encode(_ value: some Encodable) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let body = ByteBuffer(bytes: try encoder.encode(value))
        return Response(
            status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: body))
    }

    /// Decodes a value, or a list of values.
    static func list<Value: Decodable & Sendable>(
        _ type: Value.Type, _ request: Request, _ context: SimulatorContext
    ) async throws -> [Value] {
        try await decode(OneOrMany<Value>.self, request, context).all
    }

    /// Decodes rules, and checks that the upstream can apply them.
    static func rules(
        _ request: Request, _ context: SimulatorContext, knows: (FaultRule) -> Bool
    ) async throws -> [FaultRule] {
        let rules = try await list(FaultRule.self, request, context)
        if let unknown = rules.first(where: { !knows($0) }) {
            throw HTTPError(.badRequest, message: "This upstream has no fault '\(unknown.fault.rawValue)'.")
        }
        return rules
    }

    /// A JSON body that is a value or a list of values.
    private struct OneOrMany<Value: Decodable & Sendable>: Decodable, Sendable {
        var all: [Value]

        init(from decoder: any Decoder) throws {
            if var list = try? decoder.unkeyedContainer() {
                all = []
                while !list.isAtEnd { all.append(try list.decode(Value.self)) }
            } else {
                all = [try Value(from: decoder)]
            }
        }
    }
}
