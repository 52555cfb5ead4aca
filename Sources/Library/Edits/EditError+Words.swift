import Model

extension EditError {
    /// An edit of which some steps were not made.
    init(notAllOf edit: LibraryEdit, _ steps: [EditStep]) {
        let isRemoval = steps.contains { step in
            if case .remove = step.action { step.state == .refused } else { false }
        }
        let name = edit.source.displayName
        self =
            isRemoval
            ? EditError(
                code: EditRefusal.playlistChanged.code,
                message: "The list was changed elsewhere while songs were removed from it, so that not all of them "
                    + "were removed. Look at it again.")
            : EditError(
                code: ProviderFailure.Kind.requestRefused.rawValue,
                message: "\(name) refuses to take back songs that are to stay in “\(edit.title)”.")
    }

    /// Says which songs are missing.
    static func sentence(about songs: [MissingSong], of edit: LibraryEdit) -> String {
        let names = songs.prefix(3).map { $0.artist.isEmpty ? "“\($0.title)”" : "“\($0.title)” by \($0.artist)" }
        let rest = songs.count - names.count
        let list = names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
        return "These songs were to stay in “\(edit.title)” and are missing there now: \(list). They can be put back."
    }

    init(_ refusal: EditRefusal) {
        self.init(code: refusal.code, message: "\(refusal)")
    }

    init(_ failure: ProviderFailure, of edit: LibraryEdit) {
        let name = edit.source.displayName
        switch failure.kind {
        case .forbidden where edit.playlistKey != nil: self.init(.notYourPlaylist(edit.source))
        case .requestRefused:
            self.init(
                code: failure.kind.rawValue,
                message: edit.playlistKey == nil
                    ? "\(name) does not take one of these songs: its catalog may not have it any more."
                    : "\(name) does not take this: it may not have the playlist, or one of the songs, any more.")
        default: self.init(failure, at: edit.source)
        }
    }

    init(_ failure: ProviderFailure, at source: MusicSource) {
        let name = source.displayName
        // A new token was refused, too: Spotify answers so where a permission is missing.
        let isPermission = source == .spotify && failure.kind == .accessTokenRefusedAgain
        self.init(
            code: failure.kind.rawValue,
            message: isPermission
                ? "\(name) refuses this with a new access token, too: a permission is missing. Connect \(name) again at "
                    + "/setup/spotify, and allow all that it asks for." : failure.message)
    }
}

extension EditFinding.Doubt {
    func question(about step: EditStep, of edit: LibraryEdit) -> String {
        let name = edit.source.displayName
        let isCreation = if case .create = step.action { true } else { false }
        return switch self {
        case .listChanged:
            "\(name) did not answer, and the playlist “\(edit.title)” has changed in another way meanwhile. Look at "
                + "its end in \(name)'s app: are the songs there that were to be added next?"
        case .notShown:
            isCreation
                ? "\(name) did not answer, and shows no new playlist with the name “\(edit.title)”. Look in \(name)'s "
                    + "app: is a new one there?"
                : "\(name) did not answer, and shows no new songs in “\(edit.title)”. Look at its end in \(name)'s "
                    + "app: are the songs there that were to be added next?"
        case .playlists(let ids) where ids.count == 1:
            "\(name) did not answer, and shows a new playlist with the name “\(edit.title)” which has songs, or another "
                + "description than the one that was to be made. Look in \(name)'s app: is it the one, or is there "
                + "another?"
        case .playlists(let ids):
            "\(name) did not answer, and shows \(ids.count) new playlists with the name “\(edit.title)”. Look in "
                + "\(name)'s app: is the one that was to be made among them? If songs have been put into it, take them "
                + "out, so that it can be told from the others."
        case .partlyRemoved:
            "\(name) did not answer, and somebody has changed the playlist “\(edit.title)” meanwhile. Look at it in "
                + "\(name)'s app: are the songs gone that were to be removed?"
        }
    }
}
