import Platform

extension DocumentWriter {
    /// Writes an attraction, with external links if it has any.
    func writeAttraction(_ index: Int32, to json: inout JSONWriter) {
        let attraction = catalog.attractions[Int(index)]
        json.object { json in
            writeHead(
                &json, name: attraction.name, type: "attraction", id: attraction.id, test: false,
                url: "https://www.ticketmaster.example/artist/\(attraction.id)")
            json.string("locale", locale)
            if attraction.traits.contains(.linked) { writeExternalLinks(of: attraction, to: &json) }
            if !attraction.aliases.isEmpty {
                json.array("aliases") { json in
                    for alias in attraction.aliases { json.string(nil, alias) }
                }
            }
            writeImages(of: attraction.traits.contains(.pictured) ? attraction.id : nil, to: &json)
            attraction.classification?.write(to: &json, nulls: hasNulls)
            if !attraction.traits.contains(.uncounted) {
                writeUpcoming(catalog.eventsByAttraction[Int(index)].count, to: &json)
            }
            json.object("_links") { json in writeSelfLink(&json, "attractions", attraction.id) }
        }
    }

    /// Writes ids in the form of each service, derived from the attraction's id.
    private func writeExternalLinks(of attraction: Attraction, to json: inout JSONWriter) {
        var numbers = SeededGenerator(seed: 2, stream: attraction.id)
        let word = SearchText.required(attraction.name).joined()
        let spotify = numbers.text(22, of: .base62)
        let musicBrainz = [8, 4, 4, 4, 12].map { numbers.text($0, of: .hexadecimal) }.joined(separator: "-")
        let addresses = [
            ("youtube", "https://www.youtube.com/user/\(word)"), ("twitter", "https://twitter.com/\(word)"),
            ("itunes", "https://music.apple.com/us/artist/\(word)/\(numbers.number(in: 100_000...999_999_999))"),
            ("wiki", "https://en.wikipedia.org/wiki/\(word)"), ("facebook", "https://www.facebook.com/\(word)"),
            ("spotify", "https://open.spotify.com/artist/\(spotify)\(numbers.chance(20) ? "?autoplay=true" : "")"),
            ("instagram", "https://www.instagram.com/\(word)/"), ("homepage", "https://www.\(word).example/"),
        ]
        json.object("externalLinks") { json in
            for (service, url) in addresses {
                json.array(service) { json in json.object { json in json.string("url", url) } }
            }
            json.array("musicbrainz") { json in json.object { json in json.string("id", musicBrainz) } }
        }
    }
}
