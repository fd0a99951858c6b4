import Design
import Model
import Pixels
import Typography

/// The player as it looks at a moment: all but the transcript and the progress, which change by themselves.
extension PlayerScene {
    func drawBackground(_ picture: Picture) {
        let all = picture.surface.bounds
        guard layout.isWide, let artwork else {
            picture.canvas.fill(all, with: gradient.gradient(in: stage.theme))
            return
        }
        let small: Surface
        if let backdrop {
            small = backdrop
        } else {
            // All of it, as large as it fills the screen, at a quarter of that: what lies beyond the screen's edges shines in.
            let side = max(stage.width, stage.height) / Blur.reduction
            let (width, height) = (artwork.width * side / artwork.height, artwork.height * side / artwork.width)
            let made =
                artwork.width > artwork.height
                ? AreaReducer.reduced(artwork, width: width, height: side)
                : AreaReducer.reduced(artwork, width: side, height: height)
            let sigma = Metrics.backdropBlur * stage.scale.factor / Float(Blur.reduction)
            stage.blurs += 1
            Blur.blur(made, variance: sigma * sigma)
            small = stage.theme.isDark ? made.tonedForDark() : made
            backdrop = small
        }
        picture.canvas.draw(small, scaledTo: all)
        let tint = backdropTint ?? picture.tint(stage.theme.backdropTint, over: all)
        backdropTint = tint
        picture.canvas.fill(all, with: tint)
    }

    func drawHeader(_ picture: Picture, _ state: SpeakerStatus) {
        let theme = stage.theme
        drawAppTitle(picture, state)
        let color = state.isFavourite ? theme.favourite : theme.text
        picture.draw(state.isFavourite ? .heartFilled : .heart, in: layout.heart, points: Metrics.symbol, color)
        picture.add(
            Element(
                frame: layout.heart, label: "Favourite", value: state.isFavourite ? "on" : "off",
                hint: state.isFavourite ? "removes it from the favourites" : "adds it to the favourites",
                action: .toggleFavourite))
    }

    func drawAppTitle(_ picture: Picture, _ state: SpeakerStatus) {
        let theme = stage.theme
        let header = layout.header
        if header.isEmpty { return }
        let title = stage.set("Nightstand", layout.appTitle(stage), width: header.width)
        let date = layout.hasDate ? Words.date(state.month, state.day) : ""
        let line = stage.set(date, layout.date(stage), width: header.width)
        if layout.pillIsInHeader {
            let room = header.width - max(title.width, line.width) - stage.pixels(Spacing.small)
            if let pill = Pill.fitting(state.pillWords, width: room, stage) {
                let width = min(header.width, pill.width(stage))
                let height = min(header.height, max(stage.pixels(Metrics.pillHeight), stage.lineHeight(.pill)))
                // What it does comes before what it is called.
                let x = width <= room ? header.maxX - width : header.x
                pill.draw(
                    picture, PixelRect(x: x, y: header.midY - height / 2, width: width, height: height))
                if width > room { return }
            }
        }
        var y = header.y
        if date.isEmpty { y += (header.height - title.height) / 2 }
        y += picture.write(title, "Nightstand", x: header.x, y: y, width: header.width, theme.text)
        if !date.isEmpty { picture.write(line, date, x: header.x, y: y, width: header.width, theme.text) }
    }

    /// - Parameter body: draws what stands on it.
    func drawArtwork(_ picture: Picture, isBlurred: Bool, isToned: Bool, _ body: () -> Void) {
        let frame = layout.artwork
        let elevation = layout.isWide ? Elevation.television : Elevation.artwork
        let radius = stage.pixels(layout.isWide ? Radius.televisionArtwork : Radius.artwork)
        picture.canvas.shadow(
            of: frame, radius: radius, blur: stage.pixels(elevation.blur), down: stage.pixels(elevation.down),
            with: stage.theme.shadow.opacity(elevation.opacity))
        picture.rounded(frame, radius: radius) {
            drawArtwork(picture, frame, isBlurred: isBlurred, isToned: isToned)
            body()
        }
    }

