import Foundation
import Platform
import TestSupport
import Testing

@testable import Pictures

/// The program picture-helper, which the tests start as the gateway does.
@Suite(
    "Uploaded pictures", .enabled(if: !Seccomp.isMissing, "\(Seccomp.whyNot)"),
    .timeLimit(.minutes(5)))
struct PictureHelperTests {
    private let helper = PictureHelper(path: Executable.product("picture-helper"))

    private func refusal(_ file: [UInt8]) async -> UploadRefusal? {
        do throws(UploadRefusal) {
            _ = try await helper.smallPicture(of: file)
            return nil
        } catch {
            return error
        }
    }

    @Test("Every form of JPEG, PNG and WebP becomes the same WebP")
    func everyFormat() async throws {
        let expected = try await helper.smallPicture(of: SampleScene.png().bytes)
        #expect(expected.format == .webP)
        let gray = try await helper.smallPicture(of: SampleScene.png(.gray).bytes)
        for bits in [8, 16] {
            for isInterlaced in [false, true] {
                for form in [SamplePNG.Form.rgb, .rgba, .gray, .grayAlpha] {
                    let png = SampleScene.png(form, bits: bits, isInterlaced: isInterlaced).bytes
                    let isGray = form == .gray || form == .grayAlpha
                    #expect(
                        try await helper.smallPicture(of: png) == (isGray ? gray : expected),
                        "\(form), \(bits) bits, \(isInterlaced)")
                }
            }
        }
        for name in ["progressive.jpg", "cmyk.jpg", "orientation-8.webp"] {
            #expect(try await helper.smallPicture(of: SampleScene.file(name)) == expected, "\(name)")
        }
        for name in ["gray.jpg", "lossy.webp", "transparent.webp"] {
            let picture = try await helper.smallPicture(of: SampleScene.file(name))
            let header = try #require(PictureHeader(of: .webP, in: picture.bytes))
            #expect(header.width == SampleScene.width && header.height == SampleScene.height, "\(name)")
        }
    }

    @Test("Of an animated PNG, the picture is shown that programs without animations show")
    func animatedPNG() async throws {
        var png = SampleScene.png()
        let (wide, high) = ([0, 0, 0, UInt8(SampleScene.width)], [0, 0, 0, UInt8(SampleScene.height)])
        func frame(_ number: UInt8) -> [UInt8] {
            [0, 0, 0, number] + wide + high + [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 10, 0, 0]
        }
        png.chunks.insert(contentsOf: [("acTL", [0, 0, 0, 2, 0, 0, 0, 0]), ("fcTL", frame(0))], at: 0)
        let second = [("fcTL", frame(1)), ("fdAT", [0, 0, 0, 2] + png.chunks[2].content)]
        png.chunks.insert(contentsOf: second, at: 3)
        let still = try await helper.smallPicture(of: SampleScene.png().bytes)
        #expect(try await helper.smallPicture(of: png.bytes) == still)
    }

    @Test("A picture is upright, whatever its orientation, and has no metadata")
    func uprightPicture() async throws {
        let (png, jpeg) = (
            try await helper.smallPicture(of: SampleScene.png().bytes),
            try await helper.smallPicture(of: SampleScene.file("orientation-1.jpg"))
        )
        for orientation in 1...8 {
            let stored = SampleScene.png(orientation: orientation).bytes
            #expect(try await helper.smallPicture(of: stored) == png, "PNG, \(orientation)")
            let photo = try SampleScene.file("orientation-\(orientation).jpg")
            #expect(String(decoding: photo, as: UTF8.self).contains("taken at home"))
            #expect(try await helper.smallPicture(of: photo) == jpeg, "JPEG, \(orientation)")
        }
        // The simple form of the format, which has a picture and no other chunk (RFC 9649, section 2.5).
        for bytes in [png.bytes, jpeg.bytes] {
            let size = bytes[16..<20].reversed().reduce(0) { $0 << 8 | Int($1) }
            #expect(bytes[12..<16].elementsEqual("VP8 ".utf8) && bytes.count == 20 + size + size % 2)
        }
    }

    @Test("A picture fits into the largest size, keeps its shape, and is not enlarged")
    func fittingSizes() async throws {
        for (width, height, wanted) in [
            (900, 700, (200, 156)), (700, 900, (156, 200)), (400, 3, (200, 2)), (1, 900, (1, 200)),
            (200, 200, (200, 200)), (201, 201, (200, 200)), (1, 1, (1, 1)), (17, 5, (17, 5)),
        ] {
            let picture = try await helper.smallPicture(of: SamplePNG.gradient(width: width, height: height).bytes)
            let header = try #require(PictureHeader(of: .webP, in: picture.bytes))
            #expect((header.width, header.height) == wanted, "\(width) × \(height)")
        }
    }

    @Test("Transparency stays, and even noise in every channel has few bytes")
    func keptTransparency() async throws {
        let clear = try await helper.smallPicture(of: SampleScene.file("transparent.webp"))
        // The flag of the alpha channel (RFC 9649, section 2.7).
        #expect(String(decoding: clear.bytes[12..<16], as: UTF8.self) == "VP8X" && clear.bytes[20] & 0x10 != 0)
        var random = SeededRandom(seed: 1)
        let noise = SamplePNG(width: 200, height: 200, .rgba) { _, _ in
            (0..<4).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        #expect(try await helper.smallPicture(of: noise.bytes).bytes.count <= PictureHelper.maximumResultBytes)
    }

    @Test("Other files are refused for what they are")
    func refusedFiles() async throws {
        let texts = ["", "hello", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "%PDF-1.7", "<!doctype html>"]
        for text in texts { #expect(await refusal(Array(text.utf8)) == .notPicture, "\(text)") }
        for brand in ["heic", "mif1", "avif"] {
            let file: [UInt8] = [0, 0, 0, 24] + Array("ftyp\(brand)\0\0\0\0".utf8) + [UInt8](repeating: 0, count: 99)
            #expect(await refusal(file) == .unsupported, "\(brand)")
        }
        for name in ["still.gif", "animated.webp"] {
            #expect(await refusal(try SampleScene.file(name)) == .unsupported, "\(name)")
        }
        let large = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: PictureHelper.maximumBytes - 3)
        #expect(await refusal(large) == .damaged)
        #expect(await refusal(large + [0]) == .tooLarge)
        // The program itself has the same limit.
        let run = try await HelperProcess.run(Executable.product("picture-helper"), input: large + [0])
        #expect(run.end == .exited(6) && run.output.isEmpty)
    }

    @Test("A picture with too many pixels is refused by its header")
    func pixelFlood() async throws {
        for (width, height) in [(64_250, 64_250), (5_001, 4_000), (Int(Int32.max), Int(Int32.max)), (20_000_001, 1)] {
            let file = SamplePNG(claiming: width, height).bytes
            #expect(await refusal(file) == .tooManyPixels, "\(width) × \(height)")
        }
        // As many as are allowed, but the file does not have them.
        #expect(await refusal(SamplePNG(claiming: 5_000, 4_000).bytes) == .damaged)
        #expect(await refusal(SamplePNG(claiming: 0, 4_000).bytes) == .damaged)
    }

    @Test("A file that is cut off is damaged")
    func truncatedFiles() async throws {
        let files = [
            SampleScene.png().bytes, try SampleScene.file("progressive.jpg"), try SampleScene.file("cmyk.jpg"),
            try SampleScene.file("orientation-8.webp"), try SampleScene.file("transparent.webp"),
        ]
        for (index, file) in files.enumerated() {
            for count in [file.count / 2, file.count - 1] {
                #expect(await refusal(Array(file.prefix(count))) == .damaged, "\(index), \(count) bytes")
            }
        }
    }

    @Test(
        "Damaged files are read or refused, and never take longer or do more than they may",
        arguments: Fuzzing.seeds(1))
    func damagedFiles(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let names = [
            "orientation-6.jpg", "progressive.jpg", "cmyk.jpg", "gray.jpg", "orientation-8.webp", "lossy.webp",
            "transparent.webp", "animated.webp",
        ]
        let samples =
            try names.map(SampleScene.file) + [
                SampleScene.png(.rgba, bits: 16).bytes, SampleScene.png(isInterlaced: true).bytes,
                SampleScene.png(orientation: 5).bytes, SamplePNG.gradient(width: 300, height: 200).bytes,
            ]
        var times: [Duration] = []
        let rounds = Fuzzing.rounds(80, long: 2_000)
        for round in 0..<rounds {
            let sample = try #require(samples.randomElement(using: &random))
            var file = random.damaged(sample)
            if PictureFormat(file) == .png, Bool.random(using: &random) {
                file = SamplePNG.correctingChecksums(in: file)
            }
            let began = ContinuousClock.now
            switch await refusal(file) {
            case nil, .notPicture, .unsupported, .tooManyPixels, .damaged: break
            case .tooLarge, .beyondLimits, .busy, .unavailable: Issue.record("seed \(seed), round \(round)")
            }
            times.append(began.duration(to: .now))
        }
        // In an ordinary run, other tests use the processors.
        if rounds >= 2_000 { #expect(times.sorted()[rounds * 99 / 100] <= .milliseconds(300)) }
    }
}
