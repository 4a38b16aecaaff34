// The client under test, and what works offline: their sources, or those of the folder whose address CALLBOARD_CLIENT is.
const folder = process.env.CALLBOARD_CLIENT ?? new URL("../../../Sources/WebAssets/client/", import.meta.url).href;
export const client = await import(new URL("client.js", folder));
export const offline = await import(new URL("offline.js", folder));
