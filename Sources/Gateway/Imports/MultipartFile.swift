import Foundation
import NIOCore

/// The content of the first file of a form (multipart/form-data, RFC 7578), as its bytes arrive.
struct MultipartFile<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable where Base.Element == ByteBuffer {
    typealias Element = ByteBuffer

    let base: Base
    let boundary: String

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), boundary: boundary) }

    struct Iterator: AsyncIteratorProtocol {
        private enum Place {
            case head, content, end
        }

        /// The head of a part is short.
        private static var longestHead: Int { 16_384 }

        private var base: Base.AsyncIterator
        private let delimiter: [UInt8]
        private var buffer: [UInt8] = []
        private var place = Place.head
        private var isAtEnd = false

        init(base: Base.AsyncIterator, boundary: String) {
            self.base = base
            delimiter = Array("\r\n--\(boundary)".utf8)
            // The first delimiter may stand at the very beginning.
            buffer = [0x0D, 0x0A]
        }

        /// - Throws: ``Problem`` for a body that is no such form; the errors of the body.
        mutating func next() async throws -> ByteBuffer? {
            while true {
                switch place {
                case .head:
                    if skipHead() {
                        place = .content
                        continue
                    }
                    guard buffer.count < Self.longestHead, try await fill() else { throw Problem.formWithoutFile }
                case .content:
                    if let end = buffer.firstIndex(of: delimiter) {
                        place = .end
                        let content = buffer[..<end]
                        if !content.isEmpty { return ByteBuffer(bytes: content) }
                        continue
                    }
                    // The delimiter may begin at the end of what has arrived.
                    let safe = buffer.count - delimiter.count
                    if safe > 0 {
                        defer { buffer.removeFirst(safe) }
                        return ByteBuffer(bytes: buffer[..<safe])
                    }
                    guard try await fill() else { throw Problem.formWithoutFile }
                case .end:
                    // What follows is read, so that the connection can take the next request.
                    while try await fill() { buffer.removeAll() }
                    return nil
                }
            }
        }

        /// Goes behind the head of the first part that is a file.
        private mutating func skipHead() -> Bool {
            while let start = buffer.firstIndex(of: delimiter) {
                let rest = Array(buffer[(start + delimiter.count)...])
                guard let end = rest.firstIndex(of: Array("\r\n\r\n".utf8)) else { return false }
                let head = String(decoding: rest[..<end], as: UTF8.self)
                // The CR LF before the next delimiter belongs to it.
                buffer = Array(rest[(end + 4)...])
                if head.contains("filename") { return true }
                buffer = [0x0D, 0x0A] + buffer
            }
            return false
        }

        private mutating func fill() async throws -> Bool {
            guard !isAtEnd, let part = try await base.next() else {
                isAtEnd = true
                return false
            }
            buffer += part.readableBytesView
            return true
        }
    }
}

/// The boundary of a form.
///
/// - Returns: `nil` for another type of content.
func multipartBoundary(of contentType: String?) -> String? {
    guard let contentType, contentType.lowercased().hasPrefix("multipart/form-data") else { return nil }
    for part in contentType.split(separator: ";").dropFirst() {
        let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: [" ", "\""]) }
        if pair.count == 2, pair[0].lowercased() == "boundary", !pair[1].isEmpty { return pair[1] }
    }
    return nil
}

extension Problem {
    static let formWithoutFile = Problem.invalidRequest(
        code: .fileMissing, "The form has no file, or breaks off. Send the file as the body of the request.")
}

extension [UInt8] {
    /// Where a sequence of bytes begins.
    fileprivate func firstIndex(of wanted: [UInt8]) -> Int? {
        guard let first = wanted.first, count >= wanted.count else { return nil }
        var start = 0
        while let index = self[start...].firstIndex(of: first), index + wanted.count <= count {
            if self[index..<index + wanted.count].elementsEqual(wanted) { return index }
            start = index + 1
        }
        return nil
    }
}
