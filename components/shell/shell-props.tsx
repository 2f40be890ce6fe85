import type { ReactNode } from "react";
import { read } from "../api/read";
import type { ShellFacts } from "../api/shell-facts";
import type { Profile } from "../api/types";
import { FirstData } from "../server/first-data";
import { readPreferences } from "../server/preferences";
import { bootstrapOfRender } from "../server/reads";
import { Banners } from "./banners";

/** What the server tells the shell. */
export interface ShellProps {
  facts: ShellFacts;
  railCollapsed: boolean;
  /** With what they tell, so that the page below them does not move when it is there. */
  banners: ReactNode;
}

/** What the shell shows of the server, the account and its preferences. */
export async function shellProps(self: Profile): Promise<ShellProps> {
  const { publicUrl, demoProvider, statusPage, contact, maxBodyBytes, webSockets, maxTemperature } =
    await bootstrapOfRender();
  const { railCollapsed, shortcuts, hiddenNotices } = await readPreferences();
  return {
    railCollapsed,
    banners: (
      <FirstData reads={[read("GET /api/user/announcements")]}>
        <Banners />
      </FirstData>
    ),
    facts: {
      username: self.username,
      role: self.role,
      admin: self.role === "admin",
      publicUrl,
      demoProvider,
      statusPage,
      contact,
      maxBodyBytes,
      webSockets,
      maxTemperature,
      shortcuts,
      hiddenNotices,
    },
  };
}
