import Pictures

extension PictureFolder {
    package convenience init(_ configuration: BacklineConfiguration.Pictures) {
        self.init(path: configuration.folder, capacity: configuration.capacity)
    }
}
