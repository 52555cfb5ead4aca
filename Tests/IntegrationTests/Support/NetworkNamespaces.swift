import Foundation
import TestProcesses
import TestSupport

/// Two network namespaces with a link between them, and a link from the first to the test's own namespace.
///
/// ``remove()`` removes all of it: the interfaces of a namespace are removed with it.
struct NetworkNamespaces: Sendable {
    /// The namespaces of the gateway and of the workers.
    let gateway: String
    let workers: String
    /// The gateway's address on the link to the workers.
    let gatewayAddress = "10.99.0.1"
    /// The gateway's address on the link to the test.
    let servedAddress: String

    private static let tool = Executable.tool("ip")

    /// Whether tests can make namespaces on this machine, which needs root and iproute2.
    static func areAvailable() async -> Bool {
        guard geteuid() == 0, tool != nil else { return false }
        let name = "bl-probe-\(UInt32.random(in: 0...UInt32.max))"
        guard (try? await ip("netns", "add", name)) != nil else { return false }
        let link: Void? = try? await ip("-n", name, "link", "add", "probe0", "type", "veth", "peer", "name", "probe1")
        try? await ip("netns", "delete", name)
        return link != nil
    }

    /// Makes namespaces that exist while `body` runs.
    static func run(_ body: (NetworkNamespaces) async throws -> Void) async throws {
        let number = UInt32.random(in: 0...0xff_ffff)
        // 198.18.0.0/15 is reserved for tests (RFC 2544). This run uses four addresses of it.
        let (third, fourth) = (number >> 6 & 0xff, (number & 0x3f) << 2)
        let prefix = "198.\(18 + (number >> 14 & 1)).\(third)."
        let namespaces = NetworkNamespaces(
            gateway: "bl-gw-\(number)", workers: "bl-wk-\(number)", servedAddress: prefix + "\(fourth + 2)")
        do {
            try await namespaces.make(outside: "bl\(number)", outsideAddress: prefix + "\(fourth + 1)")
            try await body(namespaces)
        } catch {
            await namespaces.remove()
            throw error
        }
        await namespaces.remove()
    }

    private func make(outside: String, outsideAddress: String) async throws {
        for name in [gateway, workers] {
            try await Self.ip("netns", "add", name)
            try await Self.ip("-n", name, "link", "set", "lo", "up")
        }
        try await Self.ip(
            "-n", gateway, "link", "add", "wire", "type", "veth", "peer", "name", "wire", "netns", workers)
        try await Self.ip("-n", gateway, "address", "add", "\(gatewayAddress)/24", "dev", "wire")
        try await Self.ip("-n", workers, "address", "add", "10.99.0.2/24", "dev", "wire")
        try await Self.ip("link", "add", outside, "type", "veth", "peer", "name", "outside", "netns", gateway)
        try await Self.ip("address", "add", "\(outsideAddress)/30", "dev", outside)
        try await Self.ip("-n", gateway, "address", "add", "\(servedAddress)/30", "dev", "outside")
        try await Self.ip("link", "set", outside, "up")
        try await Self.ip("-n", gateway, "link", "set", "outside", "up")
        try await Self.ip("-n", workers, "link", "set", "wire", "up")
        try await mend()
    }

    private func remove() async {
        for name in [gateway, workers] { try? await Self.ip("netns", "delete", name) }
    }

    /// Cuts the link between gateway and workers: packets are lost without an error.
    func cut() async throws {
        try await Self.ip("-n", gateway, "link", "set", "wire", "down")
    }

    func mend() async throws {
        try await Self.ip("-n", gateway, "link", "set", "wire", "up")
    }

    /// The command that becomes a program within a namespace.
    func launcher(in name: String) -> [String] {
        [Self.tool ?? "ip", "netns", "exec", name]
    }

    private static func ip(_ arguments: String...) async throws {
        let process = try await ChildProcess.run(tool ?? "ip", arguments)
        guard process.end == .exited(0) else {
            throw UnexpectedAnswer(description: "ip \(arguments.joined(separator: " ")): \(process.errors.lines)")
        }
    }
}
