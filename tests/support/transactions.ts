import type { Database } from "@/lib/db/database";

/** The database of a process that does something before each of its transactions. */
function beforeEachTransaction(db: Database, act: () => Promise<void>): Database {
  return {
    ...db,
    session: (work) =>
      db.session(({ orm, query }) => {
        const transaction: typeof orm.transaction = async (steps) => {
          await act();
          return orm.transaction(steps);
        };
        return work({ orm: Object.assign(Object.create(orm), { transaction }), query });
      }),
  };
}

/** The database of a process that ends after so many transactions. */
export function cutAfter(db: Database, transactions: number): Database {
  let left = transactions;
  return beforeEachTransaction(db, async () => {
    if (left === 0) throw new Error("cut off");
    left -= 1;
  });
}

/** The database of a process that does something before its first transaction. */
export function beforeWriting(db: Database, act: () => Promise<void>): Database {
  let done = false;
  return beforeEachTransaction(db, async () => {
    if (!done) await act();
    done = true;
  });
}

/** The database of a process that loses its connection before or after its first transactions, and gets no answer. */
export function losing(db: Database, losses: readonly ("before" | "after")[]): Database {
  const left = [...losses];
  const transaction: Database["orm"]["transaction"] = async (steps) => {
    const loss = left.shift();
    if (loss === undefined) return db.orm.transaction(steps);
    if (loss === "after") await db.orm.transaction(steps);
    throw Object.assign(new Error("the connection was closed"), { code: "CONNECTION_CLOSED" });
  };
  return { ...db, orm: Object.assign(Object.create(db.orm), { transaction }) };
}
