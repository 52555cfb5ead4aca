import Foundation
import Platform

/// Bytes that are read in chunks, one after another.
protocol ByteSource: AnyObject {
    /// - Returns: the number of bytes that were read into `buffer`; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(LibraryFileError) -> Int
}

extension ByteSource {
    /// Returns the next bytes, at most `count`; none at the end.
    ///
    /// Every reader of a file goes through here, so a cancelled task ends within one chunk.
    ///
    /// - Throws: ``LibraryFileError/cancelled``, and whatever the source throws.
    func bytes(_ count: Int) throws(LibraryFileError) -> [UInt8] {
        guard !Task.isCancelled else { throw LibraryFileError.cancelled }
        var failure: LibraryFileError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
            do throws(LibraryFileError) {
                used = try read(into: UnsafeMutableRawBufferPointer(buffer))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }
}

/// A file on this machine.
final class FileBytes: ByteSource {
    private let descriptor: Int32

    init(path: String) throws(LibraryFileError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LibraryFileError("The file is no longer there. Send it again.") }
    }

    deinit { close(descriptor) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(LibraryFileError) -> Int {
        while true {
            let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw LibraryFileError("The file could not be read (error \(errno)).") }
        }
    }
}

/// The first bytes of a source.
final class FirstBytes: ByteSource {
    private let source: any ByteSource
    private var rest: Int

    init(_ source: any ByteSource, _ count: Int) { (self.source, rest) = (source, count) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(LibraryFileError) -> Int {
        guard rest > 0 else { return 0 }
        let count = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(rest)))
        rest -= count
        return count
    }
}

/// The bytes of a source as UTF-8, with lookahead: a byte order mark is dropped, and UTF-16 is converted
/// (``WideEncoding``).
///
/// Holds one chunk of the source, and everything that was read since a mark.
final class TextBytes {
    private static let partSize = 65_536

    private let source: any ByteSource
    private var part: [UInt8] = []
    private var place = 0
    /// Where the mark is: the bytes of ``part`` from here on are not discarded.
    private var marked: Int?
    private var isAtEnd = false
    private var utf16: UTF16Bytes?

    init(_ source: any ByteSource) throws(LibraryFileError) {
        self.source = source
        // The source may return the beginning in pieces.
        while part.count < 4, !isAtEnd { try fill() }
        if part.starts(with: [0xEF, 0xBB, 0xBF]) {
            place = 3
        } else if case .utf16(let isBigEndian, let hasMark) = WideEncoding(head: part) {
            var converter = UTF16Bytes(isBigEndian: isBigEndian)
            part = converter.utf8(of: part.dropFirst(hasMark ? 2 : 0))
            utf16 = converter
        }
    }

    /// Returns the next bytes, at most `count`, without consuming them.
    func peek(_ count: Int) throws(LibraryFileError) -> ArraySlice<UInt8> {
        while part.count - place < count, !isAtEnd { try fill() }
        return part[place..<min(place + count, part.count)]
    }

    /// Returns the next byte without consuming it; `nil` at the end.
    func peek() throws(LibraryFileError) -> UInt8? {
        while place == part.count {
            if isAtEnd { return nil }
            try fill()
        }
        return part[place]
    }

    /// Consumes and returns the next byte; `nil` at the end.
    func next() throws(LibraryFileError) -> UInt8? {
        guard let byte = try peek() else { return nil }
        place += 1
        return byte
    }

    // MARK: The mark

    /// Retains what is read from here on, so that it can be read again.
    func mark() { marked = place }

    /// How many bytes were consumed since the mark; `nil` without one.
    var countSinceMark: Int? { marked.map { place - $0 } }

    /// Rewinds to the mark and removes it.
    func returnToMark() {
        place = marked ?? place
        marked = nil
    }

    func removeMark() { marked = nil }

    private func fill() throws(LibraryFileError) {
        let bytes = try source.bytes(Self.partSize)
        isAtEnd = bytes.isEmpty
        let start = marked ?? place
        part.removeFirst(start)
        place -= start
        if marked != nil { marked = 0 }
        part += utf16?.utf8(of: bytes[...]) ?? bytes
    }
}

/// Converts UTF-16 that arrives in chunks. Invalid code units become U+FFFD.
private struct UTF16Bytes {
    let isBigEndian: Bool
    private var rest: [UInt8] = []
    private var high: UInt16?

    init(isBigEndian: Bool) {
        self.isBigEndian = isBigEndian
    }

    mutating func utf8(of bytes: ArraySlice<UInt8>) -> [UInt8] {
        let all = rest + bytes
        var units: [UInt16] = high.map { [$0] } ?? []
        high = nil
        for index in stride(from: 0, to: all.count - 1, by: 2) {
            let (first, second) = (UInt16(all[index]), UInt16(all[index + 1]))
            units.append(isBigEndian ? first << 8 | second : second << 8 | first)
        }
        rest = all.count % 2 == 0 ? [] : [all[all.count - 1]]
        // The other half of the surrogate pair is in the next chunk.
        if let last = units.last, UTF16.isLeadSurrogate(last) { high = units.removeLast() }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
