import {
  Boxes,
  ChartColumn,
  CreditCard,
  FolderKanban,
  Gauge,
  KeyRound,
  LayoutDashboard,
  Megaphone,
  MessagesSquare,
  PiggyBank,
  Plug,
  ScrollText,
  Settings,
  SquareTerminal,
} from "lucide-react";
import type { Profile } from "../api/types";
import { adminSpace, readerSpace } from "./admin-space";
import { groupNames, type NavigationEntry, type Space } from "./space";

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
