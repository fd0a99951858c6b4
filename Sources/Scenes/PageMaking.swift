import Design

/// Pages as screens.
extension PageScene {
    public static func favourites(_ stage: Stage, _ page: FavouritesPage) -> PageScene {
        PageScene(stage, page, gradient: .rosewoodPlum)
    }

    public static func library(_ stage: Stage, _ page: LibraryPage) -> PageScene {
        PageScene(stage, page, gradient: .skyLavender)
    }

    public static func search(_ stage: Stage, _ page: SearchPage) -> PageScene {
        PageScene(stage, page, gradient: .icePeriwinkle)
    }

    public static func detail(_ stage: Stage, _ page: DetailPage) -> PageScene {
        PageScene(stage, page, gradient: .peachRose)
    }

    public static func settings(_ stage: Stage, _ page: SettingsPage) -> PageScene {
        PageScene(stage, page, gradient: .mintAqua)
    }

    /// How long the shorter side of what plays should be there, in pixels.
    public static func artworkSide(_ stage: Stage) -> Int { stage.pixels(Metrics.fullBarArtwork) }
}
