// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Pixels
import Text
import Typography

/// The player's appearance at a moment, without transcript and progress, which change by themselves.
extension PlayerScene {
    func drawBackground(_ picture: Picture, isPlaying: Bool) {
        if layout.isWide && stage.hasBlur && art.drawRoom(picture, isPlaying: isPlaying) { return }
        picture.canvas.fill(stage.bounds, with: gradient.gradient(in: stage.theme))
    }

    func drawHeader(_ picture: Picture, _ state: SpeakerStatus) {
        if layout.isWide { drawClock(picture, state) } else { drawAppTitle(picture, state) }
        if !layout.hasHeartBelow { drawHeart(picture, state) }
    }

    /// The heart's glass needs all the pixels beneath it, which a partial redraw does not have.
    private func keepHeartGround(_ picture: Picture, isPlaying: Bool) {
        let place = layout.heart.intersection(stage.bounds)
        if picture.canvas.clip.contains(place) {
            heartGrounds[isPlaying ? 1 : 0] = picture.surface.part(place)
        } else if let ground = heartGrounds[isPlaying ? 1 : 0] {
            picture.surface.put(ground, x: place.x, y: place.y, within: picture.canvas.clip)
        }
    }

    private func drawHeart(_ picture: Picture, _ state: SpeakerStatus) {
        let theme = stage.theme
        let color = state.isFavourite ? theme.favourite : theme.text
        picture.draw(state.isFavourite ? .heartFilled : .heart, in: layout.heart, points: Metrics.symbol, color)
        picture.add(
            layout.heart, translated("Favourite"), value: state.isFavourite ? translated("on") : translated("off"),
            hint: state.isFavourite
                ? translated("removes it from the favourites") : translated("adds it to the favourites"),
            action: .toggleFavourite)
        if layout.way.isEmpty { return }
        picture.draw(.library, in: layout.way, points: Metrics.symbol, theme.text)
        picture.add(
            layout.way, translated("Library"), hint: translated("shows books and podcasts"), action: .show(.library))
    }

