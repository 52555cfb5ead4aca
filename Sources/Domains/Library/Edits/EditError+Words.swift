import Model

extension EditError {
    /// The error of an edit for which some steps were not made.
    init(notAllOf edit: LibraryEdit, _ steps: [EditStep]) {
        let isRemoval = steps.contains { step in
            if case .remove = step.action { step.state == .refused } else { false }
        }
        let name = edit.source.displayName
        self =
            isRemoval
            ? EditError(
                code: EditRefusal.playlistChanged.code,
                message: "The list was changed elsewhere while songs were being removed from it, so not all of them "
                    + "were removed. Check it again.")
            : EditError(
                code: ProviderFailure.Kind.requestRefused.rawValue,
                message: "\(name) refuses to put back songs that should stay in “\(edit.title)”.")
    }

    /// A sentence that names the missing songs.
    static func sentence(about songs: [MissingSong], of edit: LibraryEdit) -> String {
        let names = songs.prefix(3).map { $0.artist.isEmpty ? "“\($0.title)”" : "“\($0.title)” by \($0.artist)" }
        let rest = songs.count - names.count
        let list = names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
        return "These songs should have stayed in “\(edit.title)” but are missing now: \(list). They can be put back."
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
                    ? "\(name) does not accept one of these songs; it may no longer be in its catalog."
                    : "\(name) rejected this change; it may no longer have the playlist or one of the songs.")
        default: self.init(failure, at: edit.source)
        }
    }

    init(_ failure: ProviderFailure, at source: MusicSource) {
        let name = source.displayName
        // A new token was refused as well, which is how Spotify responds when a permission is missing.
        let isPermission = source == .spotify && failure.kind == .accessTokenRefusedAgain
        self.init(
            code: failure.kind.rawValue,
            message: isPermission
                ? "\(name) refuses this even with a new token: a permission is missing. Connect \(name) again at "
                    + "/setup/spotify, and grant everything that it asks for." : failure.message)
    }
}

extension EditFinding.Uncertainty {
    func question(about step: EditStep, of edit: LibraryEdit) -> String {
        let name = edit.source.displayName
        let isCreation = if case .create = step.action { true } else { false }
        return switch self {
        case .listChanged:
            "\(name) did not answer, and the playlist “\(edit.title)” has changed in another way since. Look at "
                + "its end in \(name)'s app: are the songs there that should have been added next?"
        case .notShown:
            isCreation
                ? "\(name) did not answer, and shows no new playlist with the name “\(edit.title)”. Look in \(name)'s "
                    + "app: is there a new one?"
                : "\(name) did not answer, and shows no new songs in “\(edit.title)”. Look at its end in \(name)'s "
                    + "app: are the songs there that should have been added next?"
        case .playlists(let ids) where ids.count == 1:
            "\(name) did not answer, and shows a new playlist with the name “\(edit.title)” that has songs, or a "
                + "different description than requested. Look in \(name)'s app: is it the right one, or is there "
                + "another?"
        case .playlists(let ids):
            "\(name) did not answer, and shows \(ids.count) new playlists with the name “\(edit.title)”. Look in "
                + "\(name)'s app: is the one to be created among them? If songs have been added to it, remove them, "
                + "so that it can be told apart from the others."
        case .partlyRemoved:
            "\(name) did not answer, and somebody has changed the playlist “\(edit.title)” since. Look at it in "
                + "\(name)'s app: are the songs gone that should have been removed?"
        }
    }
}
