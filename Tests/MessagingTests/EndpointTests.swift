import Testing

@testable import Messaging

@Suite("Endpoint")
struct EndpointTests {
    @Test(
        "accepts ipc paths and loopback literals, and writes them as libzmq reads them",
        arguments: [
            ("ipc:///run/backline/gateway.sock", "ipc:///run/backline/gateway.sock"),
            ("ipc://run/gateway.sock", "ipc://run/gateway.sock"),
            ("tcp://127.0.0.1:7300", "tcp://127.0.0.1:7300"),
            ("tcp://127.255.3.4:65535", "tcp://127.255.3.4:65535"),
            ("tcp://127.0.0.1:*", "tcp://127.0.0.1:0"),
            ("tcp://127.0.0.1:0", "tcp://127.0.0.1:0"),
            ("tcp://[::1]:7300", "tcp://[::1]:7300"),
            ("tcp://[0:0:0:0:0:0:0:1]:7300", "tcp://[::1]:7300"),
        ])
    func accepts(text: String, canonical: String) throws {
        #expect(try Endpoint(text).description == canonical)
    }

    @Test(
        "refuses everything else, saying what was found and what to write",
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
            ("tcp://0.0.0.0:7300", "not encrypted yet"),
            ("tcp://*:7300", "not encrypted yet"),
            ("tcp://localhost:7300", "written as numbers"),
            ("tcp://192.168.1.10:7300", "not encrypted yet"),
            ("tcp://127.1:7300", "not encrypted yet"),
            ("tcp://127.0.0.1;10.0.0.1:7300", "not encrypted yet"),
            ("tcp://::1:7300", "not encrypted yet"),
            ("tcp://[::]:7300", "not encrypted yet"),
            ("tcp://[::ffff:127.0.0.1]:7300", "not encrypted yet"),
        ])
    func refuses(text: String, reason: String) {
        let error = #expect(throws: MessagingError.self) { try Endpoint(text) }
        #expect(error?.description.contains("\"\(text)\"") == true)
        #expect(error?.description.contains(reason) == true)
    }

    @Test("counts the bytes of a socket path: 107 are taken, 108 are not")
    func longPath() throws {
        let path = "/" + String(repeating: "ä", count: 53)
        #expect(path.utf8.count == 107)
        _ = try Endpoint("ipc://\(path)")
        let error = #expect(throws: MessagingError.self) { try Endpoint("ipc://\(path)x") }
        #expect(error?.description.contains("at most 107 bytes, this one has 108") == true)
    }
}
