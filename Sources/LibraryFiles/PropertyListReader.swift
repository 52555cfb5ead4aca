import CXML2
import Foundation
import Model

/// Reads the library that Apple's Music app and iTunes export: a property list in XML, element by element.
///
/// Entities that the file declares itself are refused, and nothing outside it is read. The traps of the format are in
/// shared/reference/listening.md, 2.4.
final class PropertyListReader: LibraryFileReader {
    private enum Place {
        case top, tracks, playlists, end
    }

    private enum Token: Equatable {
        case open(String, isEmpty: Bool)
        case close
        case text(String)
        case end
    }

    private let reader: xmlTextReaderPtr
    /// What libxml2 reads from, as long as the reader lives.
    private let input: Unmanaged<Input>
    private var place = Place.top
    /// The persistent id of each song by its `Track ID`, which links playlists with songs in this file alone.
    private var keys: [Int: UInt64] = [:]

    private final class Input {
        let source: any ByteSource
        var failure: LibraryFileError?

        init(_ source: any ByteSource) { self.source = source }
    }

    init(_ source: any ByteSource) throws(LibraryFileError) {
        input = Unmanaged.passRetained(Input(source))
        let read: xmlInputReadCallback = { context, buffer, count in
            guard let context, let buffer else { return -1 }
            let input = Unmanaged<Input>.fromOpaque(context).takeUnretainedValue()
            do throws(LibraryFileError) {
                let bytes = UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
                return Int32(try input.source.read(into: bytes))
            } catch {
                input.failure = error
                return -1
            }
        }
        let options = Int32(
            XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
                | XML_PARSE_BIG_LINES.rawValue)
        guard let reader = xmlReaderForIO(read, nil, input.toOpaque(), nil, nil, options) else {
            input.release()
            throw LibraryFileError("The file could not be read: no memory is left.")
        }
        self.reader = reader
        try expect("plist")
        try expect("dict")
    }

    deinit {
        xmlFreeTextReader(reader)
        input.release()
    }

    func next() throws(LibraryFileError) -> LibraryFileItem? {
        while true {
            switch place {
            case .top: try find()
            case .tracks:
                if let item = try track() { return item }
            case .playlists:
                // The app's own lists are left out.
                if let item = try playlist() { return .playlist(item) }
            case .end: return nil
            }
        }
    }

    // MARK: Parts

    /// Goes to the songs or the playlists, whichever comes next.
    private func find() throws(LibraryFileError) {
        while let key = try nextKey() {
            switch (key, try token()) {
            case ("Tracks", .open("dict", let isEmpty)):
                if !isEmpty {
                    place = .tracks
                    return
                }
            case ("Playlists", .open("array", let isEmpty)):
                if !isEmpty {
                    place = .playlists
                    return
                }
            case (_, .open(_, let isEmpty)): if !isEmpty { try skipElement() }
            default: throw malformed
            }
        }
        place = .end
    }

    /// The next key of the dictionary that is open; `nil` at its end.
    private func nextKey() throws(LibraryFileError) -> String? {
        switch try token() {
        case .open("key", let isEmpty): return isEmpty ? "" : try text()
        case .close: return nil
        default: throw malformed
        }
    }

    private func track() throws(LibraryFileError) -> LibraryFileItem? {
        guard try nextKey() != nil else {
            place = .top
            return nil
        }
        guard case .open("dict", let isEmpty) = try token() else { throw malformed }
        let line = nodeLine
        let values = isEmpty ? PropertyListSong() : PropertyListSong(try dictionary())
        if let number = values.number, let key = values.key { keys[number] = key }
        return values.item(line: line)
    }

    private func playlist() throws(LibraryFileError) -> FilePlaylist? {
        switch try token() {
        case .close:
            place = .top
            return nil
        case .open("dict", let isEmpty):
            var entries: [Int] = []
            let values = isEmpty ? [:] : try dictionary(entries: &entries)
            return FilePlaylist(values, entries.map { keys[$0] })
        default: throw malformed
        }
    }

    /// The texts of a dictionary's values, `true` and `false` among them. Nested values are left out.
    private func dictionary() throws(LibraryFileError) -> [String: String] {
        var entries: [Int] = []
        return try dictionary(entries: &entries)
    }

    /// - Parameter entries: gets the ids of the songs of `Playlist Items`.
    private func dictionary(entries: inout [Int]) throws(LibraryFileError) -> [String: String] {
        var values: [String: String] = [:]
        while let key = try nextKey() {
            guard case .open(let type, let isEmpty) = try token() else { throw malformed }
            switch type {
            case "true", "false":
                values[key] = type
                if !isEmpty { try skipElement() }
            case "string", "integer", "date", "real": values[key] = isEmpty ? "" : try text()
            case "array" where key == "Playlist Items": if !isEmpty { try readEntries(into: &entries) }
            default: if !isEmpty { try skipElement() }
            }
        }
        return values
    }

    private func readEntries(into entries: inout [Int]) throws(LibraryFileError) {
        while true {
            switch try token() {
            case .close: return
            case .open("dict", let isEmpty):
                guard !isEmpty, let number = try dictionary()["Track ID"].flatMap({ Int($0) }) else { continue }
                entries.append(number)
            default: throw malformed
            }
        }
    }

    // MARK: Tokens

    private func expect(_ name: String) throws(LibraryFileError) {
        guard case .open(name, isEmpty: false) = try token() else {
            throw LibraryFileError(
                "This XML is not the library of Apple's Music app. Export it there: File, Library, Export Library.")
        }
    }

    /// The text of the element that was opened, up to its end.
    private func text() throws(LibraryFileError) -> String {
        var text = ""
        while true {
            switch try token() {
            case .text(let part): text += part
            case .close: return text
            default: throw malformed
            }
        }
    }

    /// Goes behind the end of the element that was opened.
    private func skipElement() throws(LibraryFileError) {
        var depth = 1
        while depth > 0 {
            switch try token() {
            case .open(_, let isEmpty): if !isEmpty { depth += 1 }
            case .close: depth -= 1
            case .text: break
            case .end: throw malformed
            }
        }
    }

    private func token() throws(LibraryFileError) -> Token {
        while true {
            switch xmlTextReaderRead(reader) {
            case 1: break
            case 0: return .end
            default: throw input.takeUnretainedValue().failure ?? malformed
            }
            switch xmlReaderTypes(rawValue: UInt32(xmlTextReaderNodeType(reader))) {
            case XML_READER_TYPE_ELEMENT:
                guard let name = xmlTextReaderConstName(reader) else { continue }
                return .open(String(cString: name), isEmpty: xmlTextReaderIsEmptyElement(reader) == 1)
            case XML_READER_TYPE_END_ELEMENT: return .close
            case XML_READER_TYPE_TEXT, XML_READER_TYPE_CDATA:
                guard let value = xmlTextReaderConstValue(reader) else { continue }
                return .text(String(cString: value))
            case XML_READER_TYPE_ENTITY_REFERENCE:
                throw LibraryFileError(
                    "The file declares entities of its own (line \(line)), which are not read. Export it anew from "
                        + "Apple's Music app.")
            default: continue
            }
        }
    }

    /// The line of the element that was opened. The parser itself is further: it reads ahead.
    private var nodeLine: Int { xmlTextReaderCurrentNode(reader).map { Int(xmlGetLineNo($0)) } ?? line }

    private var line: Int { Int(xmlTextReaderGetParserLineNumber(reader)) }

    private var malformed: LibraryFileError {
        LibraryFileError("The XML breaks off or is damaged at line \(line). Export it anew, and send the whole file.")
    }
}
