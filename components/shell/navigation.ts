import {
  Activity,
  Boxes,
  ChartColumn,
  ChartColumnStacked,
  ClipboardList,
  CreditCard,
  Drill,
  Gauge,
  KeyRound,
  Layers,
  LayoutDashboard,
  ListTree,
  type LucideIcon,
  Megaphone,
  MessagesSquare,
  Percent,
  Plug,
  ScrollText,
  Server,
  Settings,
  ShieldCheck,
  SlidersHorizontal,
  SquareTerminal,
  Tags,
  Users,
} from "lucide-react";
import type { Messages } from "../i18n/messages";

type Words = Messages["shell"];

/** One entry of the rail. */
export interface NavigationEntry {
  href: string;
  label: (text: Words) => string;
  icon: LucideIcon;
  /** After `g` it leads here, on the pages of the same space. */
  letter: string;
}

/** Entries under one heading; the first group of a space has none. */
export interface NavigationGroup {
  id: string;
  label: ((text: Words) => string) | null;
  entries: NavigationEntry[];
}

/** One of the two parts of the dashboard, with its own navigation. */
export interface Space {
  href: string;
  label: (text: Words) => string;
  navigation: (text: Words) => string;
  icon: LucideIcon;
  groups: NavigationGroup[];
}

export const consoleSpace: Space = {
  href: "/console",
  label: (text) => text.console,
  navigation: (text) => text.mainNavigation,
  icon: SquareTerminal,
  groups: [
    {
      id: "start",
      label: null,
      entries: [{ href: "/console", label: (text) => text.overview, icon: LayoutDashboard, letter: "o" }],
    },
    {
      id: "build",
      label: (text) => text.groups.build,
      entries: [
        { href: "/console/keys", label: (text) => text.keys, icon: KeyRound, letter: "k" },
        { href: "/console/models", label: (text) => text.models, icon: Boxes, letter: "m" },
        {
          href: "/console/playground",
          label: (text) => text.playground,
          icon: MessagesSquare,
          letter: "p",
        },
        { href: "/console/connect", label: (text) => text.connect, icon: Plug, letter: "c" },
      ],
    },
    {
      id: "observe",
      label: (text) => text.groups.observe,
      entries: [
        { href: "/console/usage", label: (text) => text.usage, icon: ChartColumn, letter: "u" },
        { href: "/console/logs", label: (text) => text.logs, icon: ScrollText, letter: "l" },
        { href: "/console/limits", label: (text) => text.limits, icon: Gauge, letter: "i" },
      ],
    },
    {
      id: "money",
      label: (text) => text.groups.money,
      entries: [{ href: "/console/billing", label: (text) => text.billing, icon: CreditCard, letter: "b" }],
    },
    {
      id: "settings",
      label: null,
      entries: [
        { href: "/console/announcements", label: (text) => text.announcements, icon: Megaphone, letter: "a" },
        { href: "/console/settings", label: (text) => text.settings, icon: Settings, letter: "s" },
      ],
    },
  ],
};

export const adminSpace: Space = {
  href: "/admin",
  label: (text) => text.admin,
  navigation: (text) => text.adminNavigation,
  icon: ShieldCheck,
  groups: [
    {
      id: "start",
      label: null,
      entries: [{ href: "/admin", label: (text) => text.adminOverview, icon: Activity, letter: "o" }],
    },
    {
      id: "gateway",
      label: (text) => text.groups.gateway,
      entries: [
        { href: "/admin/nodes", label: (text) => text.nodes, icon: Server, letter: "n" },
        { href: "/admin/models", label: (text) => text.modelsAndPrices, icon: Tags, letter: "m" },
        { href: "/admin/rehearsal", label: (text) => text.rehearsal, icon: Drill, letter: "r" },
      ],
    },
    {
      id: "observe",
      label: (text) => text.groups.observe,
      entries: [
        { href: "/admin/usage", label: (text) => text.allUsage, icon: ChartColumnStacked, letter: "e" },
        { href: "/admin/logs", label: (text) => text.allLogs, icon: ListTree, letter: "l" },
        { href: "/admin/audit", label: (text) => text.audit, icon: ClipboardList, letter: "a" },
      ],
    },
    {
      id: "money",
      label: (text) => text.groups.money,
      entries: [{ href: "/admin/margin", label: (text) => text.margin, icon: Percent, letter: "i" }],
    },
    {
      id: "people",
      label: (text) => text.groups.people,
      entries: [
        { href: "/admin/users", label: (text) => text.users, icon: Users, letter: "u" },
        { href: "/admin/plans", label: (text) => text.plans, icon: Layers, letter: "p" },
      ],
    },
    {
      id: "settings",
      label: null,
      entries: [
        {
          href: "/admin/settings",
          label: (text) => text.adminSettings,
          icon: SlidersHorizontal,
          letter: "s",
        },
      ],
    },
  ],
};

/** The space whose navigation is shown on a path: only admins see theirs, also where others are refused a page. */
export function spaceOf(path: string, admin: boolean): Space {
  return admin && (path === "/admin" || path.startsWith("/admin/")) ? adminSpace : consoleSpace;
}

/** The spaces that an account sees, the one of a path first. */
export function spacesFrom(path: string, admin: boolean): Space[] {
  if (!admin) return [consoleSpace];
  return spaceOf(path, admin) === adminSpace ? [adminSpace, consoleSpace] : [consoleSpace, adminSpace];
}

/** All entries of a space, in the order of the rail. */
export function entriesOf(space: Space): NavigationEntry[] {
  return space.groups.flatMap((group) => group.entries);
}

/** The entries of a space with the two keys that lead to each. */
export function shortcutsOf(space: Space): { keys: string; entry: NavigationEntry }[] {
  return entriesOf(space).map((entry) => ({ keys: `g ${entry.letter}`, entry }));
}

/** The entry that a path belongs to: the longest match. */
export function entryOf(path: string, space: Space): NavigationEntry | null {
  const fits = entriesOf(space).filter(
    (entry) => path === entry.href || (path.startsWith(`${entry.href}/`) && entry.href !== space.href),
  );
  return fits[0] ?? null;
}
