import { forbidden, redirect } from "next/navigation";
import { type PageProps, requireViewer } from "../server/viewer";

/** Returns for administrators; redirects visitors to the login and shows the 403 page to other users. */
export async function requireAdmin(path: string, search: PageProps["searchParams"]): Promise<void> {
  const viewer = await requireViewer(path, search);
  if (viewer.role === "reader" && path === "/admin") redirect("/admin/statements");
  if (viewer.role !== "admin") forbidden();
}

/** As `requireAdmin`, for a page that readers of reports see too. */
export async function requireReader(path: string, search: PageProps["searchParams"]): Promise<void> {
  const viewer = await requireViewer(path, search);
  if (viewer.role === "user") forbidden();
}
