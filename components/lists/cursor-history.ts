const NAME = "tollgate-log-pages";
const MAX_PAGES = 500;

/** Stores the previous page of each page for this tab; the server's cursors only lead to older ones. */
export function rememberPreviousPage(cursor: string, before: string | null): void {
  const pages = read().filter(([known]) => known !== cursor);
  try {
    sessionStorage.setItem(NAME, JSON.stringify([...pages, [cursor, before]].slice(-MAX_PAGES)));
  } catch {
    // Without storage "Newer" leads to the first page.
  }
}

/** The cursor of the page before; null for the first page, also when the page was not reached in this tab. */
export function previousPage(cursor: string): string | null {
  return read().find(([known]) => known === cursor)?.[1] ?? null;
}

function read(): [string, string | null][] {
  try {
    return JSON.parse(sessionStorage.getItem(NAME) ?? "[]");
  } catch {
    return [];
  }
}
