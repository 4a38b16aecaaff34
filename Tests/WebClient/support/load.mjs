// The client under test: its sources, or that of the folder whose address CALLBOARD_CLIENT is.
const folder = process.env.CALLBOARD_CLIENT ?? new URL("../../../Sources/WebAssets/client/", import.meta.url).href;
export const client = await import(new URL("client.js", folder));
