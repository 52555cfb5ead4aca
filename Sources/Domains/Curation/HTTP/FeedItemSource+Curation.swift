import Curation
import Gateway
import Library
import Model
import Storage
import Timeline
import Visibility

extension FeedItemSource {
    /// The songs of a person's recommendations, each with its reason.
    static func recommendations(_ pictures: PicturePaths) -> FeedItemSource {
        FeedItemSource(.recommendation) { reader, viewer, ids in
            try reader.curation.numbers(ofRecommendedSongs: ids, userID: viewer.userID)
        } contents: { reader, viewer, subjects in
            let songs = try reader.curation.recommendedSongs(subjects, userID: viewer.userID)
            let known = try reader.tracks.presentTracks(
                songs.compactMap { LibraryID($0.track.reference) }, userID: viewer.userID)
            return songs.reduce(into: [:]) { contents, song in
                let track = song.track
                let picture = LibraryID(track.reference).flatMap { known[$0]?.artworkURL }
                contents[song.number] = FeedContent(
                    id: song.id, foldSource: song.listID,
                    json: JSONWriter.object { json in
                        json.member("track") { json in
                            json.object { json in
                                json.member("id", track.reference)
                                json.member("title", track.title)
                                json.member("artist", track.artist)
                                json.member("album", track.album)
                                json.member("durationMs", track.durationMs)
                                json.member("picture", pictures.path(of: picture))
                            }
                        }
                        json.member("reason", track.reason)
                        json.member("listId", song.listID)
                        json.member("listTitle", song.listTitle)
                    })
            }
        }
    }
}