    /// Draws the time for the bedside; the app's name if no clock is set.
    private func drawClock(_ picture: Picture, _ state: SpeakerStatus) {
        var room = layout.header
        if room.isEmpty { return }
        let color = stage.theme.text
        let clock = state.minuteOfDay.map { clockWords(minute: $0) } ?? "Nightstand"
        let date = Words.belowClock(state, stage, layout.date(stage), width: room.width)
        if state.minuteOfDay != nil { picture.add(room, translated("Clock"), value: clock) }
        picture.write(clock, layout.appTitle(stage), in: room.cutTop(stage.lineHeight(layout.appTitle(stage))), color)
        if layout.hasDate && !date.isEmpty { picture.write(date, layout.date(stage), in: room, color) }
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
                let place = header.middle(height: min(header.height, Pill.height(stage)))
                // A touch on the pill comes before one on the name.
                pill.draw(picture, width <= room ? place.right(width) : place.left(width))
                if width > room { return }
            }
        }
        var room = header
        if date.isEmpty { return picture.write(title, "Nightstand", in: room, theme.text) }
        picture.write(title, "Nightstand", in: room.cutTop(title.height), theme.text)
        picture.write(line, date, in: room.top(line.height), theme.text)
    }

    /// - Parameter body: draws the content on the artwork.
    func drawArtwork(_ picture: Picture, isBlurred: Bool, isToned: Bool, _ body: () -> Void) {
        let frame = layout.artwork
        let radius = stage.pixels(layout.isWide ? Radius.televisionArtwork : Radius.artwork)
        picture.shadow(of: frame, radius: radius, layout.isWide ? .television : .artwork)
        picture.rounded(frame, radius: radius) {
            drawArtwork(picture, frame, isBlurred: isBlurred, isToned: isToned)
            inInk(body)
        }
        // A dark cover on a dark ground needs a visible edge, too.
        if !layout.isWide { return }
        picture.canvas.stroke(
            frame, radius: radius, width: stage.scale.line(0.5), with: stage.theme.text.opacity(Metrics.coverEdge))
    }

    private func drawArtwork(_ picture: Picture, _ frame: PixelRect, isBlurred: Bool, isToned: Bool) {
        guard let artwork else { return drawPlaceholder(picture, frame) }
        // The glass under the controls has its own blur.
        let free =
            stage.hasBlur && !isToned && !layout.isWide ? frame.top(frame.height - layout.controls.height) : frame
        picture.canvas.clipped(to: free) {
            if !isBlurred {
                picture.canvas.draw(artwork, scaledTo: frame)
            } else if let blurred = isToned ? art.glassBack(stage, in: frame) : art.blurred(stage, in: frame) {
                picture.canvas.draw(blurred, scaledTo: frame)
            }
            picture.canvas.fill(frame, with: stage.theme.pictureShade)
        }
    }

    /// Draws the placeholder without artwork: a gradient deeper than the screen's, and a book.
    private func drawPlaceholder(_ picture: Picture, _ frame: PixelRect) {
        let theme = stage.theme
        picture.canvas.fill(frame, with: theme.placeholder(in: gradient.gradient(in: theme)))
        // No symbol stands behind words that are read.
        if hasTranscript && !layout.isWide { return }
        let free = layout.isWide ? frame : frame.top(layout.controls.y - frame.y)
        let size = Float(min(free.width, free.height)) / stage.scale.factor * Metrics.placeholderPart
        picture.draw(.book, in: free, points: size, theme.placeholderSymbol)
    }

    /// Draws a veil over the artwork while words stand on it.
    func veil(_ picture: Picture) {
        let frame = layout.artwork
        let tint = stage.hasBlur ? stage.theme.glassTint : stage.theme.solid(1).opacity(Metrics.solidVeil)
        picture.canvas.fill(frame, with: picture.tint(tint, over: frame.inset(by: 2)))
    }

    func drawTitle(_ picture: Picture, _ state: SpeakerStatus, isPlaying: Bool, isVeiled: Bool) {
        let theme = stage.theme
        let frame = titleFrame(state)
        let text = titleWords(state)
        let opacity = isPlaying ? Metrics.dimmedTitle : 1
        if text.isEmpty { return }
        if layout.isWide && !hasTranscript && state.toldTrouble == nil {
            return drawTitleAlone(picture, text, state, opacity: opacity)
        }
        if hasTranscript && layout.titleLines == 0 { return }
        let (title, style) = setTitle(state)
        picture.add(frame, translated("Title"), value: text)
        if !layout.isWide {
            if !isVeiled { drawTitleGlass(picture, title, frame) }
            return picture.writeComing(
                title, text, style, in: frame.top(title.height), theme.text, opacity: opacity)
        }
        var lines = [bookWords(state), chapterWords(state)].filter { !$0.isEmpty }
        // With room for one line, show the chapter.
        if layout.isCompact { lines = layout.hasTitleDetail ? lines.suffix(1) : [] }
        let lineHeight = stage.lineHeight(.subheadline)
        let height = title.height + lines.count * lineHeight
        // Under the header the words start at the top; otherwise they end where the artwork ends.
        var room = layout.isCompact ? frame.top(height) : frame.bottom(height)
        picture.writeComing(title, text, style, in: room.cutTop(title.height), theme.text, opacity: opacity)
        for line in lines {
            picture.write(line, .subheadline, in: room.cutTop(lineHeight), theme.secondaryText, beneath: title)
        }
    }

    /// Draws the trouble in place of the spoken words.
    func drawTrouble(_ picture: Picture, _ state: SpeakerStatus) {
        guard let trouble = state.toldTrouble else { return }
        var room = wholeTranscriptArea(state)
        if titleWords(state).isEmpty {
            let end = max(room.maxY, layout.title.maxY)
            room.y = belowPill(state) ?? min(room.y, layout.title.y)
            if layout.isWide { room.y = max(room.y, layout.rest.y) }
            room.height = end - room.y
        } else if !layout.isWide {
            // The title's glass extends beyond the title.
            _ = room.cutTop(stage.pixels(Spacing.small))
        }
        TroubleCard(trouble, name: state.troubleName).draw(picture, in: room)
    }

    /// Draws a large title beside the middle of the cover.
    private func drawTitleAlone(_ picture: Picture, _ text: String, _ state: SpeakerStatus, opacity: Float) {
        let (theme, frame) = (stage.theme, layout.rest)
        let (large, middle, small): (TypeStyle, TypeStyle, TypeStyle) =
            layout.isCompact ? (.title2, .headline, .subheadline) : (.largeTitle, .title2, .headline)
        let most = max(1, min(3, frame.height / stage.lineHeight(large) - 1))
        let title = stage.set(text, large, width: frame.width, lines: most)
        let lines = [(bookWords(state), middle.weight(.regular)), (chapterWords(state), small.weight(.regular))]
            .filter { !$0.0.isEmpty }
        let height = title.height + lines.reduce(0) { $0 + stage.lineHeight($1.1) }
        var room = frame.middle(height: min(height, frame.height))
        let place = room.cutTop(title.height)
        picture.add(place, translated("Title"), value: text)
        picture.writeComing(title, text, large, in: place, theme.text, opacity: opacity)
        for (line, style) in lines {
            let place = room.cutTop(stage.lineHeight(style))
            picture.write(line, style, in: place, theme.secondaryText, beneath: title)
        }
    }

    /// Keeps the title readable on any artwork.
    private func drawTitleGlass(_ picture: Picture, _ title: TextLayout, _ frame: PixelRect) {
        let box = (title.isRightToLeft ? frame.right(title.width) : frame.left(title.width)).top(title.height)
        drawGlass(picture, under: box)
    }

    func drawGlass(_ picture: Picture, under words: PixelRect) {
        picture.glass(
            words.inset(by: -stage.pixels(Spacing.small)), radius: stage.pixels(Radius.card),
            over: art.glassBack(stage, in: layout.artwork), in: layout.artwork,
            tint: stage.hasBlur ? stage.theme.glassTint : stage.theme.solid(1), hasStroke: stage.hasBlur)
    }

    /// Returns the title; "" if the trouble says enough, or needs the title's room.
    func titleWords(_ state: SpeakerStatus) -> String {
        if state.toldTrouble == nil { return state.title.isEmpty ? translated("Nothing is playing") : state.title }
        if layout.titleLines == 0 { return "" }
        let room = layout.transcript.height - (layout.isWide ? 0 : stage.pixels(Spacing.small))
        return room < TroubleCard.leastHeight(stage) ? "" : state.title
    }

    /// Returns the alarm's words, else the book's name. If that equals the title, returns the author, to avoid a repetition.
    func bookWords(_ state: SpeakerStatus) -> String {
        if let words = state.alarm?.words { return words }
        if let trouble = state.trouble, state.toldTrouble == nil {
            return TroubleCard(trouble, name: state.troubleName).words
        }
        return state.book.isEmpty || state.book == state.title ? state.artist : state.book
    }

    func chapterWords(_ state: SpeakerStatus) -> String {
        if state.chapterNumber < 1 { return state.chapter }
        let place =
            state.chapterCount > 0
            ? translated("Chapter %1 of %2", "\(state.chapterNumber)", "\(state.chapterCount)")
            : translated("Chapter %1", "\(state.chapterNumber)")
        let left = chapterMinutes(state).map { [translated("%1 left", Words.minutes($0 * 60_000))] } ?? []
        return ([place] + left + (state.chapter.isEmpty ? [] : [state.chapter])).joined(separator: " · ")
    }

    /// Returns the minutes until the chapter ends, at the current speed; nil if its end is unknown or is the recording's end.
    func chapterMinutes(_ state: SpeakerStatus) -> Int? {
        let starts = strip.chapters(of: state.file)
        guard starts.count > 1, let end = starts.first(where: { $0 > state.positionMilliseconds }) else { return nil }
        let left = Int64(end - state.positionMilliseconds) * 100 / Int64(max(1, state.speed.percent))
        return Words.rounded(Int(clamping: left))
    }

    /// The place of book and chapter.
    var chapterPlace: PixelRect {
        layout.isWide ? hasTranscript ? layout.title : layout.rest : layout.details
    }

    /// Sets the title in the first style in which all of it fits.
    private func setTitle(_ state: SpeakerStatus) -> (set: TextLayout, style: TypeStyle) {
        let lines = max(1, layout.titleLines)
        return stage.fit(
            titleWords(state), layout.titleStyles, width: titleFrame(state).width,
            height: lines * stage.lineHeight(layout.titleStyle), mostLines: lines)
    }

    /// Returns the title's place, without the pill at the end of its line.
    private func titleFrame(_ state: SpeakerStatus) -> PixelRect {
        var frame = layout.title
        if layout.pillIsWithTitle, let pill = pillWithTitle(state) {
            frame.width -= pill.width(stage) + stage.pixels(Spacing.small)
        }
        return frame
    }

    /// Returns the lower edge of speed and sleep in the title's line; nil if they are elsewhere.
    private func belowPill(_ state: SpeakerStatus) -> Int? {
        if !layout.pillIsWithTitle || pillWithTitle(state) == nil { return nil }
        return layout.title.middle(height: Pill.height(stage)).maxY
    }

    private func pillWithTitle(_ state: SpeakerStatus) -> Pill? {
        Pill.fitting(state.pillWords, width: layout.title.width / 2, stage)
    }

    /// Returns the transcript's place. A short title leaves its second line to the transcript. Paused, a tall player shows the cover again
    /// if both fit.
    func transcriptArea(_ state: SpeakerStatus, isPlaying: Bool) -> PixelRect {
        let area = wholeTranscriptArea(state)
        if isPlaying || layout.isWide { return area }
        let line = stage.lineHeight(layout.sentence)
        let height = max(4 * line, Int(Float(area.height) * Metrics.pausedTranscriptPart))
        return area.bottom(min(area.height, height)).inset(x: stage.pixels(Spacing.small), y: 0)
    }

    private func wholeTranscriptArea(_ state: SpeakerStatus) -> PixelRect {
        var area = layout.transcript
        if layout.titleLines == 0 {
            if let top = belowPill(state) { (area.y, area.height) = (top, area.maxY - top) }
            return area
        }
        let spare = layout.titleLines * stage.lineHeight(layout.titleStyle) - setTitle(state).set.height
        // A title below the transcript grows downward.
        if layout.title.y < area.y { area.y -= spare }
        area.height += spare
        return area
    }

    /// - Parameter isVeiled: true if glass covers the whole artwork, so the overlay needs none of its own.
    func drawControls(_ picture: Picture, _ state: SpeakerStatus, isPlaying: Bool, isVeiled: Bool) {
        let theme = stage.theme
        let frame = layout.controls
        if !layout.isWide {
            picture.glass(
                frame, radius: 0, over: isVeiled ? nil : art.glassBack(stage, in: layout.artwork), in: layout.artwork,
                tint: stage.hasBlur ? theme.controlsTint : theme.solid(1), hasStroke: false)
        }
        if layout.hasHeartBelow {
            keepHeartGround(picture, isPlaying: isPlaying)
            drawHeart(picture, state)
        }
        let buttons = layout.buttons(stage)
        let transport = Transport(state, isPlaying: isPlaying)
        transport.draw(.back, picture, in: buttons.back, theme.text)
        let disc = buttons.play
        picture.shadow(of: disc, radius: disc.width / 2, .medium)
        picture.canvas.fill(disc, radius: disc.width / 2, with: theme.playDisc)
        if theme.isNight {
            picture.canvas.stroke(
                disc, radius: disc.width / 2, width: stage.scale.line(1), with: theme.text.opacity(Metrics.nightEdge))
        }
        transport.draw(.play, picture, in: disc, points: Metrics.playSymbol, theme.playSymbol, relief: .disc)
        transport.draw(.forward, picture, in: buttons.forward, theme.text)
        guard let percent = state.volumePercent else { return }
        picture.add(
            coverAlone, translated("Volume"), value: translated("%1 percent", "\(percent)"),
            hint: translated("drag up or down"), role: .slider)
    }

    /// Draws speed and sleep on wide panels: beside the buttons, or read-only on the cover if there is no room.
    func drawPill(_ picture: Picture, _ state: SpeakerStatus) {
        if layout.pillIsWithTitle, let pill = pillWithTitle(state) {
            let place = layout.title.middle(height: Pill.height(stage)).right(
                min(layout.title.width, pill.width(stage)))
            return pill.draw(picture, place, solid: Pill.onCover(stage.theme))
        }
        if !layout.isWide { return }
        let small = stage.pixels(Spacing.small)
        let (before, after) = layout.besideButtons(stage, duration: state.durationMilliseconds)
        let (speed, sleep) = (Shortcut.speed(state), Shortcut.sleep(state))
        if speed.fits(before, stage) && sleep.fits(after, stage) {
            speed.draw(picture, in: before, isAtEnd: true)
            sleep.draw(picture, in: after, isAtEnd: false)
            return
        }
        let cover = layout.artwork.inset(by: small).bottom(Pill.height(stage))
        guard let pill = Pill.fitting(state.pillWords, width: cover.width, stage) else { return }
        pill.draw(picture, cover.left(min(cover.width, pill.width(stage))), solid: Pill.onCover(stage.theme))
    }

    /// Draws chapter and book, with speed and sleep at the end.
    func drawDetails(_ picture: Picture, _ state: SpeakerStatus) {
        var room = layout.details
        if room.isEmpty { return }
        // The moon itself aligns with the margin, not its touch area.
        let overhang = state.sleep == .off ? stage.pixels(Metrics.target - Metrics.buttonSymbol) / 2 : 0
        for shortcut in [Shortcut.sleep(state), .speed(state)] {
            var part = room.right(room.width * 2 / 3)
            if room.maxX == layout.details.maxX { part.width += overhang }
            guard let place = shortcut.draw(picture, in: part, isAtEnd: true) else { continue }
            room.width = place.x - room.x
        }
        let words = [chapterWords(state), bookWords(state)].filter { !$0.isEmpty }.joined(separator: " — ")
        picture.write(words, .subheadline, in: room, stage.theme.secondaryText)
    }
}
