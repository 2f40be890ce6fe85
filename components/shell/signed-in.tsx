import type { ReactNode } from "react";
import { bootstrapOfRender } from "../gateway/reads";
import { readPreferences } from "../i18n/server";
import { Shell } from "./shell";
import type { Viewer } from "./viewer";

/** The shell with the server's data. */
export async function SignedIn(props: { viewer: Viewer; children: ReactNode }) {
  const { publicUrl, demoProvider, embeddedDatabase } = await bootstrapOfRender();
  const preferences = await readPreferences();
  return (
    <Shell
      railCollapsed={preferences.railCollapsed}
      facts={{
        username: props.viewer.username,
        admin: props.viewer.role === "admin",
        publicUrl,
        embeddedDatabase,
        demoProvider,
        shortcuts: preferences.shortcuts,
      }}
    >
      {props.children}
    </Shell>
  );
}
