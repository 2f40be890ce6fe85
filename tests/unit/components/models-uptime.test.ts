import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import type { Announcement } from "@/components/announcements/hidden-notices";
import type { Uptime } from "@/components/api/types";
import { models as en } from "@/components/i18n/en/models";
import type { Locale } from "@/components/i18n/locale";
import { models as zh } from "@/components/i18n/zh-cn/models";
import { shareText, UptimeRow, UptimeView } from "@/components/models/uptime";
import { UptimeIncidents } from "@/components/models/uptime-incidents";

const hour = (day: number, at: number) => new Date(Date.UTC(2026, 10, day, at)).toISOString();
const model: Uptime["models"][number] = {
  id: "demo-chat",
  state: "operational",
  stateOver: "hour",
  lastDay: 0.9998,
  firstTokenMs: 420,
  tokensPerSecond: 61.5,
  share: 0.5,
  buckets: [
    { state: "idle", share: null },
    { state: "down", share: 0.25 },
    { state: "few", share: 0.75 },
  ],
};
const uptime: Uptime = {
  at: hour(21, 10),
  timezone: "Asia/Shanghai",
  period: "24h",
  periods: ["24h", "7d"],
  since: hour(15, 0),
  bucket: "hour",
  starts: [hour(21, 8), hour(21, 9), hour(21, 10)],
  degradedBelow: 0.99,
  downBelow: 0.5,
  leastRequests: 20,
  leastFailures: 2,
  models: [model],
  incidents: [],
  incidentCount: 0,
};
const down = { id: "demo-chat", state: "down" as const, share: 0.25, times: [] };

/** The words of a part of the page, without markup. */
function wordsOf(
  part: "row" | "view" | "incidents",
  of: Partial<Uptime>,
  locale: Locale = "en",
  announcements: Announcement[] = [],
): string {
  const text = locale === "en" ? en.uptime : zh.uptime;
  const props = { uptime: { ...uptime, ...of }, announcements, text, locale };
  const html = renderToStaticMarkup(
    {
      row: createElement(UptimeRow, { ...props, model }),
      view: createElement(UptimeView, { ...props, model }),
      incidents: createElement(UptimeIncidents, props),
    }[part],
  );
  return html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
}

test("a share has two decimals, and only what has no exception is whole", () => {
  expect([1, 0.9998, 0.9999, 0.667, 0.0001, 0].map((share) => shareText(share, "en"))).toEqual([
    "100%",
    "99.98%",
    "99.99%",
    "66.70%",
    "0.01%",
    "0%",
  ]);
});

describe("the incidents of the status page", () => {
  test("are told as none in one sentence, with the period", () => {
    expect(wordsOf("incidents", {})).toContain("No model was failing in the last 24 hours.");
    expect(wordsOf("incidents", {}, "zh-CN")).toContain("最近 24 小时没有模型出现请求失败的时段。");
  });

  test("have their beginning, end, length and models, in the zone of the days", () => {
    const incidents: Uptime["incidents"] = [
      { from: hour(20, 6), until: hour(20, 8), over: "hours", state: "down", models: [down] },
    ];
    const words = wordsOf("incidents", { incidents, incidentCount: 1 });
    expect(words).toMatch(/Nov 20, 14:00\s–\s16:00 2 hours demo-chat/);
    expect(words).toContain("Mostly failing, 25.00% answered");
    expect(wordsOf("incidents", { incidents, incidentCount: 1 }, "zh-CN")).toMatch(/2 小时/);
  });

  test("have what was announced during them", () => {
    const incidents: Uptime["incidents"] = [
      { from: hour(20, 6), until: hour(20, 8), over: "hours", state: "down", models: [down] },
    ];
    const told = (id: string, from: string, until: string | null): Announcement => ({
      id,
      title: id,
      text: `Text of ${id}`,
      titleZh: `${id} 标题`,
      textZh: "",
      tone: "warning",
      public: true,
      from,
      until,
      updatedAt: from,
    });
    const all = [
      told("before", hour(19, 0), hour(20, 6)),
      told("during", hour(20, 7), hour(20, 9)),
      told("later", hour(20, 8), null),
    ];
    const of = { incidents, incidentCount: 1 };
    const words = wordsOf("incidents", of, "en", all);
    expect(words).toContain("during Text of during");
    expect(words).not.toMatch(/before|later/);
    expect(wordsOf("incidents", of, "zh-CN", all)).toContain("during 标题");
  });

  test("that go on have no end, long ones are told in days, and a day has no hours", () => {
    const incidents: Uptime["incidents"] = [
      { from: hour(21, 9), until: null, over: "hours", state: "down", models: [down] },
      { from: hour(17, 0), until: hour(19, 3), over: "hours", state: "down", models: [down] },
      { from: hour(14, 16), until: hour(15, 16), over: "day", state: "down", models: [down] },
    ];
    const words = wordsOf("incidents", { incidents, incidentCount: 70 });
    expect(words).toContain("Since Nov 21, 17:00 goes on");
    expect(words).toContain("2 days 3 hours");
    expect(words).toContain("Nov 15 whole day");
    expect(words).toContain("The latest 3 are listed.");
  });

  test("of a whole day have the hours of the models that they are known of", () => {
    const times = [
      { from: hour(20, 3), until: hour(20, 4), over: "hours" as const },
      { from: hour(20, 7), until: null, over: "hours" as const },
    ];
    const incidents: Uptime["incidents"] = [
      {
        from: hour(19, 16),
        until: hour(20, 16),
        over: "day",
        state: "down",
        models: [down, { ...down, id: "other", times }],
      },
    ];
    const words = wordsOf("incidents", { incidents, incidentCount: 1 });
    expect(words).toContain("Nov 20 whole day demo-chat");
    expect(words).toMatch(/other Nov 20, 11:00\s–\s12:00 · Since Nov 20, 15:00 .+answered/);
  });
});

test("a period that begins before the first day is called by that day", () => {
  const month = { period: "90d", bucket: "day", since: "2026-10-21T16:00:00.000Z" } as const;
  expect(wordsOf("view", month)).toContain("Since Oct 22 50.00% answered");
  expect(wordsOf("incidents", month)).toContain("No model was failing since Oct 22.");
  expect(wordsOf("view", { ...month, period: "30d" })).toContain("Last 30 days 50.00% answered");
});

test("the bars of a day are hours, counted in words", () => {
  const words = wordsOf("view", {});
  expect(words).toContain("Last 24 hours 50.00% answered, 2 of 3 hours have requests, 1 hour mostly failing");
  expect(words).toContain("Nov 21, 16:00 Now");
  expect(words).toContain("Lowest hours: Nov 21, 17:00 25.00% · Nov 21, 18:00 75.00%");
});

test("a model of the list has its name, state and share with the time of each, and nothing else in words", () => {
  expect(wordsOf("row", {}).trim()).toBe("demo-chat Working now 50.00% in 24 hours");
  expect(wordsOf("row", {}, "zh-CN").trim()).toBe("demo-chat 当前正常 50.00% 24 小时内");
});
