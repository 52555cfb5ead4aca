import Gateway
import Model
import Releases
import Storage
import Timeline
import Visibility

extension FeedItemSource {
    /// The content of releases. Everybody may see it: it is what services show to everybody.
    static func releases(_ pictures: PicturePaths) -> FeedItemSource {
        FeedItemSource(.release, isSameForAll: true) { reader, _, ids in
            try reader.releases.numbers(ofReleases: ids)
        } contents: { reader, _, numbers in
            try reader.releases.published(numbers).mapValues { release in
                FeedContent(
                    id: release.id, foldSource: release.artistKey,
                    json: JSONWriter.object { release.write(to: &$0, pictures: pictures) })
            }
        }
    }
}

extension Release {
    /// The schema `Release`.
    func write(to json: inout JSONWriter, pictures: PicturePaths) {
        json.member("id", id)
        json.member("title", title)
        json.member("artist", artists.joined(separator: ", "))
        json.member("artists") { json in json.array(artists) { $0.value($1) } }
        json.member("type", type.name)
        json.member("date", date?.text)
        json.member("datePrecision", date?.precision)
        json.member("picture", pictures.path(of: picture))
        json.member("firstSeenAt", firstSeenAt)
        json.member("links") { json in
            json.array(links) { json, edition in
                json.object { json in
                    json.member("source", edition.source.rawValue)
                    json.member("sourceId", edition.albumID)
                    json.member("url", edition.url)
                }
            }
        }
        json.member("editions") { json in
            json.array(editions) { json, edition in
                json.object { json in
                    json.member("source", edition.source.rawValue)
                    json.member("sourceId", edition.albumID)
                    json.member("title", edition.title)
                    json.member("date", edition.date?.text)
                    json.member("trackCount", edition.trackCount)
                    json.member("url", edition.url)
                }
            }
        }
    }

    /// The first edition of each service.
    private var links: [ReleaseEdition] {
        var known: Set<MusicSource> = []
        return editions.filter { known.insert($0.source).inserted }
    }
}
