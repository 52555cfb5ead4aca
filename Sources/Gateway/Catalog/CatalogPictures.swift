import Model

/// Makes the paths of this site at which pages load services' pictures.
struct CatalogPictures: Sendable {
    /// - Returns: `nil` without a picture.
    func path(of pictures: [CatalogPicture]) -> String? { nil }

    /// The address at the service of a picture whose path this site has given out; `nil` for any other text.
    func address(of path: String) -> String? { nil }
}
