/**
 * The shapes of the wire, as the rest of the client names them. This module has types only, and is left out of the
 * file that is served.
 *
 * @typedef {unknown} JSONValue Any JSON.
 *
 * Each shape that has elements is generic over their values, any JSON unless somebody says what they are.
 */
/**
 * @template [Value=any]
 * @typedef {object} Element A published element. Its members are read-only: copies of different versions share it.
 * @property {string} id Its identifier, unique only where the director's values make it so.
 * @property {string} [model] The model that it is of.
 * @property {Value} value Its value, any JSON.
 * @property {string} [row] The row that it comes from, in a section of rows.
 * @property {string} [cell] The cell of a row.
 * @property {number} [height] The height of a row.
 * @property {Record<string, any>} [config] What a row's `additionalConfig` came to.
 *
 */
/**
 * @typedef {object} Elements What an array and the holes of a sparse list have in common.
 * @property {number} length How many elements there are, loaded or not.
 * @property {(index: number) => Element | undefined} at The element there; undefined where it is not loaded.
 *
 */
/**
 * @template [Value=any]
 * @typedef {object} Section A published section.
 * @property {string} id Its identifier.
 * @property {string | null} [headerTitle] The header's title.
 * @property {string | null} [footerTitle] The footer's title.
 * @property {string | null} [headerView] The header's view.
 * @property {string | null} [footerView] The footer's view.
 * @property {string | null} [indexTitle] Its title in the index.
 * @property {Element<Value>[]} elements Its elements; of a sparse list a `SparseElements`.
 */
/**
 * @typedef {[number, number]} IndexPath A section's and an element's position.
 *
 * @typedef {object} Stage One stage of a changeset.
 * @property {{at: IndexPath, element: Element}[]} [elementUpdated]
 * @property {number[]} [sectionDeleted]
 * @property {IndexPath[]} [elementDeleted]
 * @property {{at: number, section: Section}[]} [sectionInserted]
 * @property {{from: number, to: number}[]} [sectionMoved]
 * @property {{at: IndexPath, element: Element}[]} [elementInserted]
 * @property {{from: IndexPath, to: IndexPath}[]} [elementMoved]
 * @property {{at: number, section: Section}[]} [sectionUpdated]
 *
 * @typedef {{sections: number, elements: number}} Counts
 *
 * @typedef {object} Changeset The difference between two published versions.
 * @property {string} director
 * @property {string} epoch
 * @property {number} from
 * @property {number} version
 * @property {Stage[]} stages
 * @property {{at: IndexPath, element: Element}[]} [replaced]
 * @property {Counts} [counts]
 * @property {Record<string, string>} [animations]
 * @property {Record<string, any>} [totals] The totals of a view, all of them, where they have changed.
 * @property {string[]} [causes] The causes of the mutations that it shows first, where the server names them.
 *
 * @typedef {{title: string, subtitle: string, image: string, badge: string, trailing: string}} RowParts What a row shows: texts that may be
 *   empty, or an adapter's templates for them.
 *
 * @typedef {object} Definition What a director is: properties, adapters and the rest of what a snapshot says of it.
 * @property {string} director
 * @property {string} [kind]
 * @property {Record<string, any>} [properties]
 * @property {Record<string, any>} [totals] The totals of a view by name, of the version that the list is at: a number or null, of a total
 *   by section an object by the sections' identifiers.
 * @property {{model: string, cell: string, reuseIdentifier?: string, unique?: boolean, preview?: Partial<RowParts>}[]} [adapters]
 *
 * @typedef {Definition & {epoch: string, version: number, sections: (Section & {count?: number})[], counts?: Counts,
 *   reset?: string}} Snapshot
 *
 * @typedef {object} Scroll An element to bring into view: whoever shows another version finds it by its identifiers.
 * @property {number} version
 * @property {IndexPath} indexPath
 * @property {string} section
 * @property {string} element
 * @property {"none" | "top" | "middle" | "bottom"} position Where in what is visible; `none` is the nearest place.
 * @property {boolean} animated
 *
 * @typedef {{event: string, data: string}} StreamEvent One event of the stream, its data still text.
 *
 * @typedef {"connecting" | "live" | "waiting" | "over" | "failed"} Status Where a list stands: its stream is being
 *   opened, running, to be opened again after a pause, ended since the director is gone, or given up with an error.
 *
 */
/**
 * @template [Value=any]
 * @typedef {object} ListState What a list holds at one moment; a new object for every change.
 * @property {Status} status
 * @property {string} epoch
 * @property {number} version -1 before the first snapshot.
 * @property {Section<Value>[]} sections What is to be shown: the published sections with what is shown ahead of time.
 * @property {Definition | undefined} definition
 * @property {Error | undefined} error Why the list has failed.
 */
/**
 * @template [Value=any]
 * @typedef {Pick<ListState<Value>, "epoch" | "version" | "sections" | "definition">} KeptState What a list can begin with: a state of
 *   `getSnapshot()` that was written down where the list was followed before.
 */
export {};
