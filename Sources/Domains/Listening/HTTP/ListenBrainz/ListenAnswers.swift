import Gateway
import LibraryFiles
import Listening
import Model

/// The forms in which the ListenBrainz API shows listens.
enum ListenAnswers {
    static func seconds(_ moment: Timestamp) -> Int { Int(moment.microseconds / 1_000_000) }

    /// - Parameters:
    ///   - isExport: adds what an import needs to know the listen exactly.
    ///   - user: the person's name; `nil` in exports, which do not contain it.
    static func write(_ listen: Listen, isExport: Bool = false, user: String?, to json: inout JSONWriter) {
        let msid = listen.song.msid
        json.object { json in
            // The key's upper bits are milliseconds since 1970.
            json.member("inserted_at", Int(listen.id.key >> LibraryID.counterBits) / 1_000)
            json.member("listened_at", seconds(listen.startedAt))
            if let user {
                json.member("recording_msid", msid)
                json.member("user_name", user)
            }
            json.member("track_metadata") { json in writeMetadata(of: listen, msid: msid, isExport, to: &json) }
        }
    }

    private static func writeMetadata(of listen: Listen, msid: String, _ isExport: Bool, to json: inout JSONWriter) {
        json.object { json in
            json.member("artist_name", listen.song.artist)
            json.member("track_name", listen.song.title)
            if let album = listen.song.album { json.member("release_name", album) }
            json.member("additional_info") { json in json.raw(info(of: listen, msid: msid, isExport)) }
        }
    }

    /// The `additional_info` that was sent, completed with what is known.
    private static func info(of listen: Listen, msid: String, _ isExport: Bool) -> String {
        let said = listen.details.map { String($0.dropFirst().dropLast()) } ?? ""
        var known = JSONWriter.object { json in
            json.member("recording_msid", msid)
            func add(_ name: StaticString, _ text: String?) {
                if let text, !said.contains("\"\(name)\":") { json.member(name, text) }
            }
            add("isrc", listen.song.isrc)
            add("recording_mbid", listen.song.recordingMBID)
            add("spotify_id", listen.song.spotifyID.map { "https://open.spotify.com/track/\($0)" })
            if let duration = listen.song.durationMilliseconds, !said.contains("\"duration") {
                json.member("duration_ms", duration)
            }
            if let played = listen.playedMilliseconds, !said.contains("\"duration_played\":") {
                json.member("duration_played", played / 1_000)
            }
            add("submission_client", listen.client)
            guard isExport else { return }
            json.member("backline_listened_at", listen.startedAt)
            json.member("backline_precision", FileListen.Precision(listen.precision).rawValue)
            if let played = listen.playedMilliseconds { json.member("backline_played_ms", played) }
        }
        known.removeLast()
        return String(decoding: known, as: UTF8.self) + (said.isEmpty ? "" : ",") + said + "}"
    }
}
