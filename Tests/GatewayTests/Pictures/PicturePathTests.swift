import Foundation
import Logging
import Model
import Pictures
import Settings
import TestSupport
import Testing

@testable import Gateway

extension PicturePaths {
    /// Paths with the default hosts and their own key.
    static let sample = PicturePaths(
        hosts: SettingsSections.defaults[PictureSettings.self].hosts(baseURLs: [:]), key: PicturePathKey())
}

@Suite("Paths of pictures")
struct PicturePathTests {
    private func segment(_ path: String) -> Substring { path.dropFirst(PicturePaths.prefix.count) }

    @Test("A path gives its picture back, with all sizes")
    func roundTrip() throws {
        let sizes = Picture([
            .init(address: "https://i.scdn.co/image/ab67616d0000b273", width: 640),
            .init(address: "https://i.scdn.co/image/ab67616d00004851", width: 64),
        ])
        let template = Picture(address: "https://is1-ssl.mzstatic.com/image/thumb/a/{w}x{h}bb.jpg")
        for picture in [sizes, template] {
            let path = try #require(PicturePaths.sample.path(of: picture))
            #expect(path.wholeMatch(of: /\/v1\/pictures\/[\w-]+\.[\w-]{22}/) != nil, "\(path)")
            #expect(PicturePaths.sample.path(of: picture) == path)
            #expect(PicturePaths.sample.picture(of: segment(path)) == picture)
        }
    }

    @Test("Only pictures at known hosts have a path")
    func knownHosts() throws {
        let none: Picture? = nil
        #expect(PicturePaths.sample.path(of: none) == nil)
        for address in [
            "", "http://i.scdn.co/image/a", "https://example.org/a.png", "https://scdn.co/a", "https://i.scdn.co",
            "https://i.scdn.co.example.org/a", "https://example.org/https://i.scdn.co/a", "https://i.scdn.co:8443/a",
            "https://i.scdn.co@example.org/a", "https://ada@i.scdn.co/a", "https://i.scdn.co\\@example.org/a",
            "https://127.0.0.1/a", "http://127.0.0.1:8700/a", "https://i.scdn.co/a b", "https://i.scdn.co/ä",
            "//i.scdn.co/a", "ftp://i.scdn.co/a", "https://i.scdn.co?/a", "https://i.scdn.co#/a",
            "https://lh3.googleusercontent.com.evil.example/a", "https://bc.googleusercontent.com/a",
        ] {
            #expect(PicturePaths.sample.path(of: address) == nil, "\(address)")
        }
        for address in [
            "https://i.scdn.co/image/a", "https://I.SCDN.CO:443/image/a", "HTTPS://a.b.mzstatic.com/{w}x{h}.jpg?q=1",
            "https://lh3.googleusercontent.com/a/b=s96-c", "https://s1.ticketm.net/dam/a/b.jpg",
        ] {
            #expect(PicturePaths.sample.path(of: address) != nil, "\(address)")
        }
        let mixed = try #require(
            Picture([
                .init(address: "https://example.org/a", width: 1), .init(address: "https://i.scdn.co/b", width: 2),
            ])
        )
        let path = try #require(PicturePaths.sample.path(of: mixed))
        #expect(PicturePaths.sample.picture(of: segment(path))?.offers.map(\.width) == [2])
    }

    @Test("A stand-in for a provider serves pictures at its own address only")
    func standIns() {
        let hosts = MediaHosts([.spotify: ["i.scdn.co"]], baseURLs: [.spotify: "http://127.0.0.1:8700/spotify/v1"])
        #expect(hosts.provider(of: "http://127.0.0.1:8700/images/a.jpg") == .spotify)
        #expect(hosts.provider(of: "http://127.0.0.1:8701/images/a.jpg") == nil)
        #expect(hosts.provider(of: "http://localhost:8700/images/a.jpg") == nil)
        #expect(hosts.provider(of: "https://127.0.0.1:8700/images/a.jpg") == nil)
        let real = MediaHosts([:], baseURLs: [.spotify: "https://api.spotify.com/v1"])
        #expect(real.provider(of: "https://api.spotify.com/a.jpg") == nil)
    }

    @Test("A path that this installation has not signed does not stand for a picture")
    func signedPaths() throws {
        let path = try #require(PicturePaths.sample.path(of: "https://i.scdn.co/image/ab67616d0000b273"))
        let valid = Array(segment(path).utf8)
        for index in valid.indices {
            var bytes = valid
            bytes[index] = bytes[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(PicturePaths.sample.picture(of: String(decoding: bytes, as: UTF8.self)) == nil, "\(index)")
        }
        for text in ["", ".", "a.b.c", String(segment(path).dropLast()), segment(path) + "=", segment(path) + "A"] {
            #expect(PicturePaths.sample.picture(of: text) == nil, "\(text)")
        }
        let other = PicturePaths(hosts: PicturePaths.sample.hosts, key: PicturePathKey())
        #expect(other.picture(of: segment(path)) == nil)
    }

    @Test("The key's file is made once, private, and replaced when others can read it or it is damaged")
    func keyFile() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("pictures.key")
        let logger = Logger.silent
        func load() -> PicturePathKey { PicturePathKey.load(path: path, logger: logger) }
        let first = load()
        #expect(try FileMode.of(path) == 0o600)
        #expect(load().key == first.key)
        try FileMode.set(0o644, of: path)
        let second = load()
        #expect(second.key != first.key)
        #expect(try FileMode.of(path) == 0o600 && load().key == second.key)
        try "nothing".write(toFile: path, atomically: false, encoding: .utf8)
        let third = load()
        #expect(third.key != second.key && load().key == third.key)
        // The folder does not exist: the gateway runs with a new key.
        _ = PicturePathKey.load(path: folder.file("missing/pictures.key"), logger: logger)
    }
}
