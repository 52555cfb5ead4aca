import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite("Memory for bodies of requests that are refused", .timeLimit(.minutes(20)))
struct BodyMemoryTests {
    private static let connections = 60
    private static let bytes = 5_000_000

    @Test(
        "Bodies of listens without a valid token use no memory, and others are served",
        arguments: [nil, "Token wrong"])
    func bodiesWithoutAToken(authorization: String?) async throws {
        try await Installation.run { installation in
            let gateway = try await installation.startGateway()
            let ada = try await installation.addUser()
            for _ in 0..<20 { #expect(try await ada.get("/v1/jobs/summary").status == 200) }
            let before = ProcessMemory(of: gateway).resident
            let header = authorization.map { "Authorization: \($0)\r\n" } ?? ""
            let connections = try (0..<Self.connections).map { _ in
                try RawConnection(to: installation.visitor.baseURL)
            }
            try await onThread {
                let part = [UInt8](repeating: UInt8(ascii: " "), count: Self.bytes / 4)
                for connection in connections {
                    connection.send(
                        "POST /1/submit-listens HTTP/1.1\r\nHost: x\r\n\(header)Content-Length: \(Self.bytes)\r\n\r\n")
                }
                // The last part of each body is missing, so that no request ends.
                for _ in 0..<3 { for connection in connections { connection.send(part) } }
                for connection in connections {
                    let answer = String(decoding: try connection.receive(), as: UTF8.self)
                    #expect(answer.hasPrefix("HTTP/1.1 401") || answer.hasPrefix("HTTP/1.1 503"), "\(answer)")
                }
            }
            for _ in 0..<20 { #expect(try await ada.get("/v1/jobs/summary").status == 200) }
            let growth = ProcessMemory(of: gateway).resident - before
            print("\(Self.connections) bodies of \(Self.bytes) bytes: \(growth >> 10) KiB more")
            // They would occupy 300 MB.
            #expect(growth < 64 << 20)
            extendLifetime(connections)
        }
    }
}
