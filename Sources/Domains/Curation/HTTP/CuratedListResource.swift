import Curation
import Gateway
import Library
import Model
import Storage

extension JSONWriter {
    /// Writes an amount as text, which is exact; a JSON number often is not once it has been parsed.
    mutating func member(_ name: StaticString, _ money: Money?) {
        member(name) { json in
            guard let money else { return json.raw("null") }
            json.object {
                $0.member("amount", money.amountText)
                $0.member("currency", money.currency)
            }
        }
    }
}

/// A list in the API.
struct CuratedListResource: Sendable {
    let list: CuratedList
    /// `nil` where the songs are not shown.
    let tracks: [CuratedTrack]?
    /// The songs as the library has them now, by their ids in the list.
    private let known: [String: LibraryTrack]
    /// The other person's name in a blend, where it is shown.
    private let partner: String?

    /// A list without its songs.
    init(_ list: CuratedList, names: PartnerNames) {
        (self.list, tracks, known, partner) = (list, nil, [:], names[list])
    }

    init(_ list: CuratedList, in reader: ReadTransaction, userID: String) throws {
        let partner = try PartnerNames(of: [list], userID: userID, in: reader)[list]
        let tracks = try reader.curation.tracks(of: list).map { $0.naming(partner) }
        let found = try reader.tracks.presentTracks(tracks.compactMap { LibraryID($0.reference) }, userID: userID)
        (self.list, self.tracks, self.partner) = (list, tracks, partner)
        known = Dictionary(uniqueKeysWithValues: found.map { ($0.key.text, $0.value) })
    }

    var title: String {
        list.request.kind == .blend ? PromptText.title(ofBlendWith: partner) : list.title
    }

    /// Whether a service has a song.
    func has(_ reference: SongReference, at service: MusicSource) -> Bool {
        switch reference {
        case .library(let id): known[id.text]?.sources.contains(service) ?? false
        case .catalog(let source, _): source == service
        }
    }

    func json(_ pictures: PicturePaths) -> [UInt8] {
        JSONWriter.object { writeMembers(to: &$0, pictures) }
    }

    func writeMembers(to json: inout JSONWriter, _ pictures: PicturePaths) {
        let request = list.request
        json.member("id", list.id)
        json.member("kind", request.kind.rawValue)
        json.member("prompt", request.prompt)
        json.member("size", request.size)
        json.member("source", request.source.rawValue)
        json.member("minutes", request.minutes)
        json.member("exclude") { json in
            json.object {
                $0.member("tracks") { $0.array(request.excludedTracks) { $0.value($1) } }
                $0.member("artists") { $0.array(request.excludedArtists) { $0.value($1) } }
                $0.member("heardWithinDays", request.heardWithinDays)
            }
        }
        json.member("seed", request.seed)
        json.member("refines", request.refines)
        json.member("playlistId", request.playlist?.text)
        json.member("with", partner)
        json.member("awaitsConsent", list.awaitsConsent)
        json.member("state", list.state.rawValue)
        json.member("title", title)
        json.member("progress") { json in
            guard let progress = list.progress else { return json.raw("null") }
            json.object {
                $0.member("done", progress.done)
                $0.member("total", progress.total)
            }
        }
        if let tracks {
            json.member("tracks") { json in
                json.array(tracks) { json, track in json.object { write(track, to: &$0, pictures) } }
            }
        }
        json.member("shortfall", tracks.flatMap { list.shortfall(of: $0) })
        json.member("promptNote", tracks.flatMap { list.promptNote(on: $0) })
        json.member("dropped") { json in
            json.array(list.dropped) { json, song in
                json.object {
                    $0.member("said", song.said)
                    $0.member("why", song.why)
                    $0.member("nearest", song.nearest)
                }
            }
        }
        json.member("model", list.model)
        json.member("usage") { json in
            json.object {
                $0.member("totalTokens", list.totalTokens)
                $0.member("inputTokens", list.tokenParts?.input)
                $0.member("outputTokens", list.tokenParts?.output)
            }
        }
        json.member("cost", list.cost)
        json.member("fallback", list.fallback)
        json.member("error") { json in
            guard let error = list.error else { return json.raw("null") }
            json.object {
                $0.member("code", error.code)
                $0.member("message", error.message)
            }
        }
        json.member("createdAt", list.createdAt)
        json.member("finishedAt", list.finishedAt)
    }

    private func write(_ track: CuratedTrack, to json: inout JSONWriter, _ pictures: PicturePaths) {
        json.member("track") { json in
            json.object {
                $0.member("id", track.reference)
                $0.member("title", track.title)
                $0.member("artist", track.artist)
                $0.member("album", track.album)
                $0.member("durationMs", track.durationMs)
                $0.member("picture", pictures.path(of: known[track.reference]?.artworkURL))
            }
        }
        json.member("reason", track.reason)
        json.member("evidence") { json in
            json.array(track.evidence) { json, evidence in
                json.object {
                    $0.member("kind", evidence.kind.rawValue)
                    $0.member("text", evidence.text)
                }
            }
        }
        json.member("source", track.origin.rawValue)
        json.member("filled", track.isFilled)
        json.member("pinned", track.isPinned)
        json.member("attribution", track.attribution?.rawValue)
    }
}
