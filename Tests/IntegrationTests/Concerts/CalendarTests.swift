import Foundation
import TestProcesses
import Testing

@Suite("Calendar files, past searches and pictures", .timeLimit(.minutes(20)))
struct CalendarTests {
    private func lines(_ response: APIResponse) -> [String] {
        String(decoding: response.body, as: UTF8.self).replacing("\r\n ", with: "").components(separatedBy: "\r\n")
    }

    /// The moment of a date and time of ISO 8601, in either form, read as UTC.
    private func moment(_ text: String) throws -> Date {
        let compact = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
        return try Date(text.filter { $0 != "-" && $0 != ":" } + "Z", strategy: compact)
    }

    @Test("A search's calendar has all dated shows, or only the requested one")
    func calendarOfASearch() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser("ada")
            let bob = try await concerts.addUser("bob")
            let id = try #require(try await ada.search(["Coldplay", "The Uncertainty Principle"]).id)
            let shows = try await ada.shows(ofSearch: id)
            let dated = shows.filter { !$0.dateTBA && $0.localDate != nil }
            #expect(dated.count < shows.count)

            let all = try await ada.get("/v1/concert-searches/\(id).ics")
            #expect(all.status == 200 && all.header("Content-Type") == "text/calendar; charset=utf-8")
            #expect(all.header("Content-Disposition") == #"attachment; filename="concerts.ics""#)
            let uids = lines(all).filter { $0.hasPrefix("UID:") }
            #expect(Set(uids) == Set(dated.map { "UID:ticketmaster-\($0.id)@backline" }) && uids.count == dated.count)
            #expect(lines(all).contains("X-BACKLINE-SHOWS-WITHOUT-DATE:\(shows.count - dated.count)"))

            let show = try #require(dated.first { $0.localTime != nil && !$0.timeTBA })
            let path = "/v1/concert-searches/\(id).ics?item="
            let one = try await ada.get(path + APIClient.escaped(show.id))
            let local = try moment("\(show.localDate ?? "")T\(show.localTime ?? "")")
            let start = try #require(lines(one).first { $0.hasPrefix("DTSTART") })
            #expect(start.hasPrefix("DTSTART:") && start.hasSuffix("Z"), "the zone of the venue is known")
            let offset = try moment(String(start.dropFirst("DTSTART:".count).dropLast())).timeIntervalSince(local)
            #expect(abs(offset) <= 14 * 3_600 && offset.remainder(dividingBy: 900) == 0)
            #expect(one.header("Content-Disposition")?.contains("concert-\(show.localDate ?? "").ics") == true)

            let later = try #require(shows.first { $0.dateTBA })
            let noDate = try await ada.get(path + APIClient.escaped(later.id))
            #expect(try noDate.status == 409 && noDate.problem.code == "noDates")
            // A cancelled show is in the whole file only on demand, but can be asked for by its id.
            let everything = try await ada.shows(ofSearch: id, query: "&include=cancelled")
            let cancelled = try #require(everything.first { $0.status == "cancelled" })
            #expect(!uids.contains("UID:ticketmaster-\(cancelled.id)@backline"))
            #expect(lines(try await ada.get(path + APIClient.escaped(cancelled.id))).contains("STATUS:CANCELLED"))
            let withCancelled = try await ada.get("/v1/concert-searches/\(id).ics?include=cancelled")
            #expect(lines(withCancelled).contains("UID:ticketmaster-\(cancelled.id)@backline"))

            for path in ["\(path)x", "/v1/concert-searches/x.ics", "/v1/concert-searches/.ics"] {
                #expect(try await ada.get(path).problem.code == "notFound", "\(path)")
            }
            #expect(try await bob.get("/v1/concert-searches/\(id).ics").problem.code == "notFound")
        }
    }

    @Test("The ranked list has the pictures that a search found")
    func picturesOfTheList() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let absent = try #require(try await concerts.upstream.artists(.absent, count: 1).first)
            try await ada.rank(["Coldplay", absent])
            #expect(try await ada.artistList().artists.map(\.imageURL) == [nil, nil])
            let id = try #require(try await ada.search().id)
            let pictures = Set(try await ada.shows(ofSearch: id).compactMap(\.artistImageURL))
            let list = try await ada.artistList()
            #expect(pictures.contains(try #require(list.artists[0].imageURL)))
            #expect(list.artists[1].imageURL == nil)
            // Answers to changes of the list also have them, and PUT accepts them.
            let moved = try await ada.post("/v1/artists/\(list.artists[0].id)/move", #"{"to":2}"#)
            #expect(try moved.decode(ArtistListView.self).artists[1].imageURL == list.artists[0].imageURL)
            #expect(try await ada.put("/v1/artists", String(decoding: moved.body, as: UTF8.self)).status == 200)
        }
    }

    @Test("A person's searches are listed newest first, with their pending artists")
    func listOfSearches() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser("ada")
            let bob = try await concerts.addUser("bob")
            let done = try #require(try await ada.search(["Coldplay"], homeCity: "Prague").id)
            _ = try await bob.search(["Coldplay"])
            _ = try await ada.concertsNearby("/v1/concerts/nearby?city=Prague")
            try await concerts.stopWorkers()
            let running = try await ada.beginSearch(["Adele", "Muse"])

            struct List: Decodable {
                struct Item: Decodable {
                    struct Artist: Decodable, Equatable {
                        var artist: String
                        var rank: Int
                    }
                    var id: String
                    var state: String
                    var createdAt: String
                    var homeCity: String?
                    var pending: [Artist]
                }
                var items: [Item]
                var nextCursor: String?
            }
            let list: List = try await ada.get("/v1/concert-searches").decode()
            #expect(list.items.map(\.id) == [running, done] && list.nextCursor == nil)
            #expect(list.items.map(\.state) == ["running", "complete"])
            #expect(list.items.map(\.homeCity) == [nil, "Prague"])
            #expect(list.items[0].pending == [.init(artist: "Adele", rank: 1), .init(artist: "Muse", rank: 2)])
            #expect(list.items[1].pending.isEmpty)
            let first: List = try await ada.get("/v1/concert-searches?limit=1").decode()
            #expect(first.items.map(\.id) == [running])
            let rest = "/v1/concert-searches?limit=1&cursor=\(first.nextCursor ?? "")"
            let second: List = try await ada.get(rest).decode()
            #expect(second.items.map(\.id) == [done] && second.nextCursor == nil)
        }
    }
}
