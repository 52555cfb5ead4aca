import Model
import Testing

@testable import Pictures

@Suite("Checked pictures")
struct CheckedPictureTests {
    private func refusal(_ bytes: [UInt8]) -> PictureRefusal? {
        do throws(PictureRefusal) {
            _ = try CheckedPicture(bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test("The format follows from the bytes, and the size from the header, for each format")
    func formatAndSize() throws {
        let samples: [(PictureFormat, [UInt8])] =
            [
                (.png, SamplePicture.png(width: 640, height: 480)),
                (.jpeg, SamplePicture.jpeg(width: 640, height: 480)),
                (.gif, SamplePicture.gif(width: 640, height: 480)),
            ] + SamplePicture.WebPForm.allCases.map { (.webP, SamplePicture.webP($0, width: 640, height: 480)) }
        for (format, bytes) in samples {
            #expect(try CheckedPicture(bytes).format == format)
            let header = try #require(PictureHeader(of: format, in: bytes))
            #expect(header.width == 640 && header.height == 480, "\(format)")
            for end in 0..<bytes.count {
                #expect(refusal(Array(bytes.prefix(end))) != nil, "\(format) of \(end) bytes")
            }
        }
    }

    @Test("Anything but a raster picture is refused, whatever its name and type say")
    func noRaster() {
        for text in [
            "", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "<!doctype html><script>alert(1)</script>", "GIF88a;",
            "RIFF\u{0}\u{0}\u{0}\u{0}WAVEfmt ", "%PDF-1.7", "\u{0}\u{0}\u{0}\u{1c}ftypavif",
        ] {
            #expect(refusal(Array(text.utf8)) == .notRaster, "\(text)")
        }
    }

    @Test("A picture with too many pixels or bytes, or with none, is refused")
    func refusedPictures() {
        for (width, height) in [(50_000, 50_000), (50_000, 1), (1, 6_001), (0, 10), (10, 0), (5_000, 5_000)] {
            #expect(refusal(SamplePicture.png(width: width, height: height)) == .wrongDimensions, "\(width)×\(height)")
        }
        #expect(refusal(SamplePicture.png(width: 6_000, height: 3_000)) == nil)
        let heavy = SamplePicture.png(width: 10, height: 10, filler: CheckedPicture.maximumBytes)
        #expect(refusal(heavy) == .tooLarge)
    }

    @Test("The smallest offered size that is not too small is chosen, among those that an address can request")
    func chosenSize() throws {
        func addresses(_ picture: Picture?) throws -> [String?] {
            let picture = try #require(picture)
            return PictureSize.allCases.map { picture.address(for: $0) }
        }
        let listed = Picture([
            .init(address: "a640", width: 640), .init(address: "a320", width: 320), .init(address: "a160", width: 160),
        ])
        #expect(try addresses(listed) == ["a160", "a320", "a640"])
        #expect(try addresses(Picture([.init(address: "small", width: 50)])) == ["small", "small", "small"])
        #expect(try addresses(Picture(address: "https://s1.ticketm.net/a.jpg")).last == "https://s1.ticketm.net/a.jpg")

        let apple = "https://is1-ssl.mzstatic.com/image/thumb/a"
        #expect(
            try addresses(Picture(address: apple + "/{w}x{h}{c}.{f}"))
                == [64, 300, 600].map { "\(apple)/\($0)x\($0)bb.jpg" })
        #expect(try addresses(Picture(address: apple + "/100x100bb.jpg")).first == "\(apple)/64x64bb.jpg")
        let spotify = "https://i.scdn.co/image/ab67616d"
        let rest = "2f41071676f4f50842581fb4"
        #expect(
            try addresses(Picture(address: spotify + "0000b273" + rest))
                == ["00004851", "00001e02", "0000b273"].map { spotify + $0 + rest })
        let google = "https://lh3.googleusercontent.com/a/x"
        #expect(try addresses(Picture(address: google + "=s96-c")).last == google + "=s600-c")
    }
}
