import { asc, eq, like } from "drizzle-orm";
import { priceRecordOf } from "@/lib/admin/prices";
import type { Orm } from "@/lib/db/database";
import { apiKeys, auditLog, users } from "@/lib/db/schema/accounts";
import { modelPrices, models, nodes } from "@/lib/db/schema/catalog";
import { DAY_MS } from "@/lib/kernel/durations";
import { EARLIER_PRICE } from "./seed-plan";

const BEGINNING_DAYS = 31;

type AuditLine = Omit<typeof auditLog.$inferInsert, "createdAt"> & { daysAgo: number };

/** Audit entries of the demo's accounts over thirty days. */
export async function seedAudit(orm: Orm, adminId: string, now: Date): Promise<void> {
  const [people, keys, aliases, [node], prices] = await Promise.all([
    orm.select().from(users),
    orm.select().from(apiKeys),
    orm.select().from(models).where(like(models.alias, "sim-%")),
    orm.select().from(nodes).where(like(nodes.name, "%unreachable%")),
    orm
      .select({ price: modelPrices })
      .from(modelPrices)
      .innerJoin(models, eq(models.id, modelPrices.modelId))
      .where(eq(models.alias, EARLIER_PRICE.alias))
      .orderBy(asc(modelPrices.version)),
  ]);
  const admin = people.find((person) => person.id === adminId);
  const by = { actorId: adminId, actorName: admin?.username ?? "", ip: "127.0.0.1" };
  const lines: AuditLine[] = [
    ...people
      .filter(({ id }) => id !== adminId)
      .map((person, index) => ({
        ...by,
        daysAgo: BEGINNING_DAYS - 0.1 * index,
        action: "user.create",
        targetType: "user",
        targetId: person.id,
        after: { username: person.username, role: person.role, status: person.status },
      })),
    ...aliases.map((model, index) => ({
      ...by,
      daysAgo: BEGINNING_DAYS - 0.5 - 0.1 * index,
      action: "model.create",
      targetType: "model",
      targetId: model.id,
      after: { alias: model.alias, displayName: model.displayName },
    })),
    priceLine(
      by,
      prices.map(({ price }) => priceRecordOf(price)),
    ),
    ...(node === undefined ? [] : [nodeLine(by, node)]),
    ...keys
      .filter(({ status }) => status === "disabled")
      .map((key) => ({
        ...by,
        daysAgo: 5,
        action: "key.update",
        targetType: "key",
        targetId: key.id,
        before: { name: key.name, status: "active" },
        after: { name: key.name, status: key.status },
      })),
  ];
  await orm.insert(auditLog).values(
    lines.map(({ daysAgo, ...line }) => ({
      ...line,
      createdAt: new Date(now.getTime() - daysAgo * DAY_MS),
    })),
  );
}

function nodeLine(
  by: Pick<AuditLine, "actorId" | "actorName" | "ip">,
  node: typeof nodes.$inferSelect,
): AuditLine {
  return {
    ...by,
    daysAgo: BEGINNING_DAYS - 0.4,
    action: "node.create",
    targetType: "node",
    targetId: node.id,
    after: {
      name: node.name,
      protocol: node.protocol,
      provider: node.provider,
      baseUrl: node.baseUrl,
      enabled: node.enabled,
    },
  };
}

function priceLine(
  by: Pick<AuditLine, "actorId" | "actorName" | "ip">,
  [before, after]: ReturnType<typeof priceRecordOf>[],
): AuditLine {
  const { alias, daysAgo } = EARLIER_PRICE;
  return {
    ...by,
    daysAgo,
    action: "price.create",
    targetType: "price",
    targetId: alias,
    before,
    after: { model: alias, ...after },
  };
}
