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
        default: self.init(code: failure.kind.rawValue, message: failure.message)
        }
    }
}

extension EditFinding.Doubt {
    func question(about edit: LibraryEdit) -> String {
        let name = edit.source.displayName
        return switch self {
        case .listChanged:
            "\(name) did not answer, and the playlist “\(edit.title)” has changed in another way meanwhile. Look at "
                + "its end in \(name)'s app: are the songs there that were to be added next?"
        case .notShown:
            edit.done == 0 && edit.kind == .createPlaylist
                ? "\(name) did not answer, and shows no playlist “\(edit.title)”. Look in \(name)'s app: is it there?"
                : "\(name) did not answer, and shows no new songs in “\(edit.title)”. Look at its end in \(name)'s "
                    + "app: are the songs there that were to be added next?"
        case .playlists(let ids):
            "\(name) did not answer, and has \(ids.count) new playlists with the name “\(edit.title)”. Is one of "
                + "them to be used?"
        }
    }
}
