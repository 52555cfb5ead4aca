import Model
import Storage
import TestSupport
import Testing

@testable import Shares

@Suite("What shares show of songs")
struct ShareContentTests {
    private static let id = "4uLU6hMCjMI75M1A2tKUQC"

    @Test("Equal contents are stored once, and go with their last share")
    func sharing() async throws {
        try await SampleShares.run(people: 3) { shares in
            let one = try await shares.made(1, by: 0)
            let other = try await shares.made(1, by: 1)
            let third = try await shares.made(1, by: 2, showing: try SampleShares.song("Poor Leno"))
            #expect(try await shares.count("share_contents") == 2)
            try await shares.takeBack(one, by: 0)
            #expect(try await shares.share(other, seenBy: 0)?.song == SampleShares.song())
            try await shares.takeBack(other, by: 1)
            #expect(try await shares.count("share_contents") == 1)
            #expect(try await shares.share(third, seenBy: 0)?.song.title == "Poor Leno")
        }
    }

    @Test("Nobody changes what another share shows by naming the same ISRC or id with other words")
    func foreignWords() async throws {
        try await SampleShares.run(people: 2) { shares in
            let honest = try #require(
                ShareSong(title: "Eple", artists: ["Röyksopp"], isrc: "NOBHR0100010", spotifyID: Self.id))
            let other = try #require(
                ShareSong(title: "Buy my tape", artists: ["Mallory"], isrc: "NOBHR0100010", spotifyID: Self.id))
            let first = try await shares.made(1, by: 0, showing: honest)
            _ = try await shares.made(1, by: 1, showing: other)
            #expect(try await shares.share(first, seenBy: 1)?.song == honest)
            #expect(try await shares.count("share_contents") == 2)
        }
    }

    @Test("A content is read as it was written, with all of its parts")
    func roundTrip() async throws {
        try await SampleShares.run(people: 1) { shares in
            let song = try #require(
                ShareSong(
                    title: "Eple", artists: ["Röyksopp", "Anneli Drecker"], album: "Melody A.M.", durationMs: 216_000,
                    isrc: "nobhr0100010", isExplicit: false,
                    picture: Picture([
                        .init(address: "https://i.scdn.co/image/ab", width: 640),
                        .init(address: "https://i.scdn.co/image/cd"),
                    ]),
                    preview: "https://p.scdn.co/mp3-preview/1", spotifyID: Self.id,
                    apple: ShareSong.AppleID("1440851428", country: "NO")))
            #expect(song.isrc == "NOBHR0100010" && song.apple?.country == "no")
            let id = try await shares.made(1, by: 0, showing: song)
            #expect(try await shares.share(id, seenBy: 0)?.song == song)
            // Every part counts for the hash.
            let hashes = [
                song.hash, try SampleShares.song().hash, try SampleShares.song(spotifyID: Self.id).hash,
                try SampleShares.song("Eple ").hash,
            ]
            #expect(Set(hashes).count == 3, "a space at the end is not another title")
        }
    }

    @Test("Texts lose what nobody sees, and a song without a title or an artist is none")
    func texts() throws {
        let song = try #require(
            ShareSong(title: "Ep\u{202E}le\n\u{7}", artists: ["", "Röyk\u{200B}sopp"], album: "\u{2066}"))
        #expect(song.title == "Eple" && song.artists == ["Röyksopp"] && song.album == nil)
        #expect(ShareSong(title: "\u{202E}", artists: ["Röyksopp"]) == nil)
        #expect(ShareSong(title: "Eple", artists: [" "]) == nil)
        #expect(try #require(ShareSong(title: "Eple", artists: ["a"], durationMs: .min)).durationMs == nil)
        #expect(try #require(ShareSong(title: "Eple", artists: ["a"], spotifyID: "not an id")).spotifyID == nil)
        #expect(try #require(ShareSong(title: "Eple", artists: ["a"], preview: "javascript:1")).preview == nil)
        #expect(ShareSong.AppleID("12a", country: "no") == nil && ShareSong.AppleID("12", country: "nor") == nil)
        let draft = ShareDraft(
            clientID: SampleShares.clientID(1), song: .share(ShareID(number: 1, milliseconds: 1)),
            message: " Two\r\nlines\u{202E} and\u{0}\u{1B} \u{2069} ")
        #expect(draft.message == "Two\nlines and")
        #expect(SampleShares.draft(1, message: " \n ").message == nil)
    }

    @Test("What a catalog has for a song counts for contents with the same id at a service, and for no others")
    func sharedMatches() async throws {
        try await SampleShares.run(people: 3) { shares in
            var contents: [Int64] = []
            for (person, song) in [
                try SampleShares.song(spotifyID: Self.id), try SampleShares.song("Eple (Edit)", spotifyID: Self.id),
                try SampleShares.song("Poor Leno"),
            ].enumerated() {
                let id = try await shares.made(1, by: person, showing: song)
                contents.append(try #require(try await shares.share(id, seenBy: person)?.content))
            }
            #expect(Set(contents).count == 3)
            try await shares.database.write { [contents] in
                try $0.shares.store(
                    ShareMatch(item: "1440851428"), of: contents[0], at: .appleMusic, country: "no",
                    now: SampleShares.noon)
            }
            let found = try await shares.database.read { [contents] reader in
                try contents.map {
                    try reader.shares.match($0, at: .appleMusic, country: "no", now: SampleShares.noon)?.item
                }
            }
            #expect(found == ["1440851428", "1440851428", nil])
        }
    }

    @Test("What a catalog has for a song goes with the song, and is asked again after a month without a hit")
    func matches() async throws {
        try await SampleShares.run(people: 1) { shares in
            let id = try await shares.made(1, by: 0)
            let content = try #require(try await shares.share(id, seenBy: 0)?.content)
            func match(_ country: String, at now: Timestamp = SampleShares.noon) async throws -> ShareMatch? {
                try await shares.database.read {
                    try $0.shares.match(content, at: .appleMusic, country: country, now: now)
                }
            }
            #expect(try await match("no") == nil)
            try await shares.database.write { transaction in
                for (country, item) in [("no", "1440851428"), ("cz", nil)] as [(String, String?)] {
                    try transaction.shares.store(
                        ShareMatch(item: item), of: content, at: .appleMusic, country: country, now: SampleShares.noon)
                }
                // A song that is no longer shared.
                try transaction.shares.store(
                    ShareMatch(item: "1"), of: content + 1, at: .appleMusic, country: "no", now: SampleShares.noon)
            }
            #expect(try await match("no") == ShareMatch(item: "1440851428"))
            #expect(try await match("cz") == ShareMatch(item: nil))
            let later = SampleShares.noon.advanced(by: .seconds(31 * 86_400))
            #expect(try await match("no", at: later) != nil)
            #expect(try await match("cz", at: later) == nil)
            #expect(try await shares.count("share_matches") == 2)
            try await shares.takeBack(id, by: 0)
            #expect(try await shares.count("share_matches") == 0)
        }
    }
}
