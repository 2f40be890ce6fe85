import { bootstrapOfRender } from "../gateway/reads";
import { readPreferences } from "../i18n/server";
import type { ShellFacts } from "./shell-context";
import type { Viewer } from "./viewer";

/** What the shell shows of the server, the account and its preferences. */
export async function shellProps(viewer: Viewer): Promise<{ facts: ShellFacts; railCollapsed: boolean }> {
  const { publicUrl, demoProvider, embeddedDatabase } = await bootstrapOfRender();
  const { railCollapsed, shortcuts, hiddenNotices } = await readPreferences();
  const admin = viewer.role === "admin";
  return {
    railCollapsed,
    facts: {
      username: viewer.username,
      admin,
      publicUrl,
      embeddedDatabase,
      demoProvider,
      shortcuts,
      hiddenNotices,
    },
  };
}
