import Foundation
import Gateway
import NIOCore

/// The content of the first file of a form (multipart/form-data, RFC 7578), as its bytes arrive.
///
/// It keeps at most one chunk of the body as it arrived, and ``MultipartLimits/beside`` bytes more. The time grows with
/// the length of the body.
struct MultipartFile<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable where Base.Element == ByteBuffer {
    typealias Element = ByteBuffer

    let base: Base
    let boundary: String

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), boundary: boundary) }

    struct Iterator: AsyncIteratorProtocol {
        private enum State {
            /// Before the delimiter of the next part: what precedes the first one, or the value of another field.
            case delimiter
            case head, content, end
        }

        private var base: Base.AsyncIterator
        private let delimiter: [UInt8]
        /// The bytes that have arrived and were not read yet. Reading only moves ``start``.
        private var buffer: [UInt8]
        private var start = 0
        /// The index up to which the wanted bytes were not found.
        private var searched = 0
        private var state = State.delimiter
        private var isAtEnd = false
        private var parts = 0
        /// The number of bytes that have arrived and are not part of the file.
        private var beside = 0

        init(base: Base.AsyncIterator, boundary: String) {
            self.base = base
            delimiter = Array("\r\n--\(boundary)".utf8)
            // The first delimiter may be at the very beginning.
            buffer = Array("\r\n".utf8)
        }

        /// - Throws: ``Problem`` for a body that is not such a form; the errors of the body.
        mutating func next() async throws -> ByteBuffer? {
            while true {
                switch state {
                case .delimiter:
                    if let found = index(of: delimiter) {
                        try skip(to: found + delimiter.count)
                        (state, parts) = (.head, parts + 1)
                        guard parts <= MultipartLimits.parts else { throw Problem.formTooLarge }
                        continue
                    }
                    // A delimiter may begin at the end of what has arrived.
                    try skip(to: Swift.max(start, buffer.count - delimiter.count + 1))
                    guard try await fill() else { throw Problem.formWithoutFile }
                case .head:
                    if let end = index(of: Self.headEnd) {
                        let isFile = String(decoding: buffer[start..<end], as: UTF8.self).contains("filename")
                        // The CR LF before the next delimiter belongs to it: a part can be empty.
                        try skip(to: isFile ? end + 4 : end + 2)
                        state = isFile ? .content : .delimiter
                        continue
                    }
                    guard buffer.count - start < MultipartLimits.head, try await fill() else {
                        throw Problem.formWithoutFile
                    }
                case .content:
                    if let end = index(of: delimiter) {
                        state = .end
                        defer { start = end }
                        if end > start { return ByteBuffer(bytes: buffer[start..<end]) }
                        continue
                    }
                    let safe = buffer.count - delimiter.count
                    if safe > start {
                        defer { start = safe }
                        return ByteBuffer(bytes: buffer[start..<safe])
                    }
                    guard try await fill() else { throw Problem.formWithoutFile }
                case .end:
                    // The rest is read, so that the connection can receive the next request.
                    try skip(to: buffer.count)
                    guard try await fill() else { return nil }
                }
            }
        }

        private static var headEnd: [UInt8] { Array("\r\n\r\n".utf8) }

        /// The index at which a sequence of bytes begins in the bytes that were not read yet.
        private mutating func index(of wanted: [UInt8]) -> Int? {
            let begin = Swift.max(start, searched - wanted.count + 1)
            let found = buffer.withUnsafeBufferPointer { bytes in
                guard let first = wanted.first else { return nil as Int? }
                var begin = begin
                while let index = bytes[begin...].firstIndex(of: first), index + wanted.count <= bytes.count {
                    if bytes[index..<index + wanted.count].elementsEqual(wanted) { return index }
                    begin = index + 1
                }
                return nil
            }
            // The next search is for other bytes.
            searched = found == nil ? buffer.count : 0
            return found
        }

        /// Reads bytes that are not part of the file.
        private mutating func skip(to index: Int) throws {
            beside += index - start
            start = index
            guard beside <= MultipartLimits.beside else { throw Problem.formTooLarge }
        }

        private mutating func fill() async throws -> Bool {
            guard !isAtEnd, let part = try await base.next() else {
                isAtEnd = true
                return false
            }
            buffer.removeSubrange(..<start)
            (start, searched) = (0, Swift.max(0, searched - start))
            buffer += part.readableBytesView
            return true
        }
    }
}

/// Limits of what a form may have besides its file.
enum MultipartLimits {
    /// The longest boundary (RFC 2046, section 5.1.1).
    static let boundary = 70
    /// The most parts up to the file, and the most bytes of the head of one.
    static let parts = 50
    static let head = 16_384
    /// The most bytes before the file and after it.
    static let beside = 262_144
}

/// The boundary of a form.
///
/// - Returns: `nil` for another type of content.
/// - Throws: ``Problem`` for a form without a boundary, or with one that is longer than allowed.
func multipartBoundary(of contentType: String?) throws -> String? {
    guard let contentType, contentType.lowercased().hasPrefix("multipart/form-data") else { return nil }
    for part in contentType.split(separator: ";").dropFirst() {
        let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: [" ", "\""]) }
        guard pair.count == 2, pair[0].lowercased() == "boundary", !pair[1].isEmpty else { continue }
        guard pair[1].utf8.count <= MultipartLimits.boundary else { throw Problem.formTooLarge }
        return pair[1]
    }
    throw Problem.formWithoutBoundary
}

extension Problem {
    static let formWithoutFile = Problem.invalidRequest(
        code: .fileMissing, "The form has no file, or is incomplete. Send the file as the body of the request.")

    static let formWithoutBoundary = Problem.invalidRequest(
        code: .fileMissing,
        "The form's Content-Type has no boundary. Add it, or send the file as the body of the request.")

    static let formTooLarge = Problem(
        .contentTooLarge, code: .bodyTooLarge, title: "The form is too large",
        detail: "A form may have at most \(MultipartLimits.parts) parts, a boundary of at most "
            + "\(MultipartLimits.boundary) bytes, and \(MultipartLimits.beside >> 10) KiB besides its file. Send the "
            + "file as the body of the request.")
}
