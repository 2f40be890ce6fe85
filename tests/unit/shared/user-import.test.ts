import { describe, expect, test } from "vitest";
import { sendList } from "@/components/admin/users/import/send-list";
import { ApiError } from "@/components/api/client";
import { requestErrors } from "@/components/forms/request-errors";
import { decodeText } from "@/lib/shared/decode-text";
import { readCells } from "@/lib/shared/read-cells";
import { type CheckedRow, checkList } from "@/lib/shared/user-import/check-list";
import { readList } from "@/lib/shared/user-import/read-list";

const plans = [
  { id: 1, name: "Free" },
  { id: 7, name: "Team A" },
];
const users = [{ username: "Taken", email: "one@example.com" }];
const errorsOf = (body: object) => requestErrors("POST /api/admin/users", body);
const check = (text: string) => checkList(readList(text), { plans, users, errorsOf });

describe("a list of accounts", () => {
  test("is read with quotes, line ends, blank rows and the separators of spreadsheets", () => {
    expect(readCells('\uFEFFa,b\r\n"x, ""y""\nz",2\r3')).toEqual([["a", "b"], ['x, "y"\nz', "2"], ["3"]]);
    for (const separator of [",", ";", "\t"]) {
      const text = [
        ["E-Mail", "User name", "Room"].join(separator),
        "",
        ["a@b.cd", "amy", "3"].join(separator),
      ];
      const { rows, unknown, hasUsername } = readList(text.join("\n"));
      expect(rows).toEqual([
        {
          number: 3,
          cells: { username: "amy", email: "a@b.cd", name: "", plan: "", quota: "", costCentre: "" },
        },
      ]);
      expect([unknown, hasUsername]).toEqual([["Room"], true]);
    }
    expect(readList("用户名,显示名称\namy,艾米").rows[0]?.cells).toMatchObject({
      username: "amy",
      name: "艾米",
    });
  });

  test("is decoded as UTF-8, UTF-16 or the encoding of Chinese spreadsheets", () => {
    const bytes = (...values: number[]) => new Uint8Array(values).buffer;
    expect(decodeText(new TextEncoder().encode("艾米").buffer)).toBe("艾米");
    expect(decodeText(bytes(0xff, 0xfe, 0x61, 0))).toBe("a");
    expect(decodeText(bytes(0xd3, 0xc3, 0xbb, 0xa7))).toBe("用户");
  });

  test("is checked with the schema of the API, against the plans and against itself", () => {
    const { good, faults, shared } = check(
      [
        "username,email,name,plan,quota,Cost Center",
        "amy, one@example.com ,Amy,team a,12.50,4711",
        "b,not-an-address,,Gold,2,5",
        "taken,,,,-3",
        "AMY,,,,",
        "carl,,,7,",
      ].join("\n"),
    );
    expect(good.map(({ body }) => body)).toEqual([
      { username: "amy", email: "one@example.com", name: "Amy", planId: 7, quota: 1_250, costCentre: "4711" },
      { username: "carl", planId: 7 },
    ]);
    expect(faults.map(({ row, column, fault }) => [row, column, fault.kind])).toEqual([
      [3, "username", "refused"],
      [3, "email", "refused"],
      [3, "plan", "noPlan"],
      [4, "quota", "refused"],
      [4, "username", "exists"],
      [5, "username", "twice"],
    ]);
    expect(shared).toEqual([{ row: 2, email: "one@example.com" }]);
  });
});

describe("making the accounts of a list", () => {
  const rows = check("username\namy\nbob\ncarl").good;
  const nameOf = ({ body }: CheckedRow) => body.username;
  const taken = new ApiError({ status: 409, code: "CONFLICT", message: "taken" });
  const lost = new ApiError({ status: 0, code: "NETWORK", message: "" });

  test("goes on after a refused one; each has a password of its own", async () => {
    const sent = await sendList(
      rows,
      new AbortController().signal,
      () => undefined,
      async (row) => {
        if (nameOf(row) === "bob") throw taken;
      },
    );
    expect(sent.made.map(nameOf)).toEqual(["amy", "carl"]);
    expect(new Set(sent.made.map(({ password }) => password)).size).toBe(2);
    expect(sent.failed.map((row) => [nameOf(row), row.unsure])).toEqual([["bob", false]]);
    expect(sent.left).toEqual([]);
  });

  test("ends where no answer arrives, and says that it is not known", async () => {
    const sent = await sendList(
      rows,
      new AbortController().signal,
      () => undefined,
      async () => {
        throw lost;
      },
    );
    expect(sent.failed.map((row) => [nameOf(row), row.unsure])).toEqual([["amy", true]]);
    expect(sent.left.map(nameOf)).toEqual(["bob", "carl"]);
  });

  test("can be stopped: the account that is being made is still told", async () => {
    const stop = new AbortController();
    const sent = await sendList(
      rows,
      stop.signal,
      () => undefined,
      async () => stop.abort(),
    );
    expect([sent.made.map(nameOf), sent.left.map(nameOf)]).toEqual([["amy"], ["bob", "carl"]]);
  });
});
