import Model
import Platform

extension Endpoint {
    /// Reads `ipc://PATH` or `tcp://HOST:PORT`, where `HOST` is an IPv4 address, an IPv6 address in brackets or a
    /// name, and `PORT` is 0 to 65535 or `*` (0 and `*`: any free port, for binding only).
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
                "the system accepts socket paths of at most \(longestSocketPath) bytes, but this one has \(length). "
                    + "Choose a shorter folder.")
        }
        guard !path.isEmpty, !path.hasSuffix("/") else {
            throw invalid("it names no socket file; write ipc:///FOLDER/NAME.sock.")
        }
        guard path != "*", !path.hasPrefix("@") else {
            throw invalid("a socket file in a private folder is needed, because its modes keep other users out.")
        }
        guard path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
            throw invalid("the path contains control characters.")
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
        guard let host = host(String(address[..<colon])) else {
            throw .invalidEndpoint(
                found: text,
                reason: "\"\(address[..<colon])\" is not a host; write an address such as 10.0.0.5 or [fd00::5], or "
                    + "for a worker the name of the gateway's machine.")
        }
        return .tcp(host: host, port: port)
    }

    /// An address in its usual spelling and without brackets, or a name; `nil` if it is neither.
    private static func host(_ text: String) -> String? {
        if text.hasPrefix("["), text.hasSuffix("]") {
            return NetworkHost.canonical(ipv6: String(text.dropFirst().dropLast()))
        }
        if case .ipv4 = NetworkHost(text) { return text }
        return NetworkHost.isName(text) ? text : nil
    }
}

extension String {
    fileprivate func dropping(prefix: String) -> Substring? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }
}
