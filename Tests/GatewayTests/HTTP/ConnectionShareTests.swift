import Logging
import Model
import NIOCore
import NIOEmbedded
import Platform
import TestSupport
import Testing

@testable import Gateway

@Suite("The share of connections of one address")
struct ConnectionShareTests {
    private func shares(
        proxies: [String] = [], logger: Logger = .silent
    ) -> ConnectionShares {
        // 64 connections in all.
        return ConnectionShares(
            of: ConnectionCap(openFiles: 160, logger: logger),
            proxies: TrustedProxies(proxies.compactMap(AddressRange.init)), logger: logger)
    }

    private func channel(from address: String?) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        channel.remoteAddress = try address.map { try SocketAddress(ipAddress: $0, port: 50_000) }
        return channel
    }

    private func close(_ channel: EmbeddedChannel) throws {
        try channel.close().wait()
        // Callbacks for the end of a channel run on its loop.
        channel.embeddedEventLoop.run()
    }

    @Test("One address may have a quarter of the connections, and frees those that it closes")
    func quarterForAnAddress() throws {
        let shares = shares()
        #expect(shares.maximum == 16)
        let channels = try (0..<16).map { _ in try channel(from: "192.0.2.1") }
        for channel in channels { #expect(shares.open(channel)) }
        #expect(try !shares.open(channel(from: "192.0.2.1")))
        #expect(try !shares.open(channel(from: "::ffff:192.0.2.1")))
        #expect(try shares.open(channel(from: "192.0.2.2")))
        // A local socket has no address.
        #expect(try shares.open(channel(from: nil)))
        try close(channels[0])
        #expect(try shares.open(channel(from: "192.0.2.1")))
        for channel in channels.dropFirst() { try close(channel) }
        #expect(shares.addressCount == 2)
    }

    @Test("The warning names the address", arguments: ["192.0.2.1", "2001:db8::7"])
    func warningNamesTheAddress(address: String) throws {
        let log = LogRecorder()
        let shares = shares(logger: log.logger)
        let channels = try (0..<17).map { _ in try channel(from: address) }
        #expect(channels.map { shares.open($0) } == Array(repeating: true, count: 16) + [false])
        #expect(log.lines.compactMap { $0.metadata["address"] } == [address])
        for channel in channels.dropLast() { try close(channel) }
    }

    @Test("A trusted proxy is spared")
    func trustedProxy() throws {
        let shares = shares(proxies: ["10.0.0.0/8"])
        for _ in 0..<100 { #expect(try shares.open(channel(from: "10.1.2.3"))) }
        #expect(shares.addressCount == 0)
    }
}
