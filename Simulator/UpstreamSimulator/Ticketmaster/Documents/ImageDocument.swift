/// A picture in one size.
struct ImageDocument: Encodable {
    var ratio: String?
    var url: String
    var width: Int
    var height: Int
    /// Whether it is the stock picture.
    var fallback: Bool
}

extension TicketmasterDocuments {
    /// One picture in the ten sizes that recordings show, and as it was uploaded.
    ///
    /// - Parameters:
    ///   - id: whose picture it is; `nil` for the stock picture, which has no upload.
    ///   - hasUnknownRatio: adds a ratio that no documentation names.
    func images(of id: String?, hasUnknownRatio: Bool = false) -> [ImageDocument?] {
        list(
            (id == nil ? PictureSize.scaled : PictureSize.all).map { size in
                ImageDocument(
                    ratio: hasUnknownRatio && size.width == 305 ? "1_1" : size.ratio,
                    url: origin + PictureFile(id: id, size: size).path, width: size.width, height: size.height,
                    fallback: id == nil)
            })
    }
}
