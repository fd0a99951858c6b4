extension Schema {
    /// What the speaker keeps of its ways of playing.
    static var speakerColumns: String {
        """
        """
    }
}
