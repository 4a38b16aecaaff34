import CallboardClient
import Foundation

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import UIKitDouble
#endif

extension RemoteListDirector: UIScrollViewDelegate {
    /// Tells of `didScroll`.
    public func scrollViewDidScroll(_ scrollView: UIScrollView) {
        tell(\.didScroll, scrollView)
        viewDidScroll()
    }

    /// Tells of `didZoom`.
    public func scrollViewDidZoom(_ scrollView: UIScrollView) {
        delegate.tell(\.didZoom, parameters: ["scale": JSON(scrollView.zoomScale)])
    }

    /// Tells of `willBeginDragging`.
    public func scrollViewWillBeginDragging(_ scrollView: UIScrollView) { tell(\.willBeginDragging, scrollView) }

    /// Tells of `willEndDragging`.
    public func scrollViewWillEndDragging(
        _ scrollView: UIScrollView, withVelocity velocity: CGPoint, targetContentOffset: UnsafeMutablePointer<CGPoint>
    ) {
        // SAFETY: UIKit's pointer is valid for the length of the call, and is read once.
        let target = targetContentOffset.pointee
        delegate.tell(\.willEndDragging, parameters: ["velocity": JSON(velocity), "targetOffset": JSON(target)])
    }

    /// Tells of `endDragging`.
    public func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {
        delegate.tell(
            \.endDragging,
            parameters: ["willDecelerate": .bool(decelerate), "contentOffset": JSON(scrollView.contentOffset)])
    }

    /// Tells of `willBeginDecelerating`.
    public func scrollViewWillBeginDecelerating(_ scrollView: UIScrollView) {
        tell(\.willBeginDecelerating, scrollView)
    }

    /// Tells of `endDecelerating`.
    public func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) { tell(\.endDecelerating, scrollView) }

    /// Tells of `endScrollingAnimation`.
    public func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) {
        tell(\.endScrollingAnimation, scrollView)
    }

    /// Tells of `willBeginZooming`.
    public func scrollViewWillBeginZooming(_ scrollView: UIScrollView, with view: UIView?) {
        delegate.tell(\.willBeginZooming)
    }

    /// Tells of `endZooming`.
    public func scrollViewDidEndZooming(_ scrollView: UIScrollView, with view: UIView?, atScale scale: CGFloat) {
        delegate.tell(\.endZooming, parameters: ["scale": JSON(scale)])
    }

    /// Answers `shouldScrollToTop`.
    public func scrollViewShouldScrollToTop(_ scrollView: UIScrollView) -> Bool {
        delegate.answer(\.shouldScrollToTop) ?? true
    }

    /// Tells of `didScrollToTop`.
    public func scrollViewDidScrollToTop(_ scrollView: UIScrollView) { tell(\.didScrollToTop, scrollView) }

    /// Tells of `didChangeAdjustedContentInset`.
    public func scrollViewDidChangeAdjustedContentInset(_ scrollView: UIScrollView) {
        let inset = scrollView.adjustedContentInset
        delegate.tell(
            \.didChangeAdjustedContentInset,
            parameters: [
                "inset": [
                    "top": JSON(inset.top), "left": JSON(inset.left), "bottom": JSON(inset.bottom),
                    "right": JSON(inset.right),
                ]
            ])
    }

    private func tell(_ event: KeyPath<DirectorEvents, ListNotification>, _ scrollView: UIScrollView) {
        delegate.tell(event, parameters: ["contentOffset": JSON(scrollView.contentOffset)])
    }
}
