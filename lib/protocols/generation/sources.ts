import { isObject } from "@/lib/kernel/json-object";

/** A page that a search found. Shape: `title` is "" if the node reports none. */
export interface Source {
  url: string;
  title: string;
}

/** The pages of a node's list; entries without an address are left out. Source: docs/protocols.md#s9-3. */
export function sourcesOf(pages: unknown): Source[] {
  if (!Array.isArray(pages)) return [];
  return pages.flatMap((page: unknown): Source[] => {
    if (!isObject(page) || typeof page.url !== "string") return [];
    return [{ url: page.url, title: typeof page.title === "string" ? page.title : "" }];
  });
}
