import {
  Activity,
  ChartColumnStacked,
  ClipboardList,
  Drill,
  FolderTree,
  Layers,
  ListTree,
  Percent,
  ReceiptText,
  Server,
  ShieldCheck,
  SlidersHorizontal,
  Tags,
  Target,
  Users,
} from "lucide-react";
import { groupNames, type Space } from "./space";

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
          reader: true,
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
          icon: FolderTree,
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
export const readerSpace: Space = {
  ...adminSpace,
  href: "/admin/statements",
  groups: adminSpace.groups
    .map((group) => ({ ...group, entries: group.entries.filter(({ reader }) => reader) }))
    .filter(({ entries }) => entries.length > 0),
};
