import { NotFoundMessage } from "@/components/shell/not-found-message";
import { findViewer } from "@/components/shell/viewer";

/** A public page that is switched off, in the frame of the public pages. */
export default async function NotFound() {
  return <NotFoundMessage signedIn={(await findViewer()) !== null} />;
}
