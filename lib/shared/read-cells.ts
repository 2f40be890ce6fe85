/** The cells of a text: quoted ones may have separators, line ends and doubled quotes in them. */
export function readCells(text: string): string[][] {
  const plain = text.replace(/^\uFEFF/, "");
  const separator = separatorOf(plain);
  const rows: string[][] = [[]];
  let [cell, quoted] = ["", false];
  const endCell = () => {
    rows.at(-1)?.push(cell);
    cell = "";
  };
  for (let at = 0; at < plain.length; at += 1) {
    const sign = plain.charAt(at);
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (plain.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (sign === '"' && cell.trim() === "") [cell, quoted] = ["", true];
    else if (sign === separator) endCell();
    else if (sign === "\n" || sign === "\r") {
      if (sign === "\r" && plain.charAt(at + 1) === "\n") at += 1;
      endCell();
      rows.push([]);
    } else cell += sign;
  }
  endCell();
  return rows;
}

/** Tabs come from spreadsheets, semicolons from those of countries with decimal commas. */
function separatorOf(text: string): string {
  const [first = ""] = text.split(/[\r\n]/, 1);
  const count = (sign: string) => first.split(sign).length;
  const [most = ","] = [",", ";", "\t", "，"].sort((a, b) => count(b) - count(a));
  return most;
}
