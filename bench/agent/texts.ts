/** What a tool of an agent reads: lines of one kind, and how they end. */
interface TextKind {
  lines: readonly string[];
  end: string;
}

const CODE: TextKind = {
  lines: [
    'import { readFile } from "node:fs/promises";',
    "export function columnsOf(line: string): string[] {",
    '  return line.split(/\\s*,\\s*(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((part) => part.replaceAll(\'"\', ""));',
    "}",
    "",
    '  if (!/^[\\w.+-]+@[\\w-]+\\.\\w+$/.test(address)) throw new RangeError("no address: \\"" + address + "\\"");',
    "  const root = 'C:\\\\Users\\\\build\\\\out'; // as the old tool wrote it",
    "\tfor (const [name, value] of Object.entries(headers)) lines.push(name + ': ' + value);",
    "  // A row that has no id is new; one that has an id but no version was made by an older program.",
    '  await database.query("SELECT id, name FROM accounts WHERE name = $1 AND deleted_at IS NULL", [name]);',
  ],
  end: "\n",
};

const OUTPUT: TextKind = {
  lines: [
    "\u001b[32m✓\u001b[39m tests/unit/columns.test.ts (12 tests) 48ms",
    '\u001b[31m✗\u001b[39m tests/unit/address.test.ts > refuses "a b@c" as an address',
    '    AssertionError: expected "a\\\\b" to be "a\\b" // Object.is equality',
    "    at C:\\work\\project\\tests\\unit\\address.test.ts:41:18",
    '{"level":"warn","text":"slow query","ms":412,"sql":"SELECT \\"id\\" FROM \\"accounts\\""}',
    "src/columns.ts:17:  return line.split(/\\s*,\\s*/);",
    "drwxr-xr-x  4 build build  4096 Mar  3 09:12 src",
  ],
  end: "\r\n",
};

const CHINESE: TextKind = {
  lines: [
    "## 部署步骤 🚀",
    "1. 先运行 `npm ci`，再检查日志中是否出现“ECONNREFUSED”。",
    "2. 若数据库尚未就绪，请等待 30 秒后重试；不要删除 data\\spool 目录。⚠️",
    "| 字段 | 含义 | 示例 |",
    '| name | 账户名称，区分大小写 | "张伟" |',
    "> 注意：价格以分为单位，四舍五入到微分。👩🏽‍💻",
    "完成后请通知值班人员 ✅",
  ],
  end: "\n",
};

/** Most of what agents read is code; some is Chinese. */
const KINDS: readonly TextKind[] = [CODE, CODE, OUTPUT, CODE, OUTPUT, CHINESE];

/** Numbered lines as a tool shows a file or what a command has printed; about so many bytes of JSON. */
export function toolText(random: () => number, bytes: number): string {
  const { lines, end } = drawn(random, KINDS);
  const made: string[] = [];
  for (let size = 0; size < bytes; ) {
    const line = `${made.length + 1}\t${drawn(random, lines)}`;
    made.push(line);
    size += jsonBytes(line + end);
  }
  return made.join(end);
}

/** One of several values. Throws: RangeError when there is none. */
export function drawn<T>(random: () => number, values: readonly T[]): T {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new RangeError("there is nothing to draw from");
  return value;
}

/** Bytes of a text inside a JSON text, without its quotes. */
function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}
