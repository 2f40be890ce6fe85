import { adminWords, dictionaries } from "../i18n/dictionaries";
import type { Messages } from "../i18n/messages";
import { readPreferences } from "./preferences";
import { bootstrapOfRender } from "./reads";

/** The dictionaries of some areas, ready to be sent to the browser. */
export async function pickMessages<Area extends keyof Messages>(
  ...areas: Area[]
): Promise<Pick<Messages, Area>> {
  const { locale } = await readPreferences();
  return pick(await named(dictionaries[locale], areas), areas);
}

/** The same in the words of admin pages. */
export async function pickAdminMessages<Area extends keyof Messages>(
  ...areas: Area[]
): Promise<Pick<Messages, Area>> {
  const { locale } = await readPreferences();
  return pick(await named({ ...dictionaries[locale], ...adminWords[locale] }, areas), areas);
}

/** The name of the gateway that an admin has set in place of that of the program. */
async function named(all: Messages, areas: readonly string[]): Promise<Messages> {
  if (!areas.includes("common")) return all;
  return { ...all, common: { ...all.common, productName: (await bootstrapOfRender()).name } };
}

function pick<Area extends keyof Messages>(all: Messages, areas: Area[]): Pick<Messages, Area> {
  // Each named area is copied, so the result has exactly these members.
  return Object.fromEntries(areas.map((area) => [area, all[area]])) as Pick<Messages, Area>;
}

/** One area's dictionary for a server component. */
export async function serverMessages<Area extends keyof Messages>(area: Area): Promise<Messages[Area]> {
  const { locale } = await readPreferences();
  return (await named(dictionaries[locale], [area]))[area];
}
