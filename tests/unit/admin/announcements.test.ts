import { expect, test } from "vitest";
import { createAnnouncement, listAnnouncements } from "@/lib/admin/announcements";
import { announcements } from "@/lib/db/schema/catalog";
import { makeAccount } from "@/tests/support/billing";
import { forEachDatabaseInAll } from "@/tests/support/database";

const fields = {
  title: "Hello",
  text: "",
  titleZh: "",
  textZh: "",
  tone: "info" as const,
  public: false,
  until: null,
};

await forEachDatabaseInAll((_kind, open) => {
  test("there are never more than 100, whoever makes them at once", async () => {
    const db = await open();
    const { userId } = await makeAccount(db, { account: 0n, keys: [] });
    const actor = { id: userId, username: "boss", ip: "127.0.0.1" };
    const from = new Date("2026-11-21T10:00:00.000Z");
    await db.orm.insert(announcements).values(Array.from({ length: 97 }, () => ({ ...fields, from })));
    const made = await Promise.allSettled(
      Array.from({ length: 8 }, () => createAnnouncement(db, actor, { ...fields, from })),
    );
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(await db.orm.$count(announcements)).toBe(100);
    expect(await listAnnouncements(db)).toHaveLength(100);
  });
});
