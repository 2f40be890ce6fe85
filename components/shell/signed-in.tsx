import type { ReactNode } from "react";
import { runtime } from "@/lib/gateway/runtime";
import { readPreferences } from "../i18n/server";
import { Shell } from "./shell";
import type { Viewer } from "./viewer";

/** The shell with the server's data. */
export async function SignedIn(props: { viewer: Viewer; children: ReactNode }) {
  const { settings, db } = runtime();
  const preferences = await readPreferences();
  return (
    <Shell
      railCollapsed={preferences.railCollapsed}
      facts={{
        username: props.viewer.username,
        admin: props.viewer.role === "admin",
        publicUrl: settings.publicUrl,
        embeddedDatabase: db.kind === "embedded",
        demoProvider: settings.demoProvider,
        shortcuts: preferences.shortcuts,
      }}
    >
      {props.children}
    </Shell>
  );
}
