/// An export of the library of Apple's Music app.
enum AppleMusicExport {
    /// - Parameter playlist: the songs of the playlist `Mine`, by their places in `songs`.
    static func xml(_ songs: [(key: String, title: String)], playlist: [Int] = []) -> String {
        let dicts = songs.enumerated().map { index, song in
            """
            <key>\(index)</key><dict><key>Track ID</key><integer>\(index)</integer><key>Name</key>
            <string>\(song.title)</string><key>Artist</key><string>Ann</string><key>Album</key><string>LP</string>
            <key>Total Time</key><integer>200000</integer><key>Play Count</key><integer>3</integer>
            <key>Persistent ID</key><string>\(song.key)</string></dict>
            """
        }
        let items = playlist.map { "<dict><key>Track ID</key><integer>\($0)</integer></dict>" }.joined()
        return """
            <plist version="1.0"><dict><key>Tracks</key><dict>\(dicts.joined())</dict><key>Playlists</key><array><dict>
            <key>Name</key><string>Mine</string><key>Playlist Persistent ID</key><string>AB</string>
            <key>Playlist Items</key><array>\(items)</array></dict></array></dict></plist>
            """
    }
}
