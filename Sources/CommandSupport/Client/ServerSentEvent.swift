/// One server-sent event (html.spec.whatwg.org/multipage/server-sent-events.html).
package struct ServerSentEvent: Equatable {
    package let name: String
    package let data: String
}

/// Parses a stream of server-sent events from pieces of any size.
struct ServerSentEventParser {
    struct TooLong: Error {}

    /// The limit of a line and of an event, far more than the gateway sends.
    static let maximumBytes = 1 << 20

    /// The id of the last event, after which a new stream resumes.
    private(set) var lastEventID: String?
    /// The time to wait before reconnecting, if the stream set one.
    private(set) var retryDelay: Duration?

    private var line: [UInt8] = []
    private var afterCarriageReturn = false
    private var isAtStart = true
    private var name = ""
    private var data: String?
    private var pendingID: String?

    init(lastEventID: String? = nil) {
        self.lastEventID = lastEventID
        pendingID = lastEventID
    }

    /// - Returns: the events that these bytes complete.
    mutating func feed(_ bytes: some Sequence<UInt8>) throws(TooLong) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            let endsPair = afterCarriageReturn && byte == 0x0A
            afterCarriageReturn = byte == 0x0D
            if endsPair { continue }
            guard byte == 0x0A || byte == 0x0D else {
                line.append(byte)
                guard line.count + (data?.utf8.count ?? 0) <= Self.maximumBytes else { throw TooLong() }
                continue
            }
            if let event = endLine() { events.append(event) }
        }
        return events
    }

    private mutating func endLine() -> ServerSentEvent? {
        var text = String(decoding: line, as: UTF8.self)
        line.removeAll(keepingCapacity: true)
        if isAtStart, text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        isAtStart = false
        guard !text.isEmpty else { return dispatch() }
        let colon = text.firstIndex(of: ":")
        var value = colon.map { text[text.index(after: $0)...] } ?? ""
        if value.first == " " { value.removeFirst() }
        switch colon.map({ text[..<$0] }) ?? text[...] {
        case "event": name = String(value)
        case "data": data = data.map { $0 + "\n" + value } ?? String(value)
        case "id" where !value.utf8.contains(0): pendingID = String(value)
        case "retry":
            if let milliseconds = Int(value), milliseconds >= 0 { retryDelay = .milliseconds(milliseconds) }
        default: break  // comments and fields of later versions
        }
        return nil
    }

    private mutating func dispatch() -> ServerSentEvent? {
        defer { (name, data) = ("", nil) }
        lastEventID = pendingID
        return data.map { ServerSentEvent(name: name.isEmpty ? "message" : name, data: $0) }
    }
}
