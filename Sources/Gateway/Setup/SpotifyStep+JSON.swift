import Connections

extension SpotifyStep {
    /// What is not known is left out.
    var json: [UInt8] {
        JSONWriter.object { json in
            json.member("id", "spotify")
            json.member("title", "Spotify")
            json.member("state", state.rawValue)
            json.member("detail", detail)
            if let account { json.member("account", account) }
            if let connectedAt { json.member("connectedAt", connectedAt) }
            if let expiresAt { json.member("expiresAt", expiresAt) }
            if let scopes { json.member("scopes") { $0.array(scopes) { $0.value($1) } } }
            if let recovery { json.member("recovery", recovery.rawValue) }
            if let reason { json.member("reason", reason) }
        }
    }
}
