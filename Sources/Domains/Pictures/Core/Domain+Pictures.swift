import Contracts
import Domains

extension Domain {
    /// Pictures of albums, artists and playlists.
    package static let pictures = Domain(
        "pictures", jobKinds: [TypedJobKind.picturesFetch.kind], settings: [PictureSettings.self])
}
