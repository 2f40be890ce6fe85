import {
  Activity,
  Boxes,
  ChartColumn,
  ChartColumnStacked,
  ClipboardList,
  CreditCard,
  Drill,
  FolderKanban,
  Gauge,
  KeyRound,
  Layers,
  LayoutDashboard,
  ListTree,
  type LucideIcon,
  Megaphone,
  MessagesSquare,
  Percent,
  PiggyBank,
  Plug,
  ReceiptText,
  ScrollText,
  Server,
  Settings,
  ShieldCheck,
  SlidersHorizontal,
  SquareTerminal,
  Tags,
  Target,
  Users,
} from "lucide-react";
import type { Profile } from "../api/types";
import type { Locale } from "../i18n/locale";

/** A name in each language of the pages. */
type Name = Record<Locale, string>;

/** One entry of the rail: a page that is declared here is in rail, palette and shortcuts. */
export interface NavigationEntry {
  href: string;
  name: Name;
  /** Other words by which people look for it. */
  search: Name;
  /** No two entries share one. */
  icon: LucideIcon;
  /** After `g` it leads here, on the pages of the same space. */
  letter: string;
  /** A page of the Admin space that readers of reports see too. */
  reader?: true;
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
        {
          href: "/console",
          name: { en: "Overview", "zh-CN": "概览" },
          search: { en: "home dashboard start", "zh-CN": "首页 主页" },
          icon: LayoutDashboard,
          letter: "o",
        },
      ],
    },
    {
      id: "build",
      name: groupNames.build,
      entries: [
        {
          href: "/console/keys",
          name: { en: "API keys", "zh-CN": "API 密钥" },
          search: { en: "token secret credential", "zh-CN": "令牌 密钥 token" },
          icon: KeyRound,
          letter: "k",
        },
        {
          href: "/console/projects",
          name: { en: "Projects", "zh-CN": "项目" },
          search: { en: "team members shared keys cost centre", "zh-CN": "团队 成员 共用密钥 成本中心" },
          icon: FolderKanban,
          letter: "j",
        },
        {
          href: "/console/models",
          name: { en: "Models", "zh-CN": "模型" },
          search: {
            en: "price prices pricing cost catalog availability uptime",
            "zh-CN": "价格 定价 可用性 price",
          },
          icon: Boxes,
          letter: "m",
        },
        {
          href: "/console/playground",
          name: { en: "Playground", "zh-CN": "操练场" },
          search: { en: "chat try test", "zh-CN": "聊天 对话 调试 试用" },
          icon: MessagesSquare,
          letter: "p",
        },
        {
          href: "/console/connect",
          name: { en: "Connect & verify", "zh-CN": "接入与验证" },
          search: { en: "sdk client setup claude code codex cursor", "zh-CN": "接入 客户端 配置 sdk" },
          icon: Plug,
          letter: "c",
        },
      ],
    },
    {
      id: "observe",
      name: groupNames.observe,
      entries: [
        {
          href: "/console/usage",
          name: { en: "Usage", "zh-CN": "用量" },
          search: { en: "statistics stats analytics spend cost errors", "zh-CN": "统计 消费 费用 错误" },
          icon: ChartColumn,
          letter: "u",
        },
        {
          href: "/console/logs",
          name: { en: "Logs", "zh-CN": "日志" },
          search: { en: "requests history errors failed refused", "zh-CN": "请求 记录 历史 失败 被拒绝" },
          icon: ScrollText,
          letter: "l",
        },
        {
          href: "/console/limits",
          name: { en: "Limits", "zh-CN": "限流" },
          search: { en: "rate limit qps rpm tpm plan", "zh-CN": "限流 配额 套餐" },
          icon: Gauge,
          letter: "i",
        },
      ],
    },
    {
      id: "money",
      name: groupNames.money,
      entries: [
        {
          href: "/console/billing",
          name: { en: "Billing", "zh-CN": "账单" },
          search: {
            en: "balance money ledger statement invoice credit quota",
            "zh-CN": "余额 充值 账单 对账单 额度 明细",
          },
          icon: CreditCard,
          letter: "b",
        },
        {
          href: "/console/budgets",
          name: { en: "Budgets", "zh-CN": "预算" },
          search: { en: "limit cap spend day month requests", "zh-CN": "限额 上限 每天 每月 花费" },
          icon: PiggyBank,
          letter: "d",
        },
      ],
    },
    {
      id: "settings",
      name: null,
      entries: [
        {
          href: "/console/announcements",
          name: { en: "Announcements", "zh-CN": "公告" },
          search: { en: "news notices", "zh-CN": "通知 公告" },
          icon: Megaphone,
          letter: "a",
        },
        {
          href: "/console/settings",
          name: { en: "Settings", "zh-CN": "设置" },
          search: {
            en: "profile account password invite language theme time zone",
            "zh-CN": "个人资料 密码 邀请 语言 主题 时区",
          },
          icon: Settings,
          letter: "s",
        },
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
      entries: [
        {
          href: "/admin",
          name: { en: "Overview", "zh-CN": "概览" },
          search: { en: "home dashboard start money check", "zh-CN": "首页 主页 账目核对" },
          icon: Activity,
          letter: "o",
        },
      ],
    },
    {
      id: "gateway",
      name: groupNames.gateway,
      entries: [
        {
          href: "/admin/nodes",
          name: { en: "Nodes", "zh-CN": "节点" },
          search: { en: "upstream provider channel circuit", "zh-CN": "上游 供应商 渠道 熔断" },
          icon: Server,
          letter: "n",
        },
        {
          href: "/admin/models",
          name: { en: "Models & prices", "zh-CN": "模型与价格" },
          search: { en: "price prices pricing alias route", "zh-CN": "价格 定价 别名 路由" },
          icon: Tags,
          letter: "m",
        },
        {
          href: "/admin/rehearsal",
          name: { en: "Rehearsal", "zh-CN": "故障演练" },
          search: { en: "failover drill simulation", "zh-CN": "故障转移 模拟" },
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
          search: { en: "statistics stats analytics spend cost errors", "zh-CN": "统计 消费 费用 错误" },
          icon: ChartColumnStacked,
          letter: "e",
          reader: true,
        },
        {
          href: "/admin/logs",
          name: { en: "All logs", "zh-CN": "全部日志" },
          search: { en: "requests history errors failed refused", "zh-CN": "请求 记录 历史 失败 被拒绝" },
          icon: ListTree,
          letter: "l",
          reader: true,
        },
        {
          href: "/admin/audit",
          name: { en: "Audit", "zh-CN": "审计" },
          search: { en: "changes history who", "zh-CN": "修改 变更 历史" },
          icon: ClipboardList,
          letter: "a",
        },
      ],
    },
    {
      id: "money",
      name: groupNames.money,
      entries: [
        {
          href: "/admin/margin",
          name: { en: "Margin", "zh-CN": "毛利" },
          search: { en: "revenue billed profit provider cost", "zh-CN": "收入 计费金额 利润 供应商成本" },
          icon: Percent,
          letter: "i",
          reader: true,
        },
        {
          href: "/admin/statements",
          name: { en: "Statements", "zh-CN": "对账单" },
          search: {
            en: "month invoice bill finance cost centre focus csv",
            "zh-CN": "月份 账单 财务 成本中心 focus csv",
          },
          icon: ReceiptText,
          letter: "t",
          reader: true,
        },
        {
          href: "/admin/budgets",
          name: { en: "All budgets", "zh-CN": "全部预算" },
          search: { en: "limit cap spend day month requests", "zh-CN": "限额 上限 每天 每月 花费" },
          icon: Target,
          letter: "d",
        },
      ],
    },
    {
      id: "people",
      name: groupNames.people,
      entries: [
        {
          href: "/admin/users",
          name: { en: "Users", "zh-CN": "用户" },
          search: {
            en: "people persons accounts members balance quota",
            "zh-CN": "人员 账户 成员 余额 额度",
          },
          icon: Users,
          letter: "u",
          reader: true,
        },
        {
          href: "/admin/plans",
          name: { en: "Plans", "zh-CN": "套餐" },
          search: { en: "tiers rate limits qps rpm tpm", "zh-CN": "档位 限流 配额" },
          icon: Layers,
          letter: "p",
          reader: true,
        },
        {
          href: "/admin/projects",
          name: { en: "All projects", "zh-CN": "全部项目" },
          search: { en: "team members cost centre payer", "zh-CN": "团队 成员 成本中心 付费账户" },
          icon: FolderKanban,
          letter: "j",
        },
      ],
    },
    {
      id: "settings",
      name: null,
      entries: [
        {
          href: "/admin/settings",
          name: { en: "Settings", "zh-CN": "系统设置" },
          search: {
            en: "announcements news status page registration sign up quota invite invitations reward",
            "zh-CN": "公告 状态页 注册 额度 邀请 奖励",
          },
          icon: SlidersHorizontal,
          letter: "s",
        },
      ],
    },
  ],
};

