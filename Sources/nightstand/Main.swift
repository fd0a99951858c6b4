@main
struct Main {
    static func main() {
        let words = "Ünder the lamp".split(separator: " ")
        var d: [String: Int] = [:]
        for w in words { d[String(w), default: 0] += 1 }
        print("nightstand \(d.count)")
    }
}
