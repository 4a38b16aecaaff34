/**
 * Long lists with one tag, or ten lines: `<callboard-list name="countries">`, and `renderVirtual(list, container)`.
 */
import { CallboardList } from "./list-element.js";
import { renderVirtual } from "./render-virtual.js";

export { CallboardList, renderVirtual };
