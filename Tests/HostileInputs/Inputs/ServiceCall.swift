import AppleMusic
import ChatCompletions
import Gemini
import Google
import ITunes
import Model
import Spotify
import Ticketmaster
import Upstream

/// A call to a service, reduced to how its answer is read.
struct ServiceCall: Sendable {
    /// A body that the service may answer with.
    let sample: String
    /// Reads an answer like the call does. Nothing in it waits.
    let read: @Sendable (UpstreamResponse) async throws -> Void

    private init(_ sample: String, read: @escaping @Sendable (UpstreamResponse) async throws -> Void) {
        (self.sample, self.read) = (sample, read)
    }

    static let all = spotify + appleMusic + others

    // MARK: Spotify

    private static let spotify = [
        ServiceCall(page(of: #"{"added_at": "2020-02-29T23:59:58Z", "track": \#(track)}"#)) {
            _ = try await spotify($0).savedTracks(offset: 0)
        },
        ServiceCall(page(of: #"{"added_at": "2020-02-29T23:59:58Z", "album": \#(album)}"#)) {
            _ = try await spotify($0).savedAlbums(offset: 50)
        },
        ServiceCall(page(of: playlist)) { _ = try await spotify($0).playlists(offset: 0) },
        ServiceCall(page(of: #"{"added_at": null, "item": \#(track)}, {"item": {"type": "episode"}}"#)) {
            _ = try await spotify($0).playlistEntries(of: "p", offset: 0)
            _ = try await spotify($0).tracks(ofPlaylist: "p", offset: 0)
        },
        ServiceCall(page(of: #"{"played_at": "2020-02-29T23:59:58.123Z", "track": \#(track)}"#)) {
            _ = try await spotify($0).recentlyPlayed()
        },
        ServiceCall(#"{"tracks": \#(page(of: track)), "artists": \#(page(of: artist))}"#) {
            _ = try await spotify($0).search("Ann", types: [.track, .artist], offset: 0)
        },
        ServiceCall(track) { _ = try await spotify($0).track("a") },
        ServiceCall(#"{"id": "b", "name": "LP", "tracks": \#(page(of: track))}"#) {
            _ = try await spotify($0).album("b")
        },
        ServiceCall(page(of: album)) { _ = try await spotify($0).albums(ofArtist: "c", offset: 0) },
        ServiceCall(playlist) {
            _ = try await spotify($0).playlist("p")
            _ = try await spotify($0).playlistState("p")
        },
        ServiceCall(#"{"id": "ann", "display_name": "Ann", "country": "FR"}"#) { _ = try await spotify($0).me() },
        ServiceCall(#"{"access_token": "a", "expires_in": 3600, "refresh_token": "r", "scope": "user-top-read x"}"#) {
            answer in _ = try await SpotifyAccountsClient(clientID: "c") { _ in answer }.refresh(Secret("r"))
        },
        ServiceCall(#"{"error": {"message": "Insufficient client scope", "reason": "PREMIUM_REQUIRED"}}"#) {
            _ = try await spotify($0).artist("c")
        },
    ]

    private static func spotify(_ answer: UpstreamResponse) -> SpotifyClient {
        SpotifyClient(accessToken: Secret("a")) { _ in answer }
    }

    private static let artist = #"""
        {"id": "c", "name": "Ann", "genres": ["rock"], "images": [{"url": "https://i.scdn.co/image/a", "width": 640}]}
        """#
    private static let album = #"""
        {"id": "b", "name": "LP", "artists": [\#(artist)], "images": [{"url": "https://i.scdn.co/image/b"}],
         "release_date": "1981-12", "release_date_precision": "month", "total_tracks": 9}
        """#
    private static let track = #"""
        {"id": "a", "name": "One", "type": "track", "artists": [\#(artist)], "album": \#(album),
         "uri": "spotify:track:a", "duration_ms": 1e5, "explicit": false, "disc_number": 1,
         "external_ids": {"isrc": "us-abc-12-34567"}}
        """#
    private static let playlist = #"""
        {"id": "p", "name": "P", "description": "A &amp; B &#x27;", "owner": {"id": "o"}, "public": true,
         "snapshot_id": "s", "tracks": {"total": 2}}
        """#

    private static func page(of items: String) -> String {
        #"{"items": [\#(items), null], "total": 51, "next": "https://api.spotify.com/v1/me/tracks?offset=50"}"#
    }

    // MARK: Apple Music

    private static let appleMusic = [
        ServiceCall(list(of: song)) { _ = try await appleMusic($0).librarySongs(offset: 0, storefront: "fr") },
        ServiceCall(list(of: song)) {
            _ = try await appleMusic($0).playlistEntries(of: "p", offset: 0, storefront: "fr")
        },
        ServiceCall(list(of: #"{"id": "p.1", "attributes": {"name": "P", "description": {"standard": "x"}}}"#)) {
            _ = try await appleMusic($0).libraryPlaylists(offset: 0)
        },
        ServiceCall(list(of: #"{"id": "l.1", "attributes": {"name": "LP", "artistName": "Ann", "trackCount": 9}}"#)) {
            _ = try await appleMusic($0).libraryAlbums(offset: 0)
        },
        ServiceCall(list(of: #"{"id": "1", "relationships": {"tracks": \#(list(of: song))}}"#)) {
            _ = try await appleMusic($0).album("1", storefront: "fr")
            _ = try await appleMusic($0).artist("1", storefront: "fr")
            _ = try await appleMusic($0).playlist("1", storefront: "fr")
        },
        ServiceCall(
            list(of: #"{"id": "1", "attributes": {"name": "LP", "trackCount": 9, "releaseDate": "1981-12-01"}}"#)
        ) {
            _ = try await appleMusic($0).albums(ofArtist: "1", offset: 0, storefront: "fr")
        },
        ServiceCall(#"{"results": {"songs": \#(list(of: song))}}"#) {
            _ = try await appleMusic($0).searchSongs("One", offset: 0, storefront: "fr")
        },
        ServiceCall(#"{"errors": [{"code": "40403", "status": "404", "title": "No related resources"}]}"#) {
            _ = try await appleMusic($0).entryCount(of: "p")
        },
    ]

    private static func appleMusic(_ answer: UpstreamResponse) -> AppleMusicClient {
        AppleMusicClient(developerToken: { Secret("d") }, userToken: Secret("u"), send: { _ in answer })
    }

    private static let song = #"""
        {"id": "i.1", "type": "library-songs", "attributes": {
            "name": "One", "artistName": "Ann", "albumName": "LP", "durationInMillis": 100000, "trackNumber": 1,
            "releaseDate": "1981-12-01", "genreNames": ["Rock"], "isrc": "USABC1234567",
            "artwork": {"url": "https://is1-ssl.mzstatic.com/{w}x{h}.jpg", "width": 3000, "height": 3000},
            "playParams": {"id": "i.1", "catalogId": "1"}}}
        """#

    private static func list(of items: String) -> String {
        #"{"data": [\#(items), {}], "next": "/v1/me/library/songs?offset=100", "meta": {"total": 101}}"#
    }

    // MARK: Others

    private static let others = [
        ServiceCall(#"{"_embedded": {"events": [\#(event)]}, "page": {"totalElements": 1, "number": 0}}"#) {
            answer in _ = try await TicketmasterClient(key: Secret("k")) { _ in answer }.events(keyword: "Ann")
        },
        ServiceCall(#"{"_embedded": {"attractions": [{"id": "a", "name": "Ann", "upcomingEvents": {"_total": 3}}]}}"#) {
            answer in _ = try await TicketmasterClient(key: Secret("k")) { _ in answer }.attractions(keyword: "Ann")
        },
        ServiceCall(
            #"""
            {"results": [{"kind": "song", "trackName": "One", "artistName": "Ann", "trackTimeMillis": 100000,
                          "previewUrl": "https://audio-ssl.itunes.apple.com/a.m4a"}]}
            """#
        ) { answer in _ = try await ITunesClient { _ in answer }.songs(term: "One") },
        ServiceCall(
            #"""
            {"candidates": [{"content": {"parts": [{"text": "{}"}]}, "finishReason": "STOP"}],
             "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 2, "totalTokenCount": 12}}
            """#
        ) { answer in
            let prompt = GeminiPrompt(systemInstruction: "", text: "", schema: .text, maxOutputTokens: 1)
            _ = try await GeminiClient(key: Secret("k")) { _ in answer }.generate(prompt, model: "m", weight: 1)
        },
        ServiceCall(
            #"""
            {"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "x", "details": [
                {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "21.5s"}]}, "models": [{}]}
            """#
        ) { answer in try await GeminiClient(key: Secret("k")) { _ in answer }.verify() },
        ServiceCall(
            #"""
            {"choices": [{"message": {"content": "{}"}, "finish_reason": "stop"}], "error": {"message": "grammar"},
             "usage": {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}}
            """#
        ) { answer in
            let prompt = ChatPrompt(system: "", user: "", schema: "{}", maxTokens: 1)
            _ = try await ChatClient(server: "s", key: nil, model: "m") { _ in answer }.complete(
                prompt, as: ChatPrompt.Style(.jsonSchema, room: .maxTokens))
        },
        ServiceCall(
            #"""
            {"authorization_endpoint": "https://accounts.google.com/o/oauth2/v2/auth",
             "token_endpoint": "https://oauth2.googleapis.com/token",
             "jwks_uri": "https://www.googleapis.com/oauth2/v3/certs",
             "keys": [{"kty": "RSA", "kid": "a", "n": "AQAB", "e": "AQAB"}]}
            """#
        ) { answer in
            let google = GoogleClient(issuer: try BaseURL("https://accounts.google.com")) { _, _ in answer }
            _ = try await google.keys(at: try await google.endpoints())
        },
    ]

    private static let event = #"""
        {"id": "e", "name": "Ann", "url": "https://www.ticketmaster.com/e",
         "dates": {"start": {"localDate": "2026-12-01", "localTime": "20:00:00", "dateTime": "2026-12-01T19:00:00Z"},
                   "timezone": "Europe/Prague", "status": {"code": "onsale"}},
         "priceRanges": [{"currency": "EUR", "min": 30.5, "max": 80}],
         "classifications": [{"primary": true, "segment": {"id": "KZFzniwnSyZfZ7v7nJ", "name": "Music"}}],
         "_embedded": {"venues": [{"id": "v", "name": "Hall", "city": {"name": "Prague"},
                                   "location": {"longitude": "14.42", "latitude": "50.08"}}],
                       "attractions": [{"id": "a", "name": "Ann"}]}}
        """#
}
