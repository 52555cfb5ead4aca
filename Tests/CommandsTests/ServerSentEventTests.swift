import Testing

@testable import CommandSupport

@Suite("Server-sent events")
struct ServerSentEventTests {
    private static let stream = """
        : stream of changes
        retry: 1500

        id: 7
        event: concertSearch
        data: {"id": "a"}

        : still here

        data:first
        data: second
        unknown: field

        id: 8
        event: empty


        """
    private static let events = [
        ServerSentEvent(name: "concertSearch", data: #"{"id": "a"}"#),
        ServerSentEvent(name: "message", data: "first\nsecond"),
    ]

    @Test("Events are the same however the bytes are split", arguments: [1, 2, 3, 7, 64, 4_096])
    func bytesInPieces(size: Int) throws {
        var parser = ServerSentEventParser()
        let bytes = Array(Self.stream.utf8)
        var events: [ServerSentEvent] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            events += try parser.feed(bytes[start..<min(start + size, bytes.count)])
        }
        #expect(events == Self.events)
        #expect(parser.lastEventID == "8")
        #expect(parser.retryDelay == .milliseconds(1_500))
    }

    @Test("All three line ends are read, and a byte order mark is not text", arguments: ["\r\n", "\r", "\n"])
    func lineEnds(end: String) throws {
        var parser = ServerSentEventParser()
        let text = "\u{FEFF}" + Self.stream.replacing("\n", with: end)
        #expect(try parser.feed(text.utf8) == Self.events)
    }

    @Test("An unfinished event is ignored, and so is its id")
    func unfinishedEvent() throws {
        var parser = ServerSentEventParser(lastEventID: "3")
        #expect(try parser.feed("id: 9\nevent: job\ndata: {}\n".utf8).isEmpty)
        #expect(parser.lastEventID == "3")
    }

    @Test("A line that exceeds the limit is refused")
    func endlessLine() {
        var parser = ServerSentEventParser()
        #expect(throws: ServerSentEventParser.TooLong.self) {
            _ = try parser.feed(repeatElement(UInt8(ascii: "x"), count: ServerSentEventParser.maximumBytes + 1))
        }
    }
}
