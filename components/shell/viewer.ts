import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { findPrincipal } from "@/lib/accounts/principal";
import { runtime } from "@/lib/gateway/runtime";

/** The account data that the shell needs. */
export interface Viewer {
  username: string;
  role: "user" | "admin";
}

/** The signed-in account of this request, or null. */
export async function findViewer(): Promise<Viewer | null> {
  const { db, secrets, settings } = runtime();
  const request = new Request("http://localhost/", { headers: new Headers(await headers()) });
  const principal = await findPrincipal(request, {
    db,
    secrets,
    publicUrl: settings.publicUrl,
    now: () => new Date(),
  });
  return principal && { username: principal.user.username, role: principal.user.role };
}

type Search = Record<string, string | string[] | undefined>;

/** The props of a page. */
export interface PageProps {
  searchParams: Promise<Search>;
}

/** The signed-in account; redirects other visitors to the login, which returns to this address. */
export async function requireViewer(path: string, search: Promise<Search>): Promise<Viewer> {
  const viewer = await findViewer();
  if (viewer !== null) return viewer;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(await search)) {
    if (typeof value === "string") query.set(name, value);
  }
  const here = query.size === 0 ? path : `${path}?${query}`;
  redirect(`/login?next=${encodeURIComponent(here)}`);
}
