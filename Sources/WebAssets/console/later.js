/** What a visit may never open: it is one module, which comes with the first of it that is opened. */
export { History } from "./history.js";
export { loadDialog } from "./load-file.js";
export { showAccess } from "./page-access.js";
export { showHook } from "./page-hook.js";
export { showServer } from "./page-server.js";
