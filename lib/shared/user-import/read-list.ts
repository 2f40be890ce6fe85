import { readCells } from "../read-cells";

/** What a column of a list of accounts says. */
export const listColumns = ["username", "email", "name", "plan", "quota", "costCentre"] as const;
export type ListColumn = (typeof listColumns)[number];

/** What heads of columns say in files that people have: letters and digits alone, in lower case. */
const heads: Record<ListColumn, readonly string[]> = {
  username: ["username", "user", "login", "account", "用户名", "账户", "账号"],
  email: ["email", "mail", "emailaddress", "邮箱", "电子邮箱", "邮件", "电子邮件"],
  name: ["name", "displayname", "fullname", "显示名称", "显示名", "姓名", "名称"],
  plan: ["plan", "套餐"],
  quota: ["quota", "quotainyuan", "amount", "额度", "额度元", "配额"],
  costCentre: ["costcentre", "costcenter", "department", "成本中心", "部门"],
};

/** A row as it was typed; `number` is that of a spreadsheet, whose first row has the heads. */
export interface ListRow {
  number: number;
  cells: Record<ListColumn, string>;
}

export interface ReadList {
  rows: ListRow[];
  /** Heads that stand for no column; what is below them is left out. */
  unknown: string[];
  hasUsername: boolean;
}

/** The rows of a pasted or chosen list: CSV with commas, semicolons or tabs, and its heads in the first row. */
export function readList(text: string): ReadList {
  const [first = [], ...others] = readCells(text);
  const columns = first.map(columnOf);
  const rows = others.flatMap((cells, index) => {
    if (cells.every((cell) => cell.trim() === "")) return [];
    const at = (column: ListColumn) => (cells[columns.indexOf(column)] ?? "").trim();
    const row = { username: at("username"), email: at("email"), name: at("name") };
    const terms = { plan: at("plan"), quota: at("quota"), costCentre: at("costCentre") };
    return [{ number: index + 2, cells: { ...row, ...terms } }];
  });
  const unknown = first.filter((head, index) => columns[index] === null && head.trim() !== "");
  return { rows, unknown, hasUsername: columns.includes("username") };
}

function columnOf(head: string): ListColumn | null {
  const plain = head
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
  return listColumns.find((column) => heads[column].includes(plain)) ?? null;
}