    private func drawArtwork(_ picture: Picture, _ frame: PixelRect, isBlurred: Bool, isToned: Bool) {
        guard let artwork else { return drawPlaceholder(picture, frame) }
        // Glass has its own under the controls.
        var free = frame
        if stage.hasBlur && !isToned { free.height -= layout.controls.height }
        picture.canvas.clipped(to: free) {
            if !isBlurred { return picture.canvas.draw(artwork, scaledTo: frame) }
            if let blurred = isToned ? glassBack() : blurred(artwork) {
                picture.canvas.draw(blurred, scaledTo: frame)
            }
        }
    }

    /// The artwork as the player shows it, blurred, at a quarter of its size; nil where there is none.
    func blurred(_ artwork: Surface?) -> Surface? {
        guard let artwork else { return nil }
        if let blurredArtwork { return blurredArtwork }
        let frame = layout.artwork
        let shown = Scaling(source: (artwork.width, artwork.height), filling: (frame.width, frame.height))
            .drawn(artwork, width: frame.width, height: frame.height)
        stage.blurs += 1
        let made = Blur.quarter(shown, sigma: Float(stage.pixels(Metrics.artworkBlur)))
        blurredArtwork = made
        return made
    }

    /// What lies behind glass on the artwork.
    func glassBack() -> Surface? {
        if !stage.hasBlur { return nil }
        guard stage.theme.isDark else { return blurred(artwork) }
        if tonedArtwork == nil { tonedArtwork = blurred(artwork)?.tonedForDark() }
        return tonedArtwork
    }

    /// Where there is no artwork: another gradient, deeper than that of the screen, and a book.
    private func drawPlaceholder(_ picture: Picture, _ frame: PixelRect) {
        let theme = stage.theme
        let around = gradient.gradient(in: theme)
        picture.canvas.fill(frame, with: theme.placeholder(in: around))
        let free = PixelRect(x: frame.x, y: frame.y, width: frame.width, height: layout.controls.y - frame.y)
        let size = Float(min(free.width, free.height)) / stage.scale.factor * Metrics.placeholderPart
        picture.draw(.book, in: free, points: size, theme.placeholderSymbol)
    }

    /// Over the artwork while words stand on it.
    func veil(_ picture: Picture) {
        let frame = layout.artwork
        picture.canvas.fill(frame, with: picture.tint(stage.theme.glassTint, over: frame.inset(by: 2)))
    }

    func drawTitle(_ picture: Picture, _ state: SpeakerStatus, isPlaying: Bool, hasTranscript: Bool) {
        let theme = stage.theme
        let frame = layout.title
        let text = state.title.isEmpty ? "Nothing is playing" : state.title
        let title = stage.set(text, layout.titleStyle, width: frame.width, lines: layout.titleLines)
        let opacity = isPlaying ? Metrics.dimmedTitle : 1
        if !layout.isWide {
            if !hasTranscript { drawTitleGlass(picture, title, frame) }
            picture.write(title, text, x: frame.x, y: frame.y, width: frame.width, theme.text, opacity: opacity)
            picture.add(Element(frame: frame, label: "Title", value: state.title))
            return
        }
        var lines: [String] = []
        let book = bookWords(state)
        if !book.isEmpty { lines.append(book) }
        let chapter = chapterWords(state)
        if !chapter.isEmpty { lines.append(chapter) }
        if layout.isCompact && lines.count > 1 { lines = [chapter] }
        let lineHeight = stage.style(.subheadline).lineHeight
        // Under the header it begins where it may; else it ends where the artwork does.
        var y = layout.isCompact ? frame.y : frame.maxY - lines.count * lineHeight - title.height
        y += picture.write(title, text, x: frame.x, y: y, width: frame.width, theme.text, opacity: opacity)
        for line in lines {
            let set = stage.set(line, .subheadline, width: frame.width)
            y += picture.write(set, line, x: frame.x, y: y, width: frame.width, theme.secondaryText)
        }
        picture.add(Element(frame: frame, label: "Title", value: state.title))
    }

    /// So that the title can be read on whatever the artwork shows.
    func drawTitleGlass(_ picture: Picture, _ title: TextLayout, _ frame: PixelRect) {
        let (across, down) = (stage.pixels(Spacing.small), stage.pixels(Spacing.small))
        let x = title.isRightToLeft ? frame.maxX - title.width : frame.x
        let box = PixelRect(x: x, y: frame.y, width: title.width, height: title.height)
        picture.glass(
            box.inset(x: -across, y: -down), radius: stage.pixels(Radius.card), over: glassBack(),
            in: layout.artwork, tint: stage.theme.glassTint, hasStroke: true)
    }

