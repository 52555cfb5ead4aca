import NIOCore
import Testing

@testable import Gateway
@testable import LibraryHTTP

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
    func contentInPieces() async throws {
        for length in [1, 2, 3, 7, 64, 1_000] {
            let bytes = Array(form.utf8)
            let parts = stride(from: 0, to: bytes.count, by: length).map { start in
                String(decoding: bytes[start..<min(start + length, bytes.count)], as: UTF8.self)
            }
            #expect(try await content(of: parts) == "one\r\n-\r\n--two", "\(length)")
        }
    }

    @Test("A form without a file, or an incomplete one, is refused")
    func incompleteForms() async throws {
        for text in ["", "--x\r\n", "--x--\r\n", String(form.dropLast(8)), "--y\r\nfilename\r\n\r\na\r\n--y--"] {
            await #expect(throws: Problem.self, "\(text)") { _ = try await content(of: [text]) }
        }
    }

    @Test("The boundary is a parameter of the type")
    func boundaryOfTheType() throws {
        #expect(try multipartBoundary(of: "multipart/form-data; boundary=x") == "x")
        #expect(try multipartBoundary(of: "Multipart/Form-Data; charset=utf-8; boundary=\"a b\"") == "a b")
        #expect(try multipartBoundary(of: "text/csv") == nil && multipartBoundary(of: nil) == nil)
        let long = String(repeating: "b", count: 70)
        #expect(try multipartBoundary(of: "multipart/form-data; boundary=\(long)") == long)
        #expect(throws: Problem.self) { try multipartBoundary(of: "multipart/form-data; boundary=\(long)b") }
    }

    /// Whether the parts are refused as too large.
    private func isTooLarge(_ parts: [String]) async -> Bool {
        do {
            _ = try await content(of: parts)
            return false
        } catch {
            return (error as? Problem)?.code == .bodyTooLarge
        }
    }

    @Test("The rest of the form is limited: bytes before and after the file, and parts")
    func limitsOfOtherParts() async throws {
        let filler = Array(repeating: String(repeating: "a", count: 4_096), count: 65)
        #expect(await isTooLarge(filler + [form]))
        #expect(await isTooLarge([form] + filler))
        #expect(
            await isTooLarge(["--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n"] + filler + ["\r\n" + form]))
        #expect(try await content(of: Array(filler.prefix(60)) + ["\r\n" + form]) == "one\r\n-\r\n--two")
        let empty = "--x\r\nA: b\r\n\r\n\r\n"
        #expect(try await content(of: Array(repeating: empty, count: 40) + [form]) == "one\r\n-\r\n--two")
        #expect(await isTooLarge(Array(repeating: empty, count: 50) + [form]))
        // All of these parts together are too many.
        #expect(await isTooLarge([String(repeating: empty, count: 50) + form]))
    }

    @Test("A head that never ends is refused, however its bytes arrive")
    func endlessHead() async throws {
        let head = "--x\r\nA: " + String(repeating: "\r", count: 20_000)
        await #expect(throws: Problem.self) { _ = try await content(of: [head]) }
        await #expect(throws: Problem.self) { _ = try await content(of: head.map(String.init)) }
    }
}