/** The Admin space as readers of reports see it. */
const readerSpace: Space = {
  ...adminSpace,
  href: "/admin/statements",
  groups: adminSpace.groups
    .map((group) => ({ ...group, entries: group.entries.filter(({ reader }) => reader) }))
    .filter(({ entries }) => entries.length > 0),
};

type Role = Profile["role"];

/** The Admin space as a role sees it; null: not at all. */
function adminSpaceOf(role: Role): Space | null {
  if (role === "admin") return adminSpace;
  return role === "reader" ? readerSpace : null;
}

/** The space whose navigation is shown on a path: an account sees the Admin space by its role, or not at all. */
export function spaceOf(path: string, role: Role): Space {
  const isAdmin = path === "/admin" || path.startsWith("/admin/");
  return (isAdmin ? adminSpaceOf(role) : null) ?? consoleSpace;
}

/** The spaces that an account sees, in their order. */
export function spacesOf(role: Role): Space[] {
  const further = adminSpaceOf(role);
  return further === null ? [consoleSpace] : [consoleSpace, further];
}

/** The spaces that an account sees, the one of a path first. */
export function spacesFrom(path: string, role: Role): Space[] {
  const first = spaceOf(path, role);
  return [first, ...spacesOf(role).filter((space) => space !== first)];
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
