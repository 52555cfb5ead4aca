import Model

/// The forms of XML that are known, recognized by their first element.
enum XMLForm {
    case propertyList, xspf

    /// - Parameter source: the file from its beginning.
    init(_ source: any ByteSource) throws(LibraryFileError) {
        guard case .open(let name, _) = try XMLTokens(source).element() else { throw Self.unknown(nil) }
        switch name {
        case "plist": self = .propertyList
        case "playlist": self = .xspf
        default: throw Self.unknown(name)
        }
    }

    static let webPage = LibraryFileError(
        "This is a web page and not an export; a page to sign in may have been saved instead of the file. Download the "
            + "export itself, and send that file.", isOfUnknownKind: true)

    /// Whether a file is HTML, which is rarely well-formed XML.
    ///
    /// - Parameter head: the file's first bytes.
    static func isWebPage(_ head: [UInt8]) -> Bool {
        // Without the zeros of UTF-16.
        var text = String(decoding: head.filter { $0 != 0 }, as: UTF8.self).lowercased()[...]
        while let start = text.firstIndex(of: "<") {
            text = text[start...]
            // The document type or the first element may follow an XML declaration and comments.
            let ends = ["<?": "?>", "<!--": "-->"]
            guard let (_, end) = ends.first(where: { text.hasPrefix($0.key) }) else { break }
            guard let range = text.firstRange(of: end) else { return false }
            text = text[range.upperBound...]
        }
        let names = text.dropFirst().prefix { $0.isLetter || $0 == "!" || $0.isWhitespace }
            .split(whereSeparator: \.isWhitespace)
        return names.starts(with: ["!doctype", "html"]) || names.first.map { webElements.contains($0) } == true
    }

    private static let webElements: Set<Substring> = ["html", "head", "body", "title", "meta", "script", "div"]

    /// - Parameter name: the name of the first element.
    static func unknown(_ name: String?) -> LibraryFileError {
        let what = name.map { " It begins with the element “\($0.prefix(60))”." } ?? ""
        return LibraryFileError(
            "This XML is neither the library of Apple’s Music app nor an XSPF playlist.\(what) Export the library in "
                + "the app: File, Library, Export Library.", isOfUnknownKind: true)
    }
}

/// Reads an XSPF playlist (xspf.org/spec). Holds the keys and titles of its entries, which take 40 MiB.
final class XSPFReader: LibraryFileReader {
    private let tokens: XMLTokens
    private var playlist = FilePlaylist(key: "", name: "")
    private var hasList = false
    private var isInList = false
    private var isAtEnd = false
    private var titleBytes = 0

    init(_ source: any ByteSource) throws(LibraryFileError) {
        tokens = try XMLTokens(source)
        guard case .open("playlist", _) = try tokens.element() else { throw XMLForm.unknown(nil) }
    }

    func next() throws(LibraryFileError) -> LibraryFileItem? {
        while !isAtEnd {
            switch (try tokens.element(), isInList) {
            case (.open("track", let line), true): return try song(line)
            case (.open(let name, _), false): try readMember(name)
            case (.open, true): try tokens.skipElement()
            case (.close, true): isInList = false
            case (.close, false):
                isAtEnd = true
                guard hasList else { return .skipped(line: 1, reason: "the playlist has no list of songs") }
                return .playlist(playlist)
            default: throw tokens.malformed
            }
        }
        return nil
    }

    private func readMember(_ name: String) throws(LibraryFileError) {
        switch name {
        case "trackList": (isInList, hasList) = (true, true)
        case "title": playlist.name = FileValues.name(try tokens.text())
        case "annotation":
            let text = FileValues.description(try tokens.text())
            playlist.description = text.isEmpty ? nil : text
        case "identifier": playlist.key = FilePlaylist.key(try tokens.text())
        default: try tokens.skipElement()
        }
    }

    private static let members: Set<String> = ["title", "creator", "album", "duration", "trackNum", "image"]

    private func song(_ line: Int) throws(LibraryFileError) -> LibraryFileItem {
        var (values, addresses, addedAt) = ([String: String](), [String](), Timestamp?.none)
        members: while true {
            switch try tokens.element() {
            case .close: break members
            case .open(let name, _) where Self.members.contains(name): values[name] = try tokens.text().trimmed
            case .open("identifier", _), .open("location", _):
                let text = try tokens.text()
                if addresses.count < 8 { addresses.append(text.trimmed ?? "") }
            case .open("extension", _): addedAt = try readExtension() ?? addedAt
            case .open: try tokens.skipElement()
            default: throw tokens.malformed
            }
        }
        guard playlist.hasRoom, titleBytes <= FilePlaylist.mostTitleBytes else {
            return .skipped(line: line, reason: FilePlaylist.isFull)
        }
        var track = SourceTrack(
            sourceID: "", title: values["title"] ?? "", artist: values["creator"] ?? "", album: values["album"] ?? "")
        track.durationMs = values["duration"].flatMap { Double(decimal: $0, in: 0...1e15) }.flatMap {
            FileValues.milliseconds($0)
        }
        track.trackNumber = values["trackNum"].flatMap { Int(decimal: $0, in: FileValues.numbers) }
        track.artworkURL = values["image"]
        track.addedAt = addedAt
        track.clean()
        track.sourceID = SongKey.key(of: track, uri: addresses.lazy.compactMap(SongKey.normalized).first)
        if let refusal = track.refusal(isOwn: false) {
            titleBytes += track.title.utf8.count
            playlist.entries.append(.init(key: nil, title: track.title.isEmpty ? nil : track.title))
            return .skipped(line: line, reason: refusal)
        }
        playlist.entries.append(.init(key: track.sourceID, addedAt: track.addedAt))
        return .track(FileTrack(track, isSaved: false), line: line)
    }

    /// Reads from a program's extension when the song was added: XSPF itself has no member for it.
    private func readExtension() throws(LibraryFileError) -> Timestamp? {
        // The depth of the open element, and that of the one with the time.
        var (depth, place, text) = (1, Int?.none, "")
        while depth > 0 {
            switch try tokens.next() {
            case .open(let name, _):
                depth += 1
                if place == nil, text.isEmpty, CSVFact.added.isNamed(by: name) { place = depth }
            case .text(let part): if place != nil, text.utf8.count < FileValues.longestText { text += part }
            case .close:
                if place == depth { place = nil }
                depth -= 1
            case .end: throw tokens.malformed
            }
        }
        return text.trimmed.flatMap { FileValues.moment(rfc3339: $0) ?? TimestampText($0)?.moment }
    }
}
