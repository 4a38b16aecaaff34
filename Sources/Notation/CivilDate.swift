/// A date of the Gregorian calendar.
package struct CivilDate: Hashable, Sendable {
    /// The year.
    package let year: Int
    /// The month, from 1 to 12.
    package let month: Int
    /// The day of the month, from 1.
    package let day: Int

    /// The date of a day, counted from the beginning of 1970; negative before.
    ///
    /// Years are counted from March, so that the leap day is the last one of its year.
    package init(daysSince1970 days: Int) {
        // Day 0 of this count is 0000-03-01; a cycle of 400 years has 146,097 days.
        let shifted = days + 719_468
        let cycle = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfCycle = shifted - cycle * 146_097
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0)
    }

    /// Makes a date of its year, month and day; nil for a date that the calendar does not have, such as the 30th of
    /// February, and outside of the years 0 to 9999.
    package init?(year: Int, month: Int, day: Int) {
        guard 0...9999 ~= year, 1...12 ~= month, 1...Self.days(inMonth: month, of: year) ~= day else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The day, counted from the beginning of 1970; negative before.
    package var daysSince1970: Int {
        // Years that begin in March, as above. One cycle later, so that no year is negative and every division rounds
        // down.
        let marchYear = (month > 2 ? year : year - 1) + 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        return 365 * marchYear + leapDays + dayOfYear - 719_468 - 146_097
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
