/** The members of a value that may be its title, the likeliest first. */
export const titles = ["title", "name", "label", "text", "subject", "firstName", "id"];
