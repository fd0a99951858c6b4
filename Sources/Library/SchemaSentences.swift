extension Schema {
    /// What is said in the transcripts, and bookmarks.
    static var sentenceTables: String {
        """
        """
    }
}
