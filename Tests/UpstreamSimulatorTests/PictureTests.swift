import Foundation
import Testing

@testable import UpstreamSimulator

@Suite("The simulator's pictures")
struct PictureTests {
    /// Width and height as a JPEG's frame header gives them; `nil` for anything but a baseline JPEG.
    private func size(ofJPEG file: Data) -> [Int]? {
        let bytes = [UInt8](file)
        guard bytes.starts(with: [0xFF, 0xD8]), bytes.suffix(2) == [0xFF, 0xD9] else { return nil }
        var position = 2
        while position + 9 < bytes.count, bytes[position] == 0xFF {
            let number = { (at: Int) in Int(bytes[at]) << 8 | Int(bytes[at + 1]) }
            if bytes[position + 1] == 0xC0 { return [number(position + 7), number(position + 5)] }
            position += 2 + number(position + 2)
        }
        return nil
    }

    @Test("Every address in an answer leads to a picture of the size that the answer names")
    func sizesOfPictures() async throws {
        try await withSimulator { running in
            let events = try await running.events("keyword=Coldplay&size=1").json
            let event = try #require((events?.path("_embedded", "events") as? [[String: Any]])?.first)
            let attraction = try #require((event.path("_embedded", "attractions") as? [[String: Any]])?.first)
            let images = try [event, attraction].flatMap { try #require($0["images"] as? [[String: Any]]) }
            #expect(images.count == 22)
            for image in images {
                let url = try #require(image["url"] as? String)
                let site = "http://127.0.0.1:\(running.port)"
                #expect(url.hasPrefix("\(site)/images/dam/"))
                let answer = try await running.send("GET", String(url.dropFirst(site.count)))
                #expect(answer.status == 200 && answer.headers["content-type"] == "image/jpeg", "\(url)")
                let promised = [try #require(image["width"] as? Int), try #require(image["height"] as? Int)]
                #expect(size(ofJPEG: answer.body) == promised, "\(url)")
            }
            #expect(running.counters.arrivals == 1)
        }
    }

    @Test("An artist always has the same picture, which no other artist has")
    func picturesOfArtists() async throws {
        try await withSimulator { running in
            let catalog = running.simulator.ticketmaster.catalog
            func picture(of name: String) async throws -> Data {
                let artist = try #require(catalog.attractions.first { $0.name == name })
                let path = PictureFile(id: artist.id, size: PictureSize.scaled[3]).path
                return try await running.send("GET", path).body
            }
            let first = try await picture(of: "Coldplay")
            let (again, other) = (try await picture(of: "Coldplay"), try await picture(of: "Adele"))
            #expect(first == again && first != other)
        }
    }

    @Test("A picture that no answer names is not found")
    func unknownPictures() async throws {
        try await withSimulator { running in
            let artist = try #require(running.simulator.ticketmaster.catalog.attractions.first?.id)
            let known = PictureFile(id: artist, size: .source).path
            #expect(try await running.send("GET", known).status == 200)
            let stock = PictureFile(id: nil, size: PictureSize.scaled[0]).path
            #expect(try await running.send("GET", stock).status == 200)
            for path in [
                known + ".jpg", known.replacing("SOURCE", with: "HUGE"), known.replacing("/dam/a/", with: "/dam/b/"),
                known.replacing(artist, with: "nobody"), "/images/dam/a", "/images/_SOURCE",
            ] {
                #expect(try await running.send("GET", path).status == 404, "\(path)")
            }
        }
    }

    @Test(
        "Initials are chosen as on the pages",
        arguments: [
            ("Imagine Dragons", "ID"), ("Coldplay", "CO"), ("Björk", "BJ"), ("AC/DC", "AD"), ("The Weeknd", "TW"),
            ("The Rolling Stones", "RS"), ("Die Ärzte", "DA"), ("U2", "U2"), ("!!!", ""),
        ])
    func initialsOfArtists(name: String, letters: String) {
        #expect(String(Portrait.initials(of: name)) == letters)
    }
}

@Suite("JPEG files of squares")
struct BlockPictureTests {
    private typealias Color = BlockPicture.Color

    /// A decoder for exactly what ``BlockPicture`` writes: each square's luma, 0 to 255.
    private func lumas(_ picture: BlockPicture) throws -> [Int] {
        let file = picture.jpeg
        let header: [UInt8] = [0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0]
        let start = try #require(file.indices.first { file[$0...].starts(with: header) }) + header.count
        var bits: [Bool] = []
        var skipsZero = false
        for byte in file[start...].dropLast(2) {
            // A zero byte after 0xFF is stuffing.
            if skipsZero {
                #expect(byte == 0)
                skipsZero = false
                continue
            }
            skipsZero = byte == 0xFF
            for bit in (0..<8).reversed() { bits.append(byte & (1 << bit) != 0) }
        }
        var rest = bits[...]
        func take(_ count: Int) -> Int {
            (0..<count).reduce(0) { value, _ in value << 1 | (rest.removeFirst() ? 1 : 0) }
        }
        var (means, found) = ([0, 0, 0], [Int]())
        for _ in 0..<picture.columns * picture.rows {
            for component in 0..<3 {
                // The codes of the sizes 0, 1, 2 … are 00, 010, 011, 100, 101, 110, 1110, 11110 … (T.81, table K.3).
                var size = take(2)
                if size > 0 { size = (size << 1 | take(1)) - 1 }
                if size == 6 { while take(1) == 1 { size += 1 } }
                let value = take(size)
                means[component] += size == 0 || value >> (size - 1) == 1 ? value : value - (1 << size) + 1
                #expect(take(1) == 0)
            }
            found.append(means[0] + 128)
        }
        #expect(rest.count < 8 && rest.allSatisfy { $0 })
        return found
    }

    @Test("A file decodes to the drawn colors, for any difference between adjacent squares")
    func roundTrip() throws {
        var numbers = SeededGenerator(seed: 1, stream: "greys")
        let greys = (0..<64 * 4).map { index in
            index < 4 ? [0, 255, 0, 255][index] : numbers.number(in: 0...255)
        }
        let picture = BlockPicture(width: 64 * 8, height: 4 * 8) { column, row in
            let grey = Double(greys[row * 64 + column])
            return Color(red: grey, green: grey, blue: grey)
        }
        #expect(try lumas(picture) == greys)
    }
}
