/// The letters with which things that are no audio begin, as big-endian numbers.
enum Signature {
    static var riff: UInt32 { 0x5249_4646 }
    static var data: UInt32 { 0x6461_7461 }
    static var tag: UInt32 { 0x54_4147 }
    static var apet: UInt32 { 0x4150_4554 }
    static var agex: UInt32 { 0x4147_4558 }
}
