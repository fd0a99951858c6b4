import CPosix
import Posix

@main
struct Main {
    static func main() {
        let arguments = (try? processArguments()) ?? []
        exit(DecodeCommand.run(file: arguments[1], output: arguments.count > 2 ? arguments[2] : nil))
    }
}
