import Foundation
import Model
import Platform
import TestSupport
import Testing

@testable import Upstream

// A proxy resolves names itself.
@Suite(
    "Addresses to which requests may connect", .timeLimit(.minutes(5)),
    .enabled(
        if: ProcessInfo.processInfo.environment.keys.allSatisfy {
            !["https_proxy", "all_proxy", "http_proxy"].contains($0.lowercased())
        }))
struct AllowedAddressesTests {
    private func withServer(
        _ body: (LocalHTTPServer, _ send: (String, AllowedAddresses) async throws -> Exchange) async throws -> Void
    ) async throws {
        let server = try LocalHTTPServer { _ in .answer(status: 200, headers: [:], body: []) }
        defer { server.stop() }
        let transport = HTTPTransport(userAgent: "Backline-Tests")
        try await body(server) { address, allowed in
            var request = UpstreamRequest(path: "/a")
            request.allowedAddresses = allowed
            return await transport.send(request, to: try BaseURL(address, plainHTTP: .anywhere))
        }
        await transport.shutdown()
    }

    private func isRefused(_ exchange: Exchange) -> Bool {
        guard case .failed(.connectionFailed(let reason)) = exchange.outcome else { return false }
        return reason.hasPrefix("the host has an address that is not public") && !exchange.mayHaveLeft
    }

    @Test("A request for the public internet never connects to another address, whatever the host's name")
    func privateAddresses() async throws {
        try await withServer { server, send in
            // libcurl treats every name below localhost as this machine (RFC 6761).
            for host in ["a.localhost", "a.localhost:\(server.port)", "127.0.0.1:\(server.port)", "localhost"] {
                for allowed in [AllowedAddresses.publicInternet, .publicInternetOr(ranges("10.0.0.0/8"))] {
                    let exchange = try await send("https://" + host, allowed)
                    #expect(isRefused(exchange), "\(host)")
                }
            }
            #expect(server.received.isEmpty)
        }
    }

    @Test("Exceptions admit the addresses of their ranges and no others")
    func exceptions() async throws {
        try await withServer { server, send in
            let address = "http://a.localhost:\(server.port)"
            // libcurl tries both addresses of a name below localhost; the server has one of them.
            let own = ranges("127.0.0.0/8", "::1")
            for allowed in [AllowedAddresses.only(own), .publicInternetOr(own)] {
                let exchange = try await send(address, allowed)
                #expect(exchange.response?.status == 200)
            }
            for allowed in [AllowedAddresses.only(ranges("10.0.0.0/8")), .only([])] {
                let exchange = try await send(address, allowed)
                #expect(isRefused(exchange))
            }
            #expect(server.received.count == 2)
        }
    }

    @Test("A pooled connection of a request with other rules does not bypass a request's own")
    func pooledConnections() async throws {
        try await withServer { server, send in
            let address = "http://127.0.0.1:\(server.port)"
            let first = try await send(address, .any)
            #expect(first.response?.status == 200)
            for allowed in [AllowedAddresses.publicInternet, .only(ranges("10.0.0.0/8"))] {
                let exchange = try await send(address, allowed)
                #expect(isRefused(exchange))
            }
            let last = try await send(address, .thisMachine)
            #expect(last.response?.status == 200)
            #expect(server.received.count == 2)
        }
    }

    @Test("An address that is a secret is sent as it is, and is in no error")
    func secretTarget() async throws {
        try await withServer { server, _ in
            let transport = HTTPTransport(userAgent: "Backline-Tests")
            var request = UpstreamRequest(method: .post, path: "/")
            request.secretTarget = Secret("/push/abc%2F?token=x%2By")
            let base = try BaseURL(server.baseURL)
            #expect(await transport.send(request, to: base).response?.status == 200)
            #expect(server.received.first?.target.hasSuffix("/push/abc%2F?token=x%2By") == true)
            for target in ["push", "/a b", "/a#b", "/é"] {
                request.secretTarget = Secret(target)
                guard case .failed(.invalidRequest(let reason)) = await transport.send(request, to: base).outcome else {
                    Issue.record("\(target) was sent")
                    continue
                }
                #expect(!reason.contains(target))
            }
            await transport.shutdown()
        }
    }

    private func ranges(_ texts: String...) -> [AddressRange] { texts.compactMap { AddressRange($0) } }
}
