import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Pictures

@Suite("The picture folder")
struct PictureFolderTests {
    /// A folder whose clock stands still until a test advances it.
    private final class Fixture: Sendable {
        private let files: TemporaryFolder
        private let time = Time()
        let folder: PictureFolder

        init(capacity: Int = 1 << 20, mostRefusals: Int = 100) throws {
            files = try TemporaryFolder()
            folder = PictureFolder(path: files.file("pictures"), capacity: capacity, mostRefusals: mostRefusals) {
                [time] in time.now
            }
        }

        func advance(_ seconds: Double) { time.advance(seconds) }
    }

    private final class Time: Sendable {
        private let date = Mutex(Date())

        var now: Date { date.withLock { $0 } }

        func advance(_ seconds: Double) { date.withLock { $0 += seconds } }
    }

    private func key(_ number: Int) -> PictureKey { PictureKey(address: "\(number)", acceptsWebP: false) }

    private func picture(bytes: Int = 0) throws -> CheckedPicture {
        try CheckedPicture(SamplePicture.png(width: 10, height: 10, filler: bytes))
    }

    @Test("Every process finds a picture as it was stored, and WebP is a different one")
    func storedPictures() async throws {
        let fixture = try Fixture()
        let stored = try picture()
        #expect(await fixture.folder.entry(key(1)) == .missing)
        try await fixture.folder.store(stored, as: key(1))
        let other = PictureFolder(path: fixture.folder.path, capacity: 1 << 20)
        #expect(await other.entry(key(1)) == .picture(stored))
        #expect(await other.entry(PictureKey(address: "1", acceptsWebP: true)) == .missing)
    }

    @Test("A damaged file is not served, nor is one that a crash left half written")
    func damagedFiles() async throws {
        let fixture = try Fixture()
        try await fixture.folder.store(try picture(), as: key(1))
        let file = fixture.folder.file(key(1))
        let whole = try Data(contentsOf: URL(filePath: file))
        try whole.dropLast(12).write(to: URL(filePath: file))
        #expect(await fixture.folder.entry(key(1)) == .missing)
        try whole.write(to: URL(filePath: fixture.folder.file(key(1)) + ".7.new"))
        #expect(await fixture.folder.entry(key(1)) == .missing)
        try await fixture.folder.store(try picture(), as: key(1))
        #expect(await fixture.folder.entry(key(1)) != .missing)
        fixture.advance(7_200)
        await fixture.folder.prune()
        let left = try FileManager.default.contentsOfDirectory(
            atPath: URL(filePath: file).deletingLastPathComponent().path)
        #expect(left == [URL(filePath: file).lastPathComponent])
    }

    @Test("A picture that cannot be shown is not requested again for an hour")
    func refusedPicture() async throws {
        let fixture = try Fixture()
        try await fixture.folder.refuse(key(1))
        #expect(await fixture.folder.entry(key(1)) == .refused)
        fixture.advance(3_700)
        #expect(await fixture.folder.entry(key(1)) == .missing)
        try await fixture.folder.refuse(key(1))
        try await fixture.folder.store(try picture(), as: key(1))
        #expect(await fixture.folder.entry(key(1)) != .refused)
    }

    @Test("A picture whose server failed is requested again after a minute")
    func failedServer() async throws {
        let fixture = try Fixture()
        try await fixture.folder.refuse(key(1), for: PictureFolder.failureLifetime)
        fixture.advance(50)
        #expect(await fixture.folder.entry(key(1)) == .refused)
        fixture.advance(20)
        #expect(await fixture.folder.entry(key(1)) == .missing)
    }

    @Test("Whether there is a picture is known without reading it, and a refusal is none")
    func presence() async throws {
        let fixture = try Fixture()
        try await fixture.folder.store(try picture(), as: key(1))
        try await fixture.folder.refuse(key(2))
        #expect(await fixture.folder.hasPicture(key(1)))
        for number in 2...3 { #expect(await !fixture.folder.hasPicture(key(number)), "\(number)") }
        // Whoever asks that keeps no file from being removed.
        fixture.advance(7_200)
        try await fixture.folder.store(try picture(bytes: 18_000), as: key(4))
        #expect(await fixture.folder.hasPicture(key(1)))
    }

    @Test("The folder stays within its capacity, and the least recently used files go first")
    func capacityOfTheFolder() async throws {
        let fixture = try Fixture(capacity: 100_000)
        for number in 1...5 {
            try await fixture.folder.store(try picture(bytes: 18_000), as: key(number))
            fixture.advance(7_200)
        }
        // The oldest file is used again.
        _ = await fixture.folder.entry(key(1))
        fixture.advance(7_200)
        try await fixture.folder.store(try picture(bytes: 18_000), as: key(6))
        var kept: [Int] = []
        for number in 1...6 where await fixture.folder.entry(key(number)) != .missing { kept.append(number) }
        #expect(kept == [1, 4, 5, 6])
        fixture.advance(31 * 86_400)
        await fixture.folder.prune()
        for number in 1...6 { #expect(await fixture.folder.entry(key(number)) == .missing) }
    }

    @Test("Refusals take up one block each, the oldest are removed first, and they displace no pictures")
    func manyRefusals() async throws {
        let fixture = try Fixture(capacity: 200_000, mostRefusals: 20)
        try await fixture.folder.store(try picture(bytes: 18_000), as: key(0))
        fixture.advance(7_200)
        for number in 1...60 {
            try await fixture.folder.refuse(key(number))
            fixture.advance(2)
        }
        var kept: [Int] = []
        for number in 1...60 where await fixture.folder.entry(key(number)) == .refused { kept.append(number) }
        #expect((15...20).contains(kept.count) && kept == Array(61 - kept.count...60))
        #expect(await fixture.folder.entry(key(0)) != .missing)
        // Another process counts what is there; refusals alone can also fill the folder.
        let small = PictureFolder(path: fixture.folder.path, capacity: 40_000)
        await small.prune()
        let left = try FileManager.default.subpathsOfDirectory(atPath: fixture.folder.path).count {
            $0.hasSuffix(".refused")
        }
        #expect(left <= 10)
    }
}
