extension PersonalLibrary {
    /// Adds the playlists with which a library starts. With oddities the first ones have:
    ///
    /// 0. everything: a local file at 3, an episode at 5, an entry that is gone at 8, a duplicate of the first at 9;
    ///    at Apple a video at 2 and a song of the catalog at 4
    /// 1. nothing
    /// 2. a playlist of somebody else that the person follows
    /// 3. a playlist of somebody else on which the person collaborates
    /// 8. a playlist by Spotify's editors
    mutating func fillPlaylists() {
        for index in 0..<plan.playlists {
            var playlist = SavedPlaylist(
                id: newPlaylistID(),
                name: Vocabulary.playlistNames[index % Vocabulary.playlistNames.count]
                    + (index < Vocabulary.playlistNames.count ? "" : " \(index / Vocabulary.playlistNames.count + 1)"),
                owner: person, isPublic: index % 3 == 0,
                items: (0..<plan.entries).map { item(at: $0, ofPlaylist: index) },
                changedAt: Self.newest - 86_400 * UInt32(index + 1))
            if plan.oddities { addIrregularities(to: &playlist, index: index) }
            playlists.append(playlist)
        }
    }

    private func item(at position: Int, ofPlaylist index: Int) -> SavedPlaylist.Item {
        SavedPlaylist.Item(
            content: .track(catalog.usualEntry(of: recording(at: position, ofPlaylist: index), on: service)),
            addedAt: Self.newest - 86_400 * UInt32(index + 1) - UInt32(plan.entries - position) * 60)
    }

    /// Two of three entries are saved tracks, if there are any. With tastes, all are.
    private func recording(at position: Int, ofPlaylist index: Int) -> Int {
        if plan.tastes > 0, plan.tracks >= plan.tastes {
            return order[plan.first + matchingTrackIndex(at: position, ofPlaylist: index)]
        }
        let draw = Mix.of(plan.seed, UInt64(index * 20_000 + position))
        return plan.tracks > 0 && position % 3 != 2
            ? order[plan.first + Int(draw % UInt64(plan.tracks))]
            : order[plan.first + plan.tracks + 5_000 + index * plan.entries + position]
    }

    /// The position of a saved track that fits a playlist's taste: tracks of one taste are as far apart as there are
    /// tastes. Some are in more playlists than others, and one in five is of any taste.
    private func matchingTrackIndex(at position: Int, ofPlaylist index: Int) -> Int {
        let draw = Mix.of(plan.seed &+ 7, UInt64(index * 20_000 + position))
        guard draw % 5 != 4 else { return Int((draw >> 8) % UInt64(plan.tracks)) }
        let pool = UInt64(plan.tracks / plan.tastes)
        let place = min((draw >> 8) % pool, (draw >> 32) % pool)
        return Int(place) * plan.tastes + index % plan.tastes
    }

    /// The ids of songs that are suitable continuations of a playlist with which the library started, without those
    /// that it contains.
    func withheld(ofPlaylist index: Int) -> [String] {
        guard plan.tastes > 0, index < plan.playlists else { return [] }
        func ids(_ positions: Range<Int>) -> Set<String> {
            Set(
                positions.map { position in
                    let entry = catalog.usualEntry(of: recording(at: position, ofPlaylist: index), on: service)
                    return catalog.spotifyID(.track, UInt64(entry.number))
                })
        }
        return ids(plan.entries..<plan.entries * 2).subtracting(ids(0..<plan.entries)).sorted()
    }

    private func addIrregularities(to playlist: inout SavedPlaylist, index: Int) {
        if index % 7 == 4 { playlist.isPublic = nil }
        if index % 5 == 4 { playlist.picture = .empty }
        // Spotify escapes what people write.
        if index % 4 == 1 { playlist.description = "Made by Dana \(service == .spotify ? "&amp;" : "&") Lee" }
        switch index {
        case 0:
            playlist.isPublic = true
            playlist.description = ""
            addEverything(to: &playlist)
        case 1:
            playlist.items = []
            playlist.description = nil
            playlist.picture = .none
        case 2 where service == .spotify:
            playlist.owner = Self.friend
            playlist.isPublic = true
        case 3 where service == .spotify:
            playlist.owner = Self.friend
            playlist.isPublic = false
            playlist.isCollaborative = true
        case 8 where service == .spotify:
            playlist.owner = Self.editors
            playlist.isPublic = true
        default: break
        }
    }

    private func addEverything(to playlist: inout SavedPlaylist) {
        func put(_ content: SavedPlaylist.Content, at position: Int, addedAt: UInt32? = nil) {
            guard position < playlist.items.count else { return }
            playlist.items[position] = SavedPlaylist.Item(
                content: content, addedAt: addedAt ?? playlist.items[position].addedAt)
        }
        if let first = playlist.items.first { put(first.content, at: 9) }
        switch service {
        case .spotify:
            put(.local(1), at: 3)
            put(.episode(1), at: 5)
            put(.unavailable, at: 8, addedAt: 0)
        case .apple:
            put(.video(1), at: 2)
            if case .track(let entry)? = playlist.items.dropFirst(4).first?.content {
                put(.catalogSong(entry), at: 4)
            }
        }
    }

    /// Makes new entries for a playlist: recordings that the library does not have.
    mutating func newItems(_ count: Int) -> [SavedPlaylist.Item] {
        (0..<count).map { _ in
            let recording = nextRecording()
            return SavedPlaylist.Item(
                content: .track(catalog.usualEntry(of: recording, on: service)), addedAt: tick())
        }
    }
}
