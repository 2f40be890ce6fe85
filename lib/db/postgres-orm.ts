import { drizzle } from "drizzle-orm/postgres-js";
import type { Sql, UnsafeQueryOptions } from "postgres";
import type { Orm } from "./database";
import * as tables from "./schema/tables";
import type { Statements } from "./transaction";

/** The drizzle handle whose statements and transactions run here. */
export function ormOn(statements: Statements): Orm {
  return drizzle({ client: clientOn(statements), schema: tables });
}

/** The client interface that drizzle uses. */
function clientOn(statements: Statements): Sql {
  const transaction = (work: (client: Sql) => Promise<unknown>) =>
    statements.transaction((inner) => work(clientOn(inner)));
  const client = {
    // Drizzle sets its parsers here; connections have their own, which agree.
    options: { parsers: {}, serializers: {} },
    begin: transaction,
    savepoint: transaction,
    unsafe(text: string, params: readonly unknown[] = [], { prepare = false }: UnsafeQueryOptions = {}) {
      let asValues = false;
      // A query starts only when it is awaited; until then drizzle may request its rows as lists.
      const rows = Promise.resolve().then(() => statements.query(text, params, { prepare, asValues }));
      const values = () => {
        asValues = true;
        return rows;
      };
      return Object.assign(rows, { values });
    },
  };
  return client as unknown as Sql; // drizzle's session calls no other member
}
