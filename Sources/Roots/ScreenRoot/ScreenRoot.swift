// SPDX-License-Identifier: Apache-2.0
import Invocation
import Posix
import ScreenProcess

/// Runs `nightstand screen`: the process that draws. Returns its exit code.
///
/// This module becomes an object file of its own, which shares no Swift code with the speaker's. `nightstand` calls it by its C name.
@_cdecl("ns_screen_main")
public func screenMain(_ words: Int32, _ configPath: UnsafePointer<CChar>?) -> Int32 {
    let invocation = Invocation(lastWords: words, configPath: configPath)
    let options: [Arguments.Option] = [
        .config, .help, .png, .size, .theme, .state, .socket, .at, .text, .screen, .comfort, .tree, .panel, .child,
        .terminal,
    ]
    guard let arguments = Arguments(invocation.words, options: options) else { return Usage.misused() }
    if arguments.has(.help) { return Usage.say(Usage.text) }
    if !arguments.operands.isEmpty {
        Log.error("screen: more than was expected")
        return Usage.misused()
    }
    var given = ScreenSubcommand.Options()
    given.configPath = arguments.value(.config) ?? invocation.configPath
    given.socketPath = arguments.value(.socket)
    given.device = arguments.value(.panel)
    given.size = arguments.value(.size)
    given.theme = arguments.value(.theme)
    given.isChild = arguments.has(.child)
    given.terminal = arguments.value(.terminal)
    given.png = arguments.value(.png)
    given.picture.statePath = arguments.value(.state)
    given.picture.name = arguments.value(.screen)
    given.picture.part = arguments.value(.at)
    given.picture.textSize = arguments.value(.text)
    given.picture.comfort = arguments.value(.comfort)
    given.picture.tellsTree = arguments.has(.tree)
    given.version = Invocation.version
    let code = ScreenSubcommand.run(given)
    return code == 2 ? Usage.misused() : code
}
