// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// The program's help text, and its answer to wrong usage.
public enum Usage {
    public static let text = """
        usage: nightstand [--config FILE]                  run the speaker
               nightstand check                            name all mistakes in the configuration
               nightstand play [OPTION...] PATH...         play files, folders or addresses, the terminal being the board
               nightstand decode FILE [-o OUT.wav]         decode a file as fast as it goes
               nightstand align AUDIO... TEXT [OPTION...]  make a transcript of a recording and its text
               nightstand words                            the same for all recordings with a text beside them, while nothing plays
               nightstand console [COMMAND...]             talk to a running speaker, or have it do one thing
               nightstand pause|resume|stop|next|previous|status
               nightstand sleep|volume|speed|seek|say|book|announce|interrupt [WORDS...]  the same, for short: sleep 20, seek +1:30
               nightstand fetch [OPTION...]                fetch what a speaker plays from a network
               nightstand screen [OPTION...]               show what a speaker plays on a panel, or draw it into a file
               nightstand profile [OPTION...]              measure a running speaker
               nightstand report                           what helps to help: board, cards, versions, warnings; no names
               nightstand favourites export|import FILE    favourites and bookmarks to and from a file
               nightstand subscribe ADDRESS                to the podcast whose feed is there
               nightstand unsubscribe ADDRESS|NAME
               nightstand subscriptions [export|import FILE]  list them, or exchange them with other programs (OPML)
               nightstand backup FILE                      copy what the speaker remembers into a file
               nightstand restore FILE                     and have it remember that again
               nightstand household join URL|leave|status  share what is remembered with other speakers, by way of a server
               nightstand sync [OPTION...]                 once: what others have changed comes, what was changed here goes
               nightstand bridge [OPTION...]               join an MQTT broker, for Home Assistant
               nightstand headphones [OPTION...]           find and connect headphones without a wire
               nightstand update [FILE|ADDRESS]            another version of a card image, tried once at the next start
               nightstand --help | --version

          -c, --config FILE     read FILE and not /etc/nightstand.conf
              --strict          do not run the speaker with a mistake in it
        play:
              --lcd COLSxROWS   the character LCD drawn in the terminal (16x2, 20x4, ...)
              --device NAME     the ALSA device
              --state FOLDER    where positions and favourites are kept
              --socket PATH     where the console listens
              --screen          on a panel, too
        decode:
          -o, --output FILE     write a WAV file
              --from MS         begin at this millisecond (0)
              --speed SPEED     from 0.5 to 3, at the recording's own pitch (1)
              --silences WHICH  own, or shorter: a fifth of each (own)
        align:
          -o, --output FILE     the transcript (beside the recording, .vtt)
              --language CODE   of the text (guessed)
        console, profile, favourites, backup, restore, subscribe, unsubscribe, subscriptions, household, sync, bridge,
        headphones:
          -s, --socket PATH     where the speaker listens (/run/nightstand/socket)
        household, sync:
              --account FILE    what opens the server (/var/lib/nightstand-sync/account)
        sync:
              --stay            for as long as somebody is at the speaker, and not once
        fetch:
              --cache FOLDER    where it keeps what it has fetched (/var/cache/nightstand)
          -s, --socket PATH     where it listens (/run/nightstand-fetch/socket)
        screen:
              --png FILE        draw into FILE, once
              --size WxH        of the picture (800x480)
              --theme THEME     light, dark or night
              --panel DEVICE    /dev/dri/card0, /dev/fb1 or a file that stands for a panel of that size
              --state FILE      what there is to show, as the console's screenstate says it
          -s, --socket PATH     draw what the speaker shows that listens there
              --screen NAME     what to draw (player); a name that is none lists them all
              --comfort WORDS   with commas between: reduced-motion, reduced-transparency, increased-contrast, low-power
              --tree            tell what stands on it, as a voice would, one element a line
              --at PART         how far it is from pause (0) to play (1), or a screen has come up
              --text-size N     percent of the letters' own size (100)
        favourites, backup, restore, subscriptions:
              --state FOLDER    where a speaker that does not run keeps positions and favourites
        profile:
          -n, --seconds N       for how long (60)
          -b, --budget FILE     what the figures may be; exit code 1 where one is over
          -x, --exercise        presses for itself: 20 pauses and 20 skips

        """

    /// Returns the exit code for wrong usage.
    public static func misused() -> Int32 {
        Log.error("try 'nightstand --help'")
        return 2
    }

    /// Prints to standard output. Returns the exit code for success.
    public static func say(_ text: String) -> Int32 {
        var text = text
        text.withUTF8 { bytes in _ = write(1, bytes.baseAddress, bytes.count) }
        return 0
    }
}
