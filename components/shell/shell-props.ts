import type { DehydratedState } from "@tanstack/react-query";
import { announcementsRead, keysRead, selfRead } from "../api/page-reads";
import type { Profile } from "../api/types";
import { firstData } from "../gateway/first-data";
import { bootstrapOfRender } from "../gateway/reads";
import { readPreferences } from "../i18n/server";
import type { ShellFacts } from "./shell-context";

/** What the server tells the shell. */
export interface ShellProps {
  /** What its notices are made of. */
  firstData: DehydratedState;
  facts: ShellFacts;
  railCollapsed: boolean;
}

/** What the shell shows of the server, the account and its preferences. */
export async function shellProps(self: Profile): Promise<ShellProps> {
  const { publicUrl, demoProvider, embeddedDatabase } = await bootstrapOfRender();
  const { railCollapsed, shortcuts, hiddenNotices } = await readPreferences();
  return {
    firstData: await firstData([selfRead, keysRead(), announcementsRead]),
    railCollapsed,
    facts: {
      username: self.username,
      admin: self.role === "admin",
      publicUrl,
      embeddedDatabase,
      demoProvider,
      shortcuts,
      hiddenNotices,
    },
  };
}
