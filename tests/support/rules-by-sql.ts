import postgres from "postgres";
import { afterAll, beforeAll } from "vitest";
import type { Gateway } from "./gateway-fixtures";

/** A rule to insert. Units: micro-cents, tokens or requests. */
export interface SqlRule {
  limit: bigint;
  scope?: "platform" | "plan" | "account" | "project" | "key";
  /** The id of its subject. */
  of?: string | number;
  each?: string;
  unit?: string;
  mode?: string;
  period?: string;
  models?: string[] | null;
  name?: string;
  locked?: boolean;
}

const columns = { platform: null, plan: "plan_id", account: "user_id", project: "project_id", key: "key_id" };

/** Rules and windows of a gateway on PostgreSQL, made and read with SQL. */
export class SqlRules {
  #sql: postgres.Sql | null = null;

  get sql(): postgres.Sql {
    if (this.#sql === null) throw new Error("the database is open in tests only");
    return this.#sql;
  }

  open(url: string): void {
    this.#sql = postgres(url, { max: 1, onnotice: () => {} });
  }

  async close(): Promise<void> {
    await this.#sql?.end();
  }

  /** Inserts a rule of calendar Asia/Shanghai; the default is one of a key, that stops, for a month's money. */
  async make(rule: SqlRule): Promise<string> {
    const { scope = "key", of = null, each = "none", unit = "money", mode = "stop" } = rule;
    const { period = "month", models = null, name = "November", locked = false } = rule;
    const column = columns[scope];
    const row = {
      name,
      scope,
      each,
      models,
      unit,
      period,
      time_zone: "Asia/Shanghai",
      limit_amount: String(rule.limit),
      mode,
      locked,
      ...(column !== null && { [column]: of }),
    };
    const [made] = await this.sql<{ id: string }[]>`INSERT INTO budgets ${this.sql(row)} RETURNING id`;
    if (made === undefined) throw new Error("no rule was made");
    return made.id;
  }

  /** Ends a rule. */
  async end(id: string): Promise<void> {
    await this.sql`UPDATE budgets SET ended_at = now() WHERE id = ${id}`;
  }

  /** What the windows of a rule have, the oldest first. */
  async windows(id: string): Promise<{ member: string; used: string; held: string }[]> {
    return this
      .sql`SELECT member, used::text, held::text FROM budget_windows WHERE budget_id = ${id} ORDER BY id`;
  }

  /** The account of a key. */
  async accountOf(keyId: string): Promise<string> {
    const [row] = await this.sql<{ user_id: string }[]>`SELECT user_id FROM api_keys WHERE id = ${keyId}`;
    if (row === undefined) throw new Error("there is no such key");
    return row.user_id;
  }

  /** Makes a project of the key's account, and the key one of its keys. */
  async intoProject(keyId: string, createdBy: string | null = null): Promise<string> {
    const owner = await this.accountOf(keyId);
    const [made] = await this.sql<{ id: string }[]>`INSERT INTO projects (user_id, name)
      VALUES (${owner}, ${`Team ${keyId}`}) RETURNING id`;
    if (made === undefined) throw new Error("no project was made");
    await this
      .sql`UPDATE api_keys SET project_id = ${made.id}, created_by = ${createdBy} WHERE id = ${keyId}`;
    return made.id;
  }
}

/** Rules of a gateway for the tests of this file or suite. */
export function rulesOf(gateway: Gateway): SqlRules {
  const rules = new SqlRules();
  beforeAll(() => rules.open(gateway.server.env.DATABASE_URL ?? ""));
  afterAll(() => rules.close());
  return rules;
}
