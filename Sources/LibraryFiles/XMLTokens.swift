import CXML2

/// Parses XML part by part into its elements and texts. What comes before damage is handed on.
///
/// Entities that the file declares itself are refused, nothing is expanded, and nothing outside the file is read.
final class XMLTokens {
    enum Token: Equatable {
        case open(String, line: Int)
        case close
        case text(String)
        case end
    }

    private static let partSize = 65_536

    private let source: any ByteSource
    private let parser: xmlParserCtxtPtr
    /// What the parser's functions write to, as long as the parser lives.
    private let collector: Collector
    private var place = 0
    private var isAtEnd = false

    private final class Collector {
        var tokens: [Token] = []
        var hasEntities = false
        var parser: xmlParserCtxtPtr?

        static func of(_ context: UnsafeMutableRawPointer?) -> Collector? {
            context.map { Unmanaged<Collector>.fromOpaque($0).takeUnretainedValue() }
        }

        func open(_ name: UnsafePointer<xmlChar>) {
            tokens.append(.open(String(cString: name), line: parser.map { Int(xmlSAX2GetLineNumber($0)) } ?? 0))
        }

        func add(_ text: UnsafePointer<xmlChar>?, _ count: Int32) {
            tokens.append(
                .text(String(decoding: UnsafeBufferPointer(start: text, count: Int(count)), as: UTF8.self)))
        }
    }

    init(_ source: any ByteSource) throws(LibraryFileError) {
        self.source = source
        collector = Collector()
        var handler = xmlSAXHandler()
        handler.initialized = UInt32(XML_SAX2_MAGIC)
        handler.startElementNs = { context, name, _, _, _, _, _, _, _ in
            guard let name else { return }
            Collector.of(context)?.open(name)
        }
        handler.endElementNs = { context, _, _, _ in Collector.of(context)?.tokens.append(.close) }
        handler.characters = { context, text, count in Collector.of(context)?.add(text, count) }
        handler.ignorableWhitespace = handler.characters
        handler.cdataBlock = handler.characters
        handler.entityDecl = { context, _, _, _, _, _ in Collector.of(context)?.hasEntities = true }
        handler.unparsedEntityDecl = { context, _, _, _, _ in Collector.of(context)?.hasEntities = true }
        handler.reference = { context, _ in Collector.of(context)?.hasEntities = true }
        let context = Unmanaged.passUnretained(collector).toOpaque()
        guard let parser = xmlCreatePushParserCtxt(&handler, context, nil, 0, nil) else {
            throw LibraryFileError("The file could not be read: no memory is left.")
        }
        self.parser = parser
        collector.parser = parser
        _ = xmlCtxtUseOptions(
            parser,
            Int32(
                XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
                    | XML_PARSE_BIG_LINES.rawValue))
    }

    deinit {
        // The parser makes one for declarations.
        if let document = parser.pointee.myDoc { xmlFreeDoc(document) }
        xmlFreeParserCtxt(parser)
    }

    func next() throws(LibraryFileError) -> Token {
        while place == collector.tokens.count {
            try fail()
            if isAtEnd { return .end }
            collector.tokens.removeAll(keepingCapacity: true)
            place = 0
            try parse()
        }
        defer { place += 1 }
        return collector.tokens[place]
    }

    /// The error of a file that is no property list from here on.
    var malformed: LibraryFileError {
        LibraryFileError("The XML breaks off or is damaged at line \(line). Export it anew, and send the whole file.")
    }

    private var line: Int { Int(xmlSAX2GetLineNumber(parser)) }

    private func parse() throws(LibraryFileError) {
        var part = [CChar](repeating: 0, count: Self.partSize)
        var result: Result<Int, LibraryFileError> = .success(0)
        part.withUnsafeMutableBytes { buffer in
            do throws(LibraryFileError) {
                result = .success(try source.read(into: buffer))
            } catch {
                result = .failure(error)
            }
        }
        let count = try result.get()
        isAtEnd = count == 0
        _ = xmlParseChunk(parser, part, Int32(count), isAtEnd ? 1 : 0)
    }

    private func fail() throws(LibraryFileError) {
        if collector.hasEntities {
            throw LibraryFileError(
                "The file declares entities of its own (line \(line)), which are not read. Export it anew from "
                    + "Apple's Music app.")
        }
        if parser.pointee.wellFormed == 0 { throw malformed }
    }
}
