/**
 * What a page needs where there is no network: reports that are kept until the server has them, and lists of an earlier visit.
 */
import { ListStore } from "./list-store.js";
import { ReportQueue } from "./report-queue.js";

export { ListStore, ReportQueue };
