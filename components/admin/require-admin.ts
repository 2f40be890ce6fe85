import { forbidden } from "next/navigation";
import { type PageProps, requireViewer } from "../shell/viewer";

/** Lets administrators through; a visitor is sent to log in, everybody else gets the 403 page. */
export async function requireAdmin(path: string, search: PageProps["searchParams"]): Promise<void> {
  const viewer = await requireViewer(path, search);
  if (viewer.role !== "admin") forbidden();
}
