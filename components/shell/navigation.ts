import {
  Activity,
  Boxes,
  ChartColumn,
  ClipboardList,
  CreditCard,
  Drill,
  Gauge,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  Plug,
  ScrollText,
  Server,
  Settings,
  SquareTerminal,
  Users,
} from "lucide-react";
import type { Messages } from "../i18n/messages";

/** One entry of the rail. */
export interface NavigationEntry {
  href: string;
  label: (text: Messages["shell"]) => string;
  icon: LucideIcon;
}

export const consoleEntries: NavigationEntry[] = [
  { href: "/console", label: (text) => text.overview, icon: LayoutDashboard },
  { href: "/console/keys", label: (text) => text.keys, icon: KeyRound },
  { href: "/console/usage", label: (text) => text.usage, icon: ChartColumn },
  { href: "/console/logs", label: (text) => text.logs, icon: ScrollText },
  { href: "/console/models", label: (text) => text.models, icon: Boxes },
  { href: "/console/playground", label: (text) => text.playground, icon: SquareTerminal },
  { href: "/console/connect", label: (text) => text.connect, icon: Plug },
  { href: "/console/limits", label: (text) => text.limits, icon: Gauge },
  { href: "/console/billing", label: (text) => text.billing, icon: CreditCard },
  { href: "/console/settings", label: (text) => text.settings, icon: Settings },
];

export const adminEntries: NavigationEntry[] = [
  { href: "/admin", label: (text) => text.adminOverview, icon: Activity },
  { href: "/admin/nodes", label: (text) => text.nodes, icon: Server },
  { href: "/admin/models", label: (text) => text.modelsAndPrices, icon: Boxes },
  { href: "/admin/plans", label: (text) => text.plans, icon: Gauge },
  { href: "/admin/users", label: (text) => text.users, icon: Users },
  { href: "/admin/logs", label: (text) => text.allLogs, icon: ScrollText },
  { href: "/admin/audit", label: (text) => text.audit, icon: ClipboardList },
  { href: "/admin/rehearsal", label: (text) => text.rehearsal, icon: Drill },
];

/** The entry that a path belongs to: the longest match. */
export function entryOf(path: string): NavigationEntry | null {
  const fits = [...consoleEntries, ...adminEntries].filter(
    (entry) => path === entry.href || path.startsWith(`${entry.href}/`),
  );
  return fits.sort((a, b) => b.href.length - a.href.length)[0] ?? null;
}
