import Foundation
import Model
import Platform
import Testing

@testable import Push

@Suite("Topics of ntfy servers")
struct NtfyTests {
    private static let home = ["192.168.1.0/24", "fd00::/8"].compactMap { AddressRange($0) }

    @Test("A server on the public internet needs https, and no exception of the administrator")
    func publicServers() throws {
        for server in ["https://ntfy.sh", "https://ntfy.sh/", "https://push.example.org:8443/ntfy/", "https://1.1.1.1"]
        {
            let target = try NtfyTarget(server: server, topic: "Backline_1-x")
            #expect(target.allowedAddresses == .publicInternetOr([]))
            #expect(!target.server.hasSuffix("/"))
        }
        #expect(try NtfyTarget(server: "https://a.org/ntfy/", topic: "t").server == "https://a.org/ntfy")
        #expect(try NtfyTarget(server: "https://ntfy.sh:443", topic: "t").host == "ntfy.sh")
    }

    @Test(
        "Other servers are refused",
        arguments: [
            "", "ntfy.sh", "http://ntfy.sh", "https://127.0.0.1", "https://10.0.0.1", "http://192.168.1.5",
            "https://nas.local", "https://ntfy", "https://user@ntfy.sh", "https://ntfy.sh/?a=b", "https://ntfy.sh/#a",
            "https://[::1]",
            "https://ntfy.sh/a b", "https://169.254.169.254", "https://" + String(repeating: "a", count: 400),
        ])
    func refusedServers(server: String) {
        let error = #expect(throws: NtfyTargetError.self) { try NtfyTarget(server: server, topic: "t") }
        #expect(error?.field == .server && error?.description.contains("https://ntfy.sh") == true)
    }

    @Test("The administrator's exceptions admit their addresses, also without https, and nothing else")
    func exceptions() throws {
        func allowed(_ server: String) throws -> AllowedAddresses {
            try NtfyTarget(server: server, topic: "t", exceptions: Self.home).allowedAddresses
        }
        for server in ["http://192.168.1.5:8080", "http://[fd00::5]:80", "http://ntfy.sh", "https://nas.local"] {
            #expect(try allowed(server) == .only(Self.home), "\(server)")
        }
        #expect(try allowed("https://ntfy.sh") == .publicInternetOr(Self.home))
        // Connections to it fail, which says nothing about the one with https.
        #expect(try NtfyTarget(server: "http://ntfy.sh", topic: "t", exceptions: Self.home).host == "ntfy.sh:80")
        #expect(
            try NtfyTarget(server: "http://[fd00::5]:8080", topic: "t", exceptions: Self.home).host == "[fd00::5]:8080")
        for server in ["http://192.168.2.5", "http://127.0.0.1", "https://10.0.0.1", "http://1.1.1.1"] {
            #expect(throws: NtfyTargetError.self) { try allowed(server) }
        }
    }

    @Test("Topics and tokens have ntfy's form")
    func topicsAndTokens() throws {
        for topic in ["", "a b", "a/b", "é", "a.b", String(repeating: "a", count: 65)] {
            let error = #expect(throws: NtfyTargetError.self) {
                try NtfyTarget(server: "https://ntfy.sh", topic: topic)
            }
            #expect(error?.field == .topic)
        }
        for token in ["", "a b", "tk\r\nX: y", "é", String(repeating: "a", count: 201)] {
            let error = #expect(throws: NtfyTargetError.self) {
                try NtfyTarget(server: "https://ntfy.sh", topic: "t", token: token)
            }
            #expect(error?.field == .token)
        }
        let longest = String(repeating: "a", count: 64)
        let target = try NtfyTarget(server: "https://ntfy.sh", topic: longest, token: "tk_1")
        #expect(target.authorization == Secret("Bearer tk_1"))
    }

    @Test("A target comes back from its text for a vault, and shows only its host")
    func secretText() throws {
        let topic: (Secret) -> String = { $0.reveal() }
        for token in ["tk_secret", nil] {
            let target = try NtfyTarget(server: "https://a.org:8443/n", topic: "secret-topic", token: token)
            let read = try NtfyTarget(secret: target.secret)
            #expect(read.secret == target.secret && read.authorization == target.authorization)
            #expect(read.fingerprint(topic) == target.fingerprint(topic))
            var dumped = ""
            dump(target, to: &dumped)
            for shown in ["\(target)", String(reflecting: target), dumped] { #expect(!shown.contains("secret")) }
        }
        #expect(throws: NtfyTargetError.self) { try NtfyTarget(secret: Secret("https://ntfy.sh\nt")) }
    }

    @Test("A message is JSON for the server's root, within ntfy's limits")
    func messages() throws {
        let target = try NtfyTarget(server: "https://ntfy.sh", topic: "t")
        func document(_ message: NtfyMessage) throws -> [String: Any] {
            let body = try message.body(for: target)
            return try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
        }
        let notification = PushNotification(title: "Ann", body: "Hello\n🎵", address: "https://a.org/x")
        let whole = try document(
            NtfyMessage(notification, priority: 4, tags: ["guitar", "a b", "x,y", "b", "c", "d", "e", "f"]))
        #expect(whole["topic"] as? String == "t" && whole["title"] as? String == "Ann")
        #expect(whole["message"] as? String == "Hello\n🎵" && whole["click"] as? String == "https://a.org/x")
        #expect(whole["priority"] as? Int == 4 && whole["tags"] as? [String] == ["guitar", "b", "c", "d", "e"])

        // An empty message would be shown as "triggered".
        let bare = try document(NtfyMessage(PushNotification(title: "Ann", address: "https://a.org/x"), priority: 99))
        #expect(bare["message"] as? String == "Ann" && bare["title"] == nil && bare["tags"] == nil)
        #expect(bare["priority"] as? Int == 5)

        let long = try document(
            NtfyMessage(
                PushNotification(
                    title: String(repeating: "é", count: 500), body: String(repeating: "é", count: 5_000),
                    address: "https://a.org/x"), priority: -1))
        #expect(try #require(long["message"] as? String).utf8.count <= NtfyMessage.longestText)
        #expect(try #require(long["title"] as? String).utf8.count <= NtfyMessage.longestTitle)
        #expect(long["priority"] as? Int == 1)
        #expect(PushUrgency.allCases.map(\.ntfyPriority) == [1, 2, 3, 4])
    }
}
