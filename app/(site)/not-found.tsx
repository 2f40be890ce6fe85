import { selfOfRender } from "@/components/server/reads";
import { NotFoundMessage } from "@/components/shell/not-found-message";

/** A public page that is switched off, in the frame of the public pages. */
export default async function NotFound() {
  return <NotFoundMessage signedIn={(await selfOfRender()) !== null} />;
}
