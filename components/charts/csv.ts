/** A cell that spreadsheets do not interpret as a formula, quoted where needed. */
export function csvCell(value: string | number): string {
  const text = String(value);
  const safe = /^[=+@\t\r\n\0＝＋－＠]|^-(?!\d+(?:\.\d+)?$)/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Downloads a table as a file. */
export function downloadCsv(filename: string, rows: Array<Array<string | number>>): void {
  const text = rows.map((row) => row.map(csvCell).join(",")).join("\r\n");
  downloadText(filename, `\uFEFF${text}\r\n`, "text/csv");
}

/** Downloads a text as a file. */
export function downloadText(filename: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = filename.replace(/[^\w.+-]+/g, "_");
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
