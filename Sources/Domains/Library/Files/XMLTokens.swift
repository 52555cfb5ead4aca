import CXML2

/// Parses XML chunk by chunk into elements and texts. Whatever precedes damage is still returned.
///
/// It supports what property lists and XSPF playlists have: elements and texts. A document type may be named but not
/// declared: entities, default attributes and other declarations end the file at once, and so do tags with many
/// attributes, for which libxml2 compares all pairs. Only the first element may declare namespaces, and only a few.
/// Nothing is expanded, and nothing outside the file is read.
///
/// Holds one chunk of the file as tokens, one tag or comment of at most 32 KiB, and the names of elements, for which
/// libxml2 takes at most 10 MB. Elements may be nested in up to 256 others.
final class XMLTokens {
    enum Token: Equatable {
        case open(String, line: Int)
        case close
        case text(String)
        case end
    }

    private static let partSize = 16_384
    /// The most bytes of an incomplete tag, comment or instruction that the parser may hold.
    private static let longestMarkup = 16_384
    /// `plist` has one, and no other element has any.
    private static let mostAttributes = 4
    /// VLC declares two.
    private static let mostNamespaces = 4

    private let source: any ByteSource
    private let parser: xmlParserCtxtPtr
    /// Where the parser's callbacks write to, for as long as the parser lives.
    private let collector: Collector
    private var place = 0
    private var isAtEnd = false

    /// What is refused.
    private enum Refusal {
        case declaration, reference, namespaces, attributes

        var text: String {
            switch self {
            case .declaration: "declares its own entities, elements or attributes"
            case .reference: "refers to an entity that XML does not define"
            case .namespaces: "has an element with namespaces"
            case .attributes: "has an element with more than \(XMLTokens.mostAttributes) attributes"
            }
        }
    }

    private final class Collector {
        var tokens: [Token] = []
        /// What the file contains that is refused, and on which line.
        var refused: (what: Refusal, line: Int)?
        private var hasRoot = false
        var parser: xmlParserCtxtPtr?

        static func of(_ context: UnsafeMutableRawPointer?) -> Collector? {
            context.map { Unmanaged<Collector>.fromOpaque($0).takeUnretainedValue() }
        }

        private var line: Int { parser.map { Int(xmlSAX2GetLineNumber($0)) } ?? 0 }

        func open(_ name: UnsafePointer<xmlChar>?, namespaces: Int32, attributes: Int32) {
            guard namespaces <= (hasRoot ? 0 : XMLTokens.mostNamespaces) else { return refuse(.namespaces) }
            guard attributes <= XMLTokens.mostAttributes else { return refuse(.attributes) }
            hasRoot = true
            guard refused == nil, let name else { return }
            tokens.append(.open(String(cString: name), line: line))
        }

        func add(_ text: UnsafePointer<xmlChar>?, _ count: Int32) {
            guard refused == nil else { return }
            tokens.append(
                .text(String(decoding: UnsafeBufferPointer(start: text, count: Int(count)), as: UTF8.self)))
        }

        /// A document type was named. Its declarations would come next.
        func nameDocumentType() {
            if let next = parser?.pointee.input?.pointee.cur?.pointee, next == UInt8(ascii: "[") {
                refuse(.declaration)
            }
        }

        /// Stops the parser, which would otherwise continue to the end of the chunk.
        func refuse(_ what: Refusal) {
            guard refused == nil else { return }
            refused = (what, line)
            if let parser { xmlStopParser(parser) }
        }
    }

    init(_ source: any ByteSource) throws(LibraryFileError) {
        self.source = source
        collector = Collector()
        var handler = xmlSAXHandler()
        handler.initialized = UInt32(XML_SAX2_MAGIC)
        handler.startElementNs = { context, name, _, _, namespaces, _, attributes, _, _ in
            Collector.of(context)?.open(name, namespaces: namespaces, attributes: attributes)
        }
        handler.endElementNs = { context, _, _, _ in Collector.of(context)?.tokens.append(.close) }
        handler.characters = { context, text, count in Collector.of(context)?.add(text, count) }
        handler.ignorableWhitespace = handler.characters
        handler.cdataBlock = handler.characters
        handler.internalSubset = { context, _, _, _ in Collector.of(context)?.nameDocumentType() }
        handler.entityDecl = { context, _, _, _, _, _ in Collector.of(context)?.refuse(.declaration) }
        handler.unparsedEntityDecl = { context, _, _, _, _ in Collector.of(context)?.refuse(.declaration) }
        handler.notationDecl = { context, _, _, _ in Collector.of(context)?.refuse(.declaration) }
        handler.elementDecl = { context, _, _, _ in Collector.of(context)?.refuse(.declaration) }
        handler.attributeDecl = { context, _, _, _, _, _, values in
            xmlFreeEnumeration(values)
            Collector.of(context)?.refuse(.declaration)
        }
        handler.reference = { context, _ in Collector.of(context)?.refuse(.reference) }
        let context = Unmanaged.passUnretained(collector).toOpaque()
        guard let parser = xmlCreatePushParserCtxt(&handler, context, nil, 0, nil) else {
            throw LibraryFileError("The file could not be read: out of memory.")
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
        // The parser creates a document for declarations.
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

    /// The error for a file that cannot be read any further.
    var malformed: LibraryFileError {
        LibraryFileError("The XML is incomplete or damaged at line \(line). Export it again, and send the whole file.")
    }

    private var line: Int { Int(xmlSAX2GetLineNumber(parser)) }

    private func parse() throws(LibraryFileError) {
        let part = try source.bytes(Self.partSize)
        isAtEnd = part.isEmpty
        _ = part.withUnsafeBytes { bytes in
            xmlParseChunk(
                parser, bytes.assumingMemoryBound(to: CChar.self).baseAddress, Int32(bytes.count), isAtEnd ? 1 : 0)
        }
    }

    /// How many bytes of an incomplete construct the parser holds.
    private var incomplete: Int {
        guard let input = parser.pointee.input, let place = input.pointee.cur, let end = input.pointee.end else {
            return 0
        }
        return end - place
    }

    private func fail() throws(LibraryFileError) {
        if let (what, line) = collector.refused {
            throw LibraryFileError("The file \(what.text) (line \(line)), which is not supported. Export it again.")
        }
        if parser.pointee.wellFormed == 0 { throw malformed }
        guard incomplete <= Self.longestMarkup else {
            throw LibraryFileError(
                "The XML has a tag or comment of more than \(Self.longestMarkup) bytes at line \(line), which is not "
                    + "supported. Export it again.")
        }
    }
}

extension XMLTokens {
    /// Reads the text of the open element, up to its end. What exceeds the longest text is dropped.
    func text() throws(LibraryFileError) -> String {
        var text = ""
        while true {
            switch try next() {
            case .text(let part): if text.utf8.count < FileValues.longestText { text += part }
            case .close: return text
            default: throw malformed
            }
        }
    }

    /// Skips to the end of the open element.
    func skipElement() throws(LibraryFileError) {
        var depth = 1
        while depth > 0 {
            switch try next() {
            case .open: depth += 1
            case .close: depth -= 1
            case .text: break
            case .end: throw malformed
            }
        }
    }

    /// Returns the next token that is not white space between elements.
    func element() throws(LibraryFileError) -> Token {
        while true {
            let token = try next()
            if case .text(let text) = token, text.utf8.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
                continue
            }
            return token
        }
    }
}
