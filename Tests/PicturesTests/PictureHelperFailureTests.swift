import Foundation
import Platform
import TestSupport
import Testing

@testable import Pictures

/// What becomes of an upload where the program is missing, fails, or has been taken over.
@Suite("A picture-helper that fails", .timeLimit(.minutes(2)))
struct PictureHelperFailureTests {
    private func refusal(
        by path: String, of file: [UInt8] = Array("hello".utf8), lifetime: Duration = .seconds(20)
    ) async -> UploadRefusal? {
        let helper = PictureHelper(path: path, lifetime: lifetime)
        do throws(UploadRefusal) {
            _ = try await helper.smallPicture(of: file)
            return nil
        } catch {
            return error
        }
    }

    @Test("Without the program, uploads are unavailable, and the reason names it")
    func missingProgram() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("picture-helper")
        let reason = "\(path): No such file or directory"
        #expect(await refusal(by: path) == .unavailable(reason: reason))
        #expect(await refusal(by: folder.path) == .unavailable(reason: "\(folder.path): Permission denied"))
        #expect(await refusal(by: "/bin/false") == .unavailable(reason: "picture-helper ended with status 1"))
    }

    /// `cat` returns the file as it is.
    @Test("What the program returns is checked: only a small WebP is stored")
    func checkedOutput() async throws {
        let small = SamplePicture.webP(.simple, width: 200, height: 200)
        #expect(await refusal(by: "/bin/cat", of: small) == nil)
        let others = [
            Array("<!doctype html><script>alert(1)</script>".utf8), [], SamplePicture.png(width: 20, height: 20),
            SamplePicture.gif(width: 20, height: 20), SamplePicture.jpeg(width: 20, height: 20),
            SamplePicture.webP(.simple, width: 201, height: 20), SamplePicture.webP(.extended, width: 20, height: 201),
            Array(small.dropLast()), small + [UInt8](repeating: 0, count: PictureHelper.maximumResultBytes),
        ]
        for (index, file) in others.enumerated() {
            #expect(await refusal(by: "/bin/cat", of: file) == .beyondLimits, "\(index)")
        }
    }

    @Test("A program that does not end is ended")
    func endlessProgram() async throws {
        let yes = try #require(Executable.tool("yes"))
        #expect(await refusal(by: yes) == .beyondLimits)
    }

    @Test("Each exit status has its meaning")
    func exitStatuses() {
        let known: [UploadRefusal] = [.notPicture, .unsupported, .tooManyPixels, .damaged, .tooLarge]
        #expect((2...6).map { UploadRefusal(status: $0) } == known)
        #expect(UploadRefusal(status: 8) == .beyondLimits)
        for status in [1, 7, 64, 127] as [Int32] {
            guard case .unavailable = UploadRefusal(status: status) else {
                Issue.record("\(status)")
                continue
            }
        }
    }

    @Test("Two may pass at once; a third waits until one leaves, or gives up")
    func timedSlots() async throws {
        let slots = TimedSlots(count: 2)
        #expect(await slots.take(within: .zero))
        #expect(await slots.take(within: .zero))
        #expect(await !slots.take(within: .milliseconds(1)))
        let passed = Collector<Int>()
        let waiting = (1...2).map { number in
            Task {
                if await slots.take(within: .seconds(60)) { passed.append(number) }
            }
        }
        slots.release()
        await passed.wait(for: 1)
        slots.release()
        for task in waiting { await task.value }
        #expect(Set(passed.elements) == [1, 2])
        #expect(await !slots.take(within: .milliseconds(1)))
        slots.release()
        #expect(await slots.take(within: .zero))
    }
}
