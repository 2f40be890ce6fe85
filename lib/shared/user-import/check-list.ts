import { typedText, typedYuan } from "../typed";
import { type ListColumn, type ListRow, listColumns, type ReadList } from "./read-list";

/** An account that a row asks for; its password is made when it is sent. */
export interface ListBody {
  username: string;
  email?: string | undefined;
  name?: string | undefined;
  planId?: number | undefined;
  /** Unit: cents. */
  quota?: number | undefined;
  costCentre?: string | undefined;
}

/** Why a row cannot be sent: what the API would say of the field, or what the list itself shows. */
export type Fault =
  | { kind: "refused"; message: string }
  | { kind: "exists" }
  | { kind: "twice"; row: number }
  | { kind: "noPlan" };

export interface RowFault {
  row: number;
  column: ListColumn;
  typed: string;
  fault: Fault;
}

/** An e-mail that more than one account would have, which is allowed. */
export interface SharedEmail {
  row: number;
  email: string;
}

export interface CheckedRow {
  row: ListRow;
  body: ListBody;
}

export interface CheckedList {
  good: CheckedRow[];
  faults: RowFault[];
  shared: SharedEmail[];
  /** Heads that stand for no column. */
  unknown: string[];
}

interface Known {
  plans: readonly { id: number; name: string }[];
  users: readonly { username: string; email: string }[];
  /** The schema of the API: messages by field. */
  errorsOf: (body: object) => Record<string, string[]>;
}

/** Stands for the password that a row has not got yet. */
const ANY_PASSWORD = "any-password";

/** Every row as it would be sent, and what is wrong with the others. */
export function checkList({ rows, unknown }: ReadList, known: Known): CheckedList {
  const taken = new Set(known.users.map(({ username }) => username.toLowerCase()));
  const emails = new Set(known.users.map(({ email }) => email.toLowerCase()).filter(Boolean));
  const firsts = new Map<string, number>();
  const checked: CheckedList = { good: [], faults: [], shared: [], unknown };
  for (const row of rows) {
    const body = bodyOf(row, known.plans);
    const faults = faultsOf(row, body, known);
    const key = row.cells.username.toLowerCase();
    const first = firsts.get(key);
    const note = (fault: Fault) => {
      faults.push({ row: row.number, column: "username", typed: row.cells.username, fault });
    };
    if (key !== "" && first !== undefined) note({ kind: "twice", row: first });
    else if (taken.has(key)) note({ kind: "exists" });
    if (first === undefined) firsts.set(key, row.number);
    const email = row.cells.email.toLowerCase();
    if (email !== "" && emails.has(email)) checked.shared.push({ row: row.number, email: row.cells.email });
    emails.add(email);
    checked.faults.push(...faults);
    // Only what the schema has accepted is there.
    if (faults.length === 0) checked.good.push({ row, body: body as ListBody });
  }
  return checked;
}

function faultsOf(row: ListRow, body: object, known: Known): RowFault[] {
  const { cells, number } = row;
  const found = Object.entries(known.errorsOf({ ...body, password: ANY_PASSWORD }));
  return found.flatMap(([field, messages]) => {
    const column = columnOfField(field);
    const isUnknownPlan = column === "plan";
    return messages.map((message): RowFault => {
      const fault: Fault = isUnknownPlan ? { kind: "noPlan" } : { kind: "refused", message };
      return { row: number, column, typed: cells[column], fault };
    });
  });
}

function columnOfField(field: string): ListColumn {
  if (field === "planId") return "plan";
  return listColumns.find((column) => column === field) ?? "username";
}

/** A plan is named as in the list of plans, or by its number; what is none stays text, which the schema refuses. */
function bodyOf({ cells }: ListRow, plans: Known["plans"]) {
  const wanted = cells.plan.toLowerCase();
  const plan = plans.find(({ id, name }) => name.toLowerCase() === wanted || String(id) === wanted);
  return {
    username: typedText(cells.username),
    email: typedText(cells.email),
    name: typedText(cells.name),
    planId: plan?.id ?? typedText(cells.plan),
    quota: typedYuan(cells.quota),
    costCentre: typedText(cells.costCentre),
  };
}
