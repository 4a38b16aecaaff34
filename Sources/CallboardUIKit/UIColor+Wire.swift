#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import Foundation
    import UIKitDouble
#endif

extension UIColor {
    /// A colour as an answer has it: `#RRGGBB`, `#RRGGBBAA`, or the name of a colour of the app.
    convenience init?(callboard text: String) {
        guard text.hasPrefix("#") else {
            self.init(named: text)
            return
        }
        let digits = text.dropFirst()
        guard [6, 8].contains(digits.count), let number = UInt32(digits, radix: 16) else { return nil }
        let value = digits.count == 8 ? number : number << 8 | 0xff
        let parts = [24, 16, 8, 0].map { CGFloat(value >> $0 & 0xff) / 255 }
        self.init(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
    }
}
