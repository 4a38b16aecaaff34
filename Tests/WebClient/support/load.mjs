// The client under test: what the server serves where CALLBOARD_CLIENT is "served", else its sources.
const folder = process.env.CALLBOARD_CLIENT === "served" ? "served" : "client";
export const client = await import(new URL(`../../../Sources/WebAssets/${folder}/client.js`, import.meta.url));
