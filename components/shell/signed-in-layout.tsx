import type { ReactNode } from "react";
import { MoreMessages } from "../i18n/provider";
import { pickMessages } from "../server/messages";
import { selfOfRender } from "../server/reads";
import { Shell } from "./shell";
import { shellProps } from "./shell-props";

/** The layout of pages for accounts: the shell with its words. */
export async function SignedInLayout(props: { children: ReactNode }) {
  const viewer = await selfOfRender();
  // The page below redirects to the login; it knows the address to return to.
  if (viewer === null) return props.children;
  const messages = await pickMessages("shell");
  return (
    <MoreMessages messages={messages}>
      <Shell {...(await shellProps(viewer))}>{props.children}</Shell>
    </MoreMessages>
  );
}
