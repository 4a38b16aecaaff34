import CallboardClient
import Foundation

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import UIKitDouble
#endif

extension RemoteTableDirector {
    /// The header view of a section, filled by `dequeue`; nil shows the title.
    public func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? {
        view(tableView, section, isHeader: true)
    }

    /// The footer view of a section, filled by `dequeue`; nil shows the title.
    public func tableView(_ tableView: UITableView, viewForFooterInSection section: Int) -> UIView? {
        view(tableView, section, isHeader: false)
    }

    private func view(_ tableView: UITableView, _ section: Int, isHeader: Bool) -> UIView? {
        guard let identifier = delegate.reuseIdentifier(ofSection: section, isHeader: isHeader),
            let view = tableView.dequeueReusableHeaderFooterView(withIdentifier: identifier)
        else { return nil }
        delegate.tell(\.dequeue, ofSection: section, isHeader: isHeader, view: view)
        return view
    }

    /// Answers `headerHeight`; by itself, the table's.
    public func tableView(_ tableView: UITableView, heightForHeaderInSection section: Int) -> CGFloat {
        delegate.answer(\.headerHeight, ofSection: section, isHeader: true) ?? tableView.sectionHeaderHeight
    }

    /// Answers `footerHeight`; by itself, the table's.
    public func tableView(_ tableView: UITableView, heightForFooterInSection section: Int) -> CGFloat {
        delegate.answer(\.footerHeight, ofSection: section, isHeader: false) ?? tableView.sectionFooterHeight
    }

    /// Answers `estHeaderHeight`; by itself, UIKit's.
    public func tableView(_ tableView: UITableView, estimatedHeightForHeaderInSection section: Int) -> CGFloat {
        delegate.answer(\.estHeaderHeight, ofSection: section, isHeader: true) ?? UITableView.automaticDimension
    }

    /// Answers `estFooterHeight`; by itself, UIKit's.
    public func tableView(_ tableView: UITableView, estimatedHeightForFooterInSection section: Int) -> CGFloat {
        delegate.answer(\.estFooterHeight, ofSection: section, isHeader: false) ?? UITableView.automaticDimension
    }

    /// Tells of the view's `willDisplay` and the director's `willDisplayHeader`.
    public func tableView(_ tableView: UITableView, willDisplayHeaderView view: UIView, forSection section: Int) {
        delegate.tell(\.willDisplay, ofSection: section, isHeader: true, view: view)
        delegate.tellDirector(\.willDisplayHeader, ofSection: section, isHeader: true)
    }

    /// Tells of the view's `willDisplay` and the director's `willDisplayFooter`.
    public func tableView(_ tableView: UITableView, willDisplayFooterView view: UIView, forSection section: Int) {
        delegate.tell(\.willDisplay, ofSection: section, isHeader: false, view: view)
        delegate.tellDirector(\.willDisplayFooter, ofSection: section, isHeader: false)
    }

    /// Tells of the view's `endDisplay` and the director's `endDisplayHeader`.
    public func tableView(_ tableView: UITableView, didEndDisplayingHeaderView view: UIView, forSection section: Int) {
        delegate.tell(\.endDisplay, ofSection: section, isHeader: true, view: view)
        delegate.tellDirector(\.endDisplayHeader, ofSection: section, isHeader: true)
    }

    /// Tells of the view's `endDisplay` and the director's `endDisplayFooter`.
    public func tableView(_ tableView: UITableView, didEndDisplayingFooterView view: UIView, forSection section: Int) {
        delegate.tell(\.endDisplay, ofSection: section, isHeader: false, view: view)
        delegate.tellDirector(\.endDisplayFooter, ofSection: section, isHeader: false)
    }
}
