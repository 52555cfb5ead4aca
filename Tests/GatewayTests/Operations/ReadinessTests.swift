import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing
import Vault

@testable import Gateway

@Suite("What the gateway lacks", .timeLimit(.minutes(5)))
struct ReadinessTests {
    private func answer(_ gateway: TestGateway, contains text: String) async throws {
        // There is a new application each time, since an answer is cached for a second.
        try await gateway.withClient { client in
            let response = try await client.execute(uri: "/readyz", method: .get)
            #expect(response.status == .ok)
            #expect(String(buffer: response.body).hasPrefix(#"{"status":"ready",\#(text),"schema":"#))
        }
    }

    @Test("A gateway is ready without the vault's key, and reports it as missing until a worker has created it")
    func vaultKey() async throws {
        try await TestGateway.run { gateway in
            try await answer(gateway, contains: #""missing":["vaultUnavailable"]"#)
            let key = try #require(VaultPublicKey(bytes: [UInt8](repeating: 9, count: 32)))
            try gateway.application.services.sealer.file.write(key)
            try await answer(gateway, contains: #""missing":[]"#)
        }
    }
}
