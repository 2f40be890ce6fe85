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
import type { Locale } from "../i18n/locale";

/** A name in each language of the pages. */
type Name = Record<Locale, string>;

/** One entry of the rail: a page that is declared here is in rail, palette and shortcuts. */
export interface NavigationEntry {
  href: string;
  name: Name;
  icon: LucideIcon;
  /** After `g` it leads here, on the pages of the same space. */
  letter: string;
}

/** Entries under one heading; the first group of a space has none. */
export interface NavigationGroup {
  id: string;
  name: Name | null;
  entries: NavigationEntry[];
}

/** One of the two parts of the dashboard, with its own navigation. */
export interface Space {
  href: string;
  name: Name;
  /** What its list of links is called. */
  navigation: Name;
  icon: LucideIcon;
  groups: NavigationGroup[];
}

const groupNames = {
  build: { en: "Build", "zh-CN": "构建" },
  observe: { en: "Observe", "zh-CN": "观测" },
  money: { en: "Money", "zh-CN": "费用" },
  gateway: { en: "Gateway", "zh-CN": "网关" },
  people: { en: "People", "zh-CN": "人员" },
} satisfies Record<string, Name>;

export const consoleSpace: Space = {
  href: "/console",
  name: { en: "Console", "zh-CN": "控制台" },
  navigation: { en: "Main navigation", "zh-CN": "主导航" },
  icon: SquareTerminal,
  groups: [
    {
      id: "start",
      name: null,
      entries: [
        { href: "/console", name: { en: "Overview", "zh-CN": "概览" }, icon: LayoutDashboard, letter: "o" },
      ],
    },
    {
      id: "build",
      name: groupNames.build,
      entries: [
        { href: "/console/keys", name: { en: "API keys", "zh-CN": "API 密钥" }, icon: KeyRound, letter: "k" },
        { href: "/console/models", name: { en: "Models", "zh-CN": "模型" }, icon: Boxes, letter: "m" },
        {
          href: "/console/playground",
          name: { en: "Playground", "zh-CN": "操练场" },
          icon: MessagesSquare,
          letter: "p",
        },
        {
          href: "/console/connect",
          name: { en: "Connect & verify", "zh-CN": "接入与验证" },
          icon: Plug,
          letter: "c",
        },
      ],
    },
    {
      id: "observe",
      name: groupNames.observe,
      entries: [
        { href: "/console/usage", name: { en: "Usage", "zh-CN": "用量" }, icon: ChartColumn, letter: "u" },
        { href: "/console/logs", name: { en: "Logs", "zh-CN": "日志" }, icon: ScrollText, letter: "l" },
        { href: "/console/limits", name: { en: "Limits", "zh-CN": "限流" }, icon: Gauge, letter: "i" },
      ],
    },
    {
      id: "money",
      name: groupNames.money,
      entries: [
        { href: "/console/billing", name: { en: "Billing", "zh-CN": "账单" }, icon: CreditCard, letter: "b" },
      ],
    },
    {
      id: "settings",
      name: null,
      entries: [
        {
          href: "/console/announcements",
          name: { en: "Announcements", "zh-CN": "公告" },
          icon: Megaphone,
          letter: "a",
        },
        { href: "/console/settings", name: { en: "Settings", "zh-CN": "设置" }, icon: Settings, letter: "s" },
      ],
    },
  ],
};

export const adminSpace: Space = {
  href: "/admin",
  name: { en: "Admin", "zh-CN": "管理" },
  navigation: { en: "Administration", "zh-CN": "管理" },
  icon: ShieldCheck,
  groups: [
    {
      id: "start",
      name: null,
      entries: [{ href: "/admin", name: { en: "Overview", "zh-CN": "概览" }, icon: Activity, letter: "o" }],
    },
    {
      id: "gateway",
      name: groupNames.gateway,
      entries: [
        { href: "/admin/nodes", name: { en: "Nodes", "zh-CN": "节点" }, icon: Server, letter: "n" },
        {
          href: "/admin/models",
          name: { en: "Models & prices", "zh-CN": "模型与价格" },
          icon: Tags,
          letter: "m",
        },
        {
          href: "/admin/rehearsal",
          name: { en: "Rehearsal", "zh-CN": "故障演练" },
          icon: Drill,
          letter: "r",
        },
      ],
    },
    {
      id: "observe",
      name: groupNames.observe,
      entries: [
        {
          href: "/admin/usage",
          name: { en: "All usage", "zh-CN": "全部用量" },
          icon: ChartColumnStacked,
          letter: "e",
        },
        { href: "/admin/logs", name: { en: "All logs", "zh-CN": "全部日志" }, icon: ListTree, letter: "l" },
        { href: "/admin/audit", name: { en: "Audit", "zh-CN": "审计" }, icon: ClipboardList, letter: "a" },
      ],
    },
    {
      id: "money",
      name: groupNames.money,
      entries: [
        { href: "/admin/margin", name: { en: "Margin", "zh-CN": "毛利" }, icon: Percent, letter: "i" },
      ],
    },
    {
      id: "people",
      name: groupNames.people,
      entries: [
        { href: "/admin/users", name: { en: "Users", "zh-CN": "用户" }, icon: Users, letter: "u" },
        { href: "/admin/plans", name: { en: "Plans", "zh-CN": "套餐" }, icon: Layers, letter: "p" },
      ],
    },
    {
      id: "settings",
      name: null,
      entries: [
        {
          href: "/admin/settings",
          name: { en: "Settings", "zh-CN": "系统设置" },
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
