import Glibc

extension Endpoint {
    /// Reads `ipc://PATH` or `tcp://HOST:PORT`, where `HOST` is a literal of 127.0.0.0/8 or `[::1]`, and
    /// `PORT` is 0 to 65535 or `*` (0 and `*`: any free port, for binding only).
    package init(_ text: String) throws(MessagingError) {
        if let path = text.dropping(prefix: "ipc://") {
            transport = try Self.ipc(path: String(path), in: text)
        } else if let address = text.dropping(prefix: "tcp://") {
            transport = try Self.tcp(address: address, in: text)
        } else {
            throw .invalidEndpoint(found: text, reason: "write ipc://PATH or tcp://127.0.0.1:PORT.")
        }
    }

    private static func ipc(path: String, in text: String) throws(MessagingError) -> Transport {
        func invalid(_ reason: String) -> MessagingError { .invalidEndpoint(found: text, reason: reason) }
        let length = path.utf8.count
        guard length <= longestSocketPath else {
            throw invalid(
                "the system takes socket paths of at most \(longestSocketPath) bytes, this one has \(length). "
                    + "Choose a shorter folder.")
        }
        guard !path.isEmpty, !path.hasSuffix("/") else {
            throw invalid("it names no socket file; write ipc:///FOLDER/NAME.sock.")
        }
        guard path != "*", !path.hasPrefix("@") else {
            throw invalid("a socket file in a private folder is needed, because its modes keep other users out.")
        }
        guard path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
            throw invalid("the path holds control characters.")
        }
        return .ipc(path: path)
    }

    private static func tcp(address: Substring, in text: String) throws(MessagingError) -> Transport {
        guard let colon = address.lastIndex(of: ":"), !address.hasSuffix("]") else {
            throw .invalidEndpoint(found: text, reason: "the port is missing; write tcp://127.0.0.1:PORT.")
        }
        let portText = address[address.index(after: colon)...]
        let digitsOnly = !portText.isEmpty && portText.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard let port = portText == "*" ? 0 : digitsOnly ? UInt16(portText) : nil else {
            throw .invalidEndpoint(
                found: text, reason: "\"\(portText)\" is not a port; write a number from 1 to 65535, or * for any.")
        }
        let host = String(address[..<colon])
        guard let literal = loopbackLiteral(host) else {
            throw .invalidEndpoint(
                found: text,
                reason: "\"\(host)\" is not a loopback address. Messages are not encrypted yet, so only ipc://PATH, "
                    + "tcp://127.x.x.x:PORT and tcp://[::1]:PORT are allowed, the addresses written as numbers.")
        }
        return .tcp(host: literal, port: port)
    }

    /// The address in its usual spelling, or `nil` when `host` is no loopback literal.
    private static func loopbackLiteral(_ host: String) -> String? {
        if host.hasPrefix("["), host.hasSuffix("]") {
            var address = in6_addr()
            guard inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address) == 1 else { return nil }
            let bytes = withUnsafeBytes(of: address) { Array($0) }
            return bytes == Array(repeating: 0, count: 15) + [1] ? "::1" : nil
        }
        var address = in_addr()
        guard inet_pton(AF_INET, host, &address) == 1 else { return nil }
        return UInt32(bigEndian: address.s_addr) >> 24 == 127 ? host : nil
    }
}

extension String {
    fileprivate func dropping(prefix: String) -> Substring? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }
}
