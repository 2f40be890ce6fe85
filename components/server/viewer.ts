import { redirect } from "next/navigation";
import type { Profile } from "../api/types";
import { selfOfRender } from "./reads";

type Search = Record<string, string | string[] | undefined>;

/** The props of a page. */
export interface PageProps {
  searchParams: Promise<Search>;
}

/** The signed-in account; redirects other visitors to the login, which returns to this address. */
export async function requireViewer(path: string, search: Promise<Search>): Promise<Profile> {
  const viewer = await selfOfRender();
  if (viewer !== null) return viewer;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(await search)) {
    if (typeof value === "string") query.set(name, value);
  }
  const here = query.size === 0 ? path : `${path}?${query}`;
  redirect(`/login?next=${encodeURIComponent(here)}`);
}
