/// The last plays, the latest first, with cursors and without a total.
struct SpotifyPlaysDocument: Encodable {
    struct Play: Encodable {
        struct Context: Encodable {
            let type = "album"
            var externalURLs: SpotifyIdentity.ExternalURLs
            var href: String
            var uri: String

            enum CodingKeys: String, CodingKey {
                case type
                case externalURLs = "external_urls"
                case href, uri
            }
        }

        var track: SpotifyObject<SpotifyTrackDocument>
        var playedAt: String
        @Nullable var context: Context?

        enum CodingKeys: String, CodingKey {
            case track
            case playedAt = "played_at"
            case context
        }
    }

    /// Moments in milliseconds since 1970.
    struct Cursors: Encodable {
        var after: String
        var before: String
    }

    var items: [Play]
    @Nullable var next: String?
    @Nullable var cursors: Cursors?
    var limit: Int
    var href: String
}

extension SpotifyDocuments {
    /// A play; two of three are from an album.
    func play(_ play: Play) -> SpotifyPlaysDocument.Play {
        let entry = play.track.entry
        let album = SpotifyIdentity("album", id: catalog.spotifyID(.album, UInt64(entry.release.number)))
        let isFromAlbum = entry.recording % 3 != 0
        return SpotifyPlaysDocument.Play(
            track: track(entry), playedAt: CalendarText.moment(milliseconds: play.endedAt),
            context: isFromAlbum ? .init(externalURLs: album.externalURLs, href: album.href, uri: album.uri) : nil)
    }
}
