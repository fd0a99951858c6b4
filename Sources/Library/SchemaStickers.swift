extension Schema {
    /// What clients note of songs.
    static var stickerTables: String {
        """
        """
    }
}
