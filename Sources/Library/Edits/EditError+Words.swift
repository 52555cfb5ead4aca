import Model

extension EditError {
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
        case .playlists(let ids):
            "\(name) did not answer, and has \(ids.count) new playlists with the name “\(edit.title)”. Is one of "
                + "them to be used?"
        }
    }
}
