/** The rules with their subjects and running periods. */
export const RULES = `budgets b
  LEFT JOIN plans p ON p.id = b.plan_id
  LEFT JOIN users u ON u.id = b.user_id
  LEFT JOIN api_keys k ON k.id = b.key_id
  LEFT JOIN projects j ON j.id = b.project_id
  LEFT JOIN users o ON o.id = coalesce(k.user_id, j.user_id)
  CROSS JOIN LATERAL budget_period(b.period, b.time_zone, now()) AS t`;

/** A rule that is in force or can be switched on: a deleted subject has no requests. */
export const IS_LIVE = `b.ended_at IS NULL AND k.deleted_at IS NULL AND u.deleted_at IS NULL AND j.archived_at IS NULL`;
