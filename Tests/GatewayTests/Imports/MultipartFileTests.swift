import NIOCore
import Testing

@testable import Gateway

@Suite("Files in forms")
struct MultipartFileTests {
    private struct Parts: AsyncSequence, Sendable {
        typealias Element = ByteBuffer

        var parts: [String]

        func makeAsyncIterator() -> Iterator { Iterator(rest: parts[...]) }

        struct Iterator: AsyncIteratorProtocol {
            var rest: ArraySlice<String>

            mutating func next() async throws -> ByteBuffer? { rest.popFirst().map { ByteBuffer(string: $0) } }
        }
    }

    private func content(of parts: [String]) async throws -> String {
        var text = ""
        for try await part in MultipartFile(base: Parts(parts: parts), boundary: "x") { text += String(buffer: part) }
        return text
    }

    private let form =
        "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nfield\r\n--x\r\nContent-Disposition: "
        + "form-data; name=\"file\"; filename=\"f\"\r\nContent-Type: text/plain\r\n\r\none\r\n-\r\n--two\r\n--x--\r\n"

    @Test("The first file's content is read, wherever the parts of the body end")
    func content() async throws {
        for length in [1, 2, 3, 7, 64, 1_000] {
            let bytes = Array(form.utf8)
            let parts = stride(from: 0, to: bytes.count, by: length).map { start in
                String(decoding: bytes[start..<min(start + length, bytes.count)], as: UTF8.self)
            }
            #expect(try await content(of: parts) == "one\r\n-\r\n--two", "\(length)")
        }
    }

    @Test("A form without a file, or one that breaks off, is refused")
    func refusals() async throws {
        for text in ["", "--x\r\n", "--x--\r\n", String(form.dropLast(8)), "--y\r\nfilename\r\n\r\na\r\n--y--"] {
            await #expect(throws: Problem.self, "\(text)") { _ = try await content(of: [text]) }
        }
    }

    @Test("The boundary is a parameter of the type")
    func boundary() {
        #expect(multipartBoundary(of: "multipart/form-data; boundary=x") == "x")
        #expect(multipartBoundary(of: "Multipart/Form-Data; charset=utf-8; boundary=\"a b\"") == "a b")
        #expect(multipartBoundary(of: "text/csv") == nil && multipartBoundary(of: nil) == nil)
    }
}
