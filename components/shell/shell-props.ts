import type { Profile } from "../api/types";
import { bootstrapOfRender } from "../gateway/reads";
import { readPreferences } from "../i18n/server";
import type { ShellFacts } from "./shell-context";

/** What the server tells the shell. */
export interface ShellProps {
  facts: ShellFacts;
  railCollapsed: boolean;
}

/** What the shell shows of the server, the account and its preferences. */
export async function shellProps(self: Profile): Promise<ShellProps> {
  const { publicUrl, demoProvider, maxBodyBytes } = await bootstrapOfRender();
  const { railCollapsed, shortcuts, hiddenNotices } = await readPreferences();
  return {
    railCollapsed,
    facts: {
      username: self.username,
      admin: self.role === "admin",
      publicUrl,
      demoProvider,
      maxBodyBytes,
      shortcuts,
      hiddenNotices,
    },
  };
}
