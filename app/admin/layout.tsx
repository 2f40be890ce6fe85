import type { ReactNode } from "react";
import { MoreMessages } from "@/components/i18n/provider";
import { pickMessages } from "@/components/i18n/server";
import { SignedIn } from "@/components/shell/signed-in";
import { findViewer } from "@/components/shell/viewer";

export default async function AdminLayout(props: { children: ReactNode }) {
  const viewer = await findViewer();
  // The page below redirects to the login; it knows the address to return to.
  if (viewer === null) return props.children;
  const messages = await pickMessages("shell");
  return (
    <MoreMessages messages={messages}>
      <SignedIn viewer={viewer}>{props.children}</SignedIn>
    </MoreMessages>
  );
}