    /// Nothing is said twice: the book's name where it is another than the title, else who wrote it.
    func bookWords(_ state: SpeakerStatus) -> String {
        state.book.isEmpty || state.book == state.title ? state.artist : state.book
    }

    func chapterWords(_ state: SpeakerStatus) -> String {
        if state.chapterNumber < 1 { return state.chapter }
        let place =
            state.chapterCount > 0
            ? "Chapter \(state.chapterNumber) of \(state.chapterCount)" : "Chapter \(state.chapterNumber)"
        return state.chapter.isEmpty ? place : place + " · " + state.chapter
    }

    /// A title of one line leaves the other to the transcript.
    func transcriptArea(_ state: SpeakerStatus) -> PixelRect {
        var area = layout.transcript
        let style = stage.style(layout.titleStyle)
        let title = stage.typesetter.set(state.title, style, width: layout.title.width, lines: layout.titleLines)
        let spare = (layout.titleLines - max(1, title.lines.count)) * style.lineHeight
        // Where the title stands below the transcript, that grows downwards.
        if layout.title.y < area.y { area.y -= spare }
        area.height += spare
        return area
    }

    /// - Parameter isVeiled: all of the artwork is under glass, so that the overlay needs none of its own.
    func drawControls(_ picture: Picture, isPlaying: Bool, isVeiled: Bool) {
        let theme = stage.theme
        let frame = layout.controls
        picture.glass(
            frame, radius: 0, over: isVeiled ? nil : glassBack(), in: layout.artwork, tint: theme.controlsTint,
            hasStroke: false)
        let buttons = layout.buttons(stage)
        for (symbol, rect) in [(Symbol.back, buttons.back), (.forward, buttons.forward)] {
            let ink = theme.text
            let digits = stage.setFixed("10", .skipSeconds, width: rect.width)
            // The circle's middle lies a little below that of the icon.
            let y = rect.y + (rect.height - digits.height) / 2 + stage.pixels(Metrics.skipSymbol * Metrics.skipMiddle)
            // Before the circle around them, which they do not stand on.
            picture.write(digits, "10", x: rect.x, y: y, width: rect.width, ink, align: .center)
            picture.draw(symbol, in: rect, points: Metrics.skipSymbol, ink)
        }
        let disc = buttons.play
        picture.canvas.shadow(
            of: disc, radius: disc.width / 2, blur: stage.pixels(Elevation.medium.blur),
            down: stage.pixels(Elevation.medium.down), with: theme.shadow.opacity(Elevation.medium.opacity))
        picture.canvas.fill(disc, radius: disc.width / 2, with: theme.playDisc)
        picture.draw(isPlaying ? .pause : .play, in: disc, points: Metrics.playSymbol, theme.playSymbol)
        picture.add(Element(frame: buttons.back, label: "Back", value: "10 seconds", action: .back))
        picture.add(
            Element(
                frame: disc, label: isPlaying ? "Pause" : "Play", hint: isPlaying ? "pauses" : "plays",
                action: .togglePlayback))
        picture.add(Element(frame: buttons.forward, label: "Forward", value: "10 seconds", action: .forward))
    }

    /// Chapter and book, and the speed where it is another than the recording's own.
    func drawDetails(_ picture: Picture, _ state: SpeakerStatus) {
        let frame = layout.details
        if frame.isEmpty { return }
        var width = frame.width
        if let pill = Pill.fitting(state.pillWords, width: frame.width / 2, stage) {
            let pillWidth = pill.width(stage)
            pill.draw(
                picture,
                PixelRect(
                    x: frame.maxX - pillWidth, y: frame.y + (frame.height - stage.pixels(Metrics.pillHeight)) / 2,
                    width: pillWidth, height: stage.pixels(Metrics.pillHeight)))
            width -= pillWidth + stage.pixels(Spacing.small)
        }
        let chapter = chapterWords(state)
        let book = bookWords(state)
        let text = chapter.isEmpty ? book : book.isEmpty ? chapter : chapter + " — " + book
        if text.isEmpty { return }
        let line = stage.set(text, .subheadline, width: width)
        picture.write(
            line, text, x: frame.x, y: frame.y + (frame.height - line.height) / 2, width: width,
            stage.theme.secondaryText)
    }
}
