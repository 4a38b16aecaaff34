/** Comma-separated values (RFC 4180): the first line names the columns, and every value is a text, as for `callboard load`. */

/**
 * The records of a text, one object for each line. The delimiter is a comma, a semicolon or a tab: the one that the heading has
 * most of. Throws where something is wrong, with the line.
 */
export function readCSV(source) {
  const text = source.replace(/^\ufeff/, "");
  const heading = /^[^\r\n]*/.exec(text)[0];
  const [delimiter] = [",", ";", "\t"].sort((a, b) => heading.split(b).length - heading.split(a).length);
  const [names, ...rows] = rowsOf(text, delimiter);
  if (!names) throw new Error("The file is empty.");
  const wrong = names.fields.findIndex((name, n) => !name || names.fields.indexOf(name) !== n);
  if (wrong >= 0) {
    throw new Error(names.fields[wrong] ? `Two columns of the heading are called “${names.fields[wrong]}”.` : `Column ${wrong + 1} of the heading has no name.`);
  }
  return rows.filter(({ fields }) => fields.length > 1 || fields[0]).map(({ fields, line }) => {
    if (fields.length !== names.fields.length) {
      throw new Error(`Line ${line} has ${fields.length} ${fields.length === 1 ? "value" : "values"}, and the heading ${names.fields.length}.`);
    }
    // A column may be called `__proto__`.
    return Object.fromEntries(names.fields.map((name, n) => [name, fields[n]]));
  });
}

/** The rows, each with the line that it begins on. */
function rowsOf(text, delimiter) {
  const rows = [];
  let at = 0, line = 1;
  while (at < text.length) {
    const row = { fields: [], line };
    rows.push(row);
    do row.fields.push(text[at] === "\"" ? quoted() : plain()); while (text[at] === delimiter && ++at);
    if (text[at] === "\r") at++;
    if (text[at] === "\n") at++;
    line++;
  }
  return rows;

  function plain() {
    const start = at;
    while (at < text.length && text[at] !== delimiter && text[at] !== "\n" && text[at] !== "\r") at++;
    return text.slice(start, at);
  }

  function quoted() {
    const began = line;
    let field = "";
    for (at++; ;) {
      const end = text.indexOf("\"", at);
      if (end < 0) throw new Error(`The quote that begins in line ${began} is never closed.`);
      field += text.slice(at, end);
      at = end + 1;
      // A quote within the field is written twice.
      if (text[at] !== "\"") break;
      field += "\"";
      at++;
    }
    line += field.split(/\r\n|\r|\n/).length - 1;
    if (plain()) throw new Error(`Line ${line}: something follows the closing quote of a value.`);
    return field;
  }
}
