extension DocumentWriter {
    /// Writes `images`: one picture in the ten sizes that recordings show, and as it was uploaded.
    ///
    /// - Parameters:
    ///   - id: whose picture it is; `nil` for the stock picture, which has no upload.
    ///   - hasUnknownRatio: adds a ratio that no documentation names.
    func writeImages(of id: String?, hasUnknownRatio: Bool = false, to json: inout JSONWriter) {
        json.array("images") { json in
            if hasNulls { json.null() }
            for size in id == nil ? PictureSize.scaled : PictureSize.all {
                json.object { json in
                    if let ratio = size.ratio {
                        json.string("ratio", hasUnknownRatio && size.width == 305 ? "1_1" : ratio)
                    }
                    json.string("url", origin + PictureFile(id: id, size: size).path)
                    json.number("width", size.width)
                    json.number("height", size.height)
                    json.bool("fallback", id == nil)
                }
            }
        }
    }
}
