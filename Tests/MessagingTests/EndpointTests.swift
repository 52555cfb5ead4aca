import Testing

@testable import Messaging

@Suite("Messaging endpoints")
struct EndpointTests {
    @Test(
        "ipc paths, addresses and names are accepted, and written as libzmq reads them",
        arguments: [
            ("ipc:///run/backline/gateway.sock", "ipc:///run/backline/gateway.sock"),
            ("ipc://run/gateway.sock", "ipc://run/gateway.sock"),
            ("tcp://127.0.0.1:7300", "tcp://127.0.0.1:7300"),
            ("tcp://127.255.3.4:65535", "tcp://127.255.3.4:65535"),
            ("tcp://127.0.0.1:*", "tcp://127.0.0.1:0"),
            ("tcp://127.0.0.1:0", "tcp://127.0.0.1:0"),
            ("tcp://[::1]:7300", "tcp://[::1]:7300"),
            ("tcp://[0:0:0:0:0:0:0:1]:7300", "tcp://[::1]:7300"),
            ("tcp://192.168.1.10:7300", "tcp://192.168.1.10:7300"),
            ("tcp://0.0.0.0:7300", "tcp://0.0.0.0:7300"),
            ("tcp://[FD00::A]:7300", "tcp://[fd00::a]:7300"),
            ("tcp://gateway:7300", "tcp://gateway:7300"),
        ])
    func acceptedEndpoints(text: String, canonical: String) throws {
        #expect(try Endpoint(text).description == canonical)
    }

    @Test(
        "Everything else is refused, and the error names the text and what to write",
        arguments: [
            ("", "write ipc://PATH or tcp://"),
            ("inproc://jobs", "write ipc://PATH or tcp://"),
            ("/run/gateway.sock", "write ipc://PATH or tcp://"),
            ("ipc://", "names no socket file"),
            ("ipc:///run/backline/", "names no socket file"),
            ("ipc://*", "private folder"),
            ("ipc://@abstract", "private folder"),
            ("ipc:///run/a\nb", "control characters"),
            ("tcp://127.0.0.1", "port is missing"),
            ("tcp://[::1]", "port is missing"),
            ("tcp://127.0.0.1:", "not a port"),
            ("tcp://127.0.0.1:65536", "not a port"),
            ("tcp://127.0.0.1:-1", "not a port"),
            ("tcp://127.0.0.1:+80", "not a port"),
            ("tcp://*:7300", "is not a host"),
            ("tcp://:7300", "is not a host"),
            ("tcp://127.1:7300", "is not a host"),
            ("tcp://256.0.0.1:7300", "is not a host"),
            ("tcp://127.0.0.1;10.0.0.1:7300", "is not a host"),
            ("tcp://::1:7300", "is not a host"),
            ("tcp://[127.0.0.1]:7300", "is not a host"),
            ("tcp://[gateway]:7300", "is not a host"),
            ("tcp://a b:7300", "is not a host"),
        ])
    func refusedEndpoints(text: String, reason: String) {
        let error = #expect(throws: MessagingError.self) { try Endpoint(text) }
        #expect(error?.description.contains("\"\(text)\"") == true)
        #expect(error?.description.contains(reason) == true)
    }

    @Test("A socket path may have 107 bytes, but not 108")
    func longPath() throws {
        let path = "/" + String(repeating: "ä", count: 53)
        #expect(path.utf8.count == 107)
        _ = try Endpoint("ipc://\(path)")
        let error = #expect(throws: MessagingError.self) { try Endpoint("ipc://\(path)x") }
        #expect(error?.description.contains("at most 107 bytes, but this one has 108") == true)
    }

    @Test(
        "Endpoints on this machine and endpoints on a network are told apart",
        arguments: [
            ("ipc:///run/a", false), ("tcp://127.0.0.1:1", false), ("tcp://127.9.9.9:1", false),
            ("tcp://[::1]:1", false), ("tcp://0.0.0.0:1", true), ("tcp://[::]:1", true), ("tcp://10.0.0.1:1", true),
            ("tcp://localhost:1", true), ("tcp://[::ffff:127.0.0.1]:1", true), ("tcp://128.0.0.1:1", true),
        ])
    func localAndNetworkEndpoints(text: String, isNetwork: Bool) throws {
        #expect(try Endpoint(text).isNetwork == isNetwork)
    }

    @Test("Without keys, both ends refuse an endpoint on a network and say what to do")
    func networkWithoutKeys() throws {
        for text in ["tcp://0.0.0.0:7300", "tcp://[::]:7300", "tcp://10.0.0.1:7300", "tcp://[fd00::1]:7300"] {
            let endpoint = try Endpoint(text)
            #expect(throws: MessagingError.unprotected(endpoint)) { try MessageRouter(endpoint: endpoint) }
        }
        let worker = try Endpoint("tcp://gateway:7300")
        let error = #expect(throws: MessagingError.self) {
            try MessageDealer(endpoint: worker, routingID: PeerID("w"))
        }
        #expect(error == .unprotected(worker))
        #expect(error?.description.contains("backline keys new --gateway") == true)
    }

    @Test("A gateway does not listen on a name, and a worker does not connect to all addresses")
    func wrongEnd() throws {
        let pair = try CurveKeyPair.generate()
        #expect(throws: MessagingError.self) {
            try MessageRouter(
                endpoint: Endpoint("tcp://gateway:7300"), security: .gateway(pair, KeyGate(KeyRegister())))
        }
        for text in ["tcp://0.0.0.0:7300", "tcp://[::]:7300"] {
            #expect(throws: MessagingError.self) {
                try MessageDealer(
                    endpoint: Endpoint(text), routingID: PeerID("w"),
                    security: .worker(pair, gatewayKey: pair.publicKey))
            }
        }
    }
}
