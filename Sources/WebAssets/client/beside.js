/** What list.js takes of the client beside it, in one import. */
export { Callboard, stringifyJSON } from "./client.js";
