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
