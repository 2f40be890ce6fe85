import { expect, test } from "vitest";
import {
  type Announcement,
  inLanguage,
  noticeMark,
  noticeToShow,
  readHiddenNotices,
  writeHiddenNotices,
} from "@/components/announcements/hidden-notices";

function notice(fields: Partial<Announcement>): Announcement {
  return {
    id: "01a1fcd3-0000-7000-8000-000000000000",
    title: "Maintenance",
    text: "",
    titleZh: "",
    textZh: "",
    tone: "info",
    public: false,
    from: "2026-11-21T00:00:00.000Z",
    until: null,
    updatedAt: "2026-11-21T00:00:00.000Z",
    ...fields,
  };
}

const news = notice({});
const warning = notice({ id: "02a1fcd3-0000-7000-8000-000000000000", tone: "warning" });

test("the first warning is shown, then the others, until all are hidden", () => {
  expect(noticeToShow([news, warning], [])).toBe(warning);
  expect(noticeToShow([news, warning], [noticeMark(warning)])).toBe(news);
  expect(noticeToShow([news, warning], [noticeMark(warning), noticeMark(news)])).toBeNull();
});

test("a planned warning is shown after everything that holds now", () => {
  const planned = { ...warning, planned: true };
  expect(noticeToShow([news, planned], [])).toBe(news);
  expect(noticeToShow([news, planned], [noticeMark(news)])).toBe(planned);
});

test("readers of Chinese see the Chinese words where there are any, all others the first ones", () => {
  const both = notice({ title: "Maintenance", text: "On Sunday.", titleZh: "维护", textZh: "周日。" });
  expect(inLanguage(both, "zh-CN")).toEqual({ ...both, title: "维护", text: "周日。" });
  expect(inLanguage(both, "en")).toEqual(both);
  expect(inLanguage({ ...both, textZh: "" }, "zh-CN")).toMatchObject({ title: "维护", text: "On Sunday." });
  expect(inLanguage({ ...both, titleZh: "" }, "zh-CN")).toMatchObject({
    title: "Maintenance",
    text: "周日。",
  });
});

test("a hidden announcement is shown again after a change", () => {
  const changed = { ...news, updatedAt: "2026-11-21T00:00:01.000Z" };
  expect(noticeToShow([changed], [noticeMark(news)])).toBe(changed);
});

test("a cookie keeps the last twenty marks, and nothing else is read from it", () => {
  const marks = Array.from({ length: 25 }, (_, index) =>
    noticeMark(notice({ updatedAt: new Date(index * 1000).toISOString() })),
  );
  expect(readHiddenNotices(writeHiddenNotices(marks))).toEqual(marks.slice(-20));
  expect(readHiddenNotices("<script>.01a1fcd3-abc.01a1fcd3-")).toEqual(["01a1fcd3-abc"]);
  expect(readHiddenNotices(undefined)).toEqual([]);
});
