import Accounts
import HTTPTypes
import HummingbirdTesting
import Model
import NIOCore
import Platform
import Storage
import TestSupport
import Testing

@testable import Gateway

@Suite("Paths of blend partners")
struct BlendPartnerRouteTests {
    @Test(
        "A username from before the rule can have spaces and letters of any script, also in a path",
        arguments: ["Žofie of Brno", "100% Ada", "空"])
    func namesInPaths(name: String) async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization("ada")
            let id = try await gateway.database.addPerson(name)
            try await gateway.database.write {
                try $0.run("UPDATE users SET name_key = \(Username.key(of: name)) WHERE id = \(id)")
            }
            try await gateway.withClient { client in
                let path = "/v1/ai/blend-partners/\(name.percentEncoded)"
                let ended = try await client.execute(uri: path, method: .delete, headers: headers)
                // The person exists, but has not asked.
                #expect(try ended.problem.code == "notAsked")
                let answered = try await client.execute(
                    uri: path, method: .put, headers: headers, body: ByteBuffer(string: #"{"answer":"block"}"#))
                #expect(answered.status != .notFound)
            }
        }
    }

    @Test("A path that cannot be a name is answered like a name that nobody has")
    func malformedNames() async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization("ada")
            try await gateway.withClient { client in
                for (method, body) in [(HTTPRequest.Method.put, #"{"answer":"accept"}"#), (.delete, "")] {
                    var answers: Set<String> = []
                    for name in ["nobody", "%FF", "%00", "%ED%A0%80", "%"] {
                        let answer = try await client.execute(
                            uri: "/v1/ai/blend-partners/\(name)", method: method, headers: headers,
                            body: ByteBuffer(string: body))
                        answers.insert("\(answer.status) \(String(buffer: answer.body))")
                    }
                    #expect(answers.count == 1, "\(method): \(answers)")
                }
            }
        }
    }
}
