import Contracts
import Domains
import Storage

extension Domain {
    /// Previews of songs.
    package static let previews = Domain(
        "previews", migrations: [.previewsBaseline], jobKinds: [TypedJobKind.previewsFind.kind],
        settings: [PreviewSettings.self])
}
