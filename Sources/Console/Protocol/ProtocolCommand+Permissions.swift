import Core

extension ProtocolCommand {
    /// What a peer must be permitted to do for this, as MPD 0.23.12 has it for those that are MPD's; empty where everyone may.
    var permission: Permissions {
        switch self {
        case .binarylimit, .close, .commands, .help, .noidle, .notcommands, .password, .ping, .tagtypes: []
        case .albumart, .readpicture, .book, .books, .channels, .count, .counters, .currentsong, .decoders, .find,
            .getvol, .idle, .letters, .list, .listall, .listallinfo, .listmounts, .listneighbors, .listpartitions,
            .listplaylist, .listplaylistinfo, .listplaylists, .lsinfo, .outputs, .partition, .playlist, .listfiles,
            .readcomments, .playlistfind, .playlistid, .playlistinfo, .playlistsearch, .plchanges, .plchangesposid,
            .readmessages, .replayGainStatus, .screen, .screenstate, .search, .stats, .subscribe, .subscriptions,
            .unsubscribe, .urlhandlers,
            .status,
            .transcript, .say:
            .read
        case .add, .addid, .addtagid, .cleartagid, .rangeid, .findadd, .load, .searchadd: .add
        case .clear, .clearerror, .consume, .crossfade, .mixrampdb, .mixrampdelay, .move, .moveid, .prio,
            .prioid,
            .random, .`repeat`, .shuffle, .silence, .sentence, .sleep, .interrupt, .speed,
            .single,
            .swap, .swapid, .delete,
            .deleteid,
            .haptic, .next, .pause,
            .play, .playid, .previous, .replayGainMode, .seek, .seekcur, .seekid, .sayplay, .setvol, .stop, .volume:
            .player
        // A guest who may only play must not remove the alarm that is to wake the listener.
        case .alarm, .bookmark, .favourite, .finished, .menu, .playlistadd, .playlistclear, .playlistdelete,
            .playlistmove, .rename,
            .refresh, .rescan, .rm, .save, .searchaddpl, .sendmessage, .setting, .update:
            .control
        case .config, .delpartition, .disableoutput, .enableoutput, .mount, .moveoutput, .newpartition, .outputset,
            .sticker, .toggleoutput, .unmount:
            .admin.subtracting(.owner)
        case .backup, .forget, .restore: .memory
        case .household, .journal, .merge: .household
        case .buttons: .buttons
        // The service manager ends the speaker, and would start it again.
        case .kill: .nobody
        }
    }
}
