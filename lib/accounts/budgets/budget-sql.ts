import { NO_MEMBER } from "@/lib/db/schema/budgets";

/** The reader may see and change a key, whose row has this name: as `isKeyOf` says. Source: docs/projects.md#roles. */
export const isOwnKey = (key: string) => `(${key}.user_id = $1::uuid OR EXISTS (SELECT FROM project_members pm
    WHERE pm.project_id = ${key}.project_id AND pm.user_id = $1::uuid
      AND (pm.role = 'owner' OR ${key}.created_by = $1::uuid)))`;

/** A rule of the reader's own account, keys or projects. */
export const OWN_RULE = `($2::boolean OR coalesce($1::uuid IN (b.user_id, j.user_id), false)
  OR coalesce(${isOwnKey("k")}, false)
  OR EXISTS (SELECT FROM project_members pm
    WHERE pm.project_id = b.project_id AND pm.user_id = $1::uuid AND pm.role = 'owner'))`;

/** A rule that the reader may see: also those that its keys and projects meet. */
export const IS_VISIBLE = `(${OWN_RULE}
  OR EXISTS (SELECT FROM project_members pm WHERE pm.project_id = b.project_id AND pm.user_id = $1::uuid)
  OR (b.enabled AND (b.scope = 'platform' OR b.plan_id IN (SELECT plan_id FROM users WHERE id = $1::uuid
    UNION SELECT plan_id FROM api_keys WHERE user_id = $1::uuid AND deleted_at IS NULL))))`;

/** A member whose counter `w` the reader may see. */
export const IS_VISIBLE_MEMBER = `(${OWN_RULE} OR w.member = $1::uuid
  OR w.member IN (SELECT x.id FROM api_keys x WHERE ${isOwnKey("x")}))`;

/** A moment as milliseconds since 1970, as text; null: infinite. */
const milliseconds = (moment: string) =>
  `CASE WHEN isfinite(${moment}) THEN floor(1000 * extract(epoch FROM ${moment}))::bigint::text END`;

/** The limit of the member with the exception `e`, without the extra; null: none. */
const MEMBER_LIMIT = `CASE WHEN e.budget_id IS NULL THEN b.limit_amount ELSE e.limit_amount END`;

/** The part of its limit that a counter `w` has used; the largest where nothing may pass. */
export const SHARE = `CASE WHEN ${MEMBER_LIMIT} + coalesce(w.extra, 0) = 0 THEN 1000000000
  ELSE coalesce(coalesce(w.used + w.held, 0)::numeric / (${MEMBER_LIMIT} + coalesce(w.extra, 0)), 0) END`;

/** A counter `w` of the rule `b` in the period `t`, as JSON; one that no request has opened yet is 0. */
export const COUNTER = `json_build_object(
  'starts', ${milliseconds("coalesce(w.starts_at, t.starts)")}, 'ends', ${milliseconds("coalesce(w.ends_at, t.ends)")},
  'most', (${MEMBER_LIMIT} + coalesce(w.extra, 0))::text, 'extra', coalesce(w.extra, 0)::text,
  'used', coalesce(w.used, 0)::text, 'held', coalesce(w.held, 0)::text)`;

/** The name of a member, an account or a key; null: neither. */
export const memberName = (member: string) =>
  `coalesce((SELECT username FROM users WHERE id = ${member}), (SELECT name FROM api_keys WHERE id = ${member}))`;

/** A counter with whose it is. */
export const MEMBER_COUNTER = `json_build_object('member', w.member, 'name', ${memberName("w.member")}, 'counter', ${COUNTER})`;

/** The counters of the members of the rule `b` in the running period. */
export const MEMBERS = `(SELECT * FROM budget_windows x WHERE x.budget_id = b.id AND x.starts_at <= now()
    AND x.ends_at > now()) w
  LEFT JOIN budget_exceptions e ON e.budget_id = w.budget_id AND e.member = w.member`;

/** Whose counter is the reader's own: the common one, unless others' use is none of its business, or its account's. */
const OWN_MEMBER = `CASE WHEN b.each = 'account' THEN $1::uuid
  WHEN b.each = 'none' AND ($2::boolean OR b.scope NOT IN ('platform', 'plan')) THEN '${NO_MEMBER}'::uuid END`;

/** Whose counter a key meets, if the reader may see that. `key`: the parameter with its id. */
export const memberOfKey = (key: string) => `(SELECT CASE b.each WHEN 'key' THEN met.id
    WHEN 'member' THEN coalesce(met.created_by, met.user_id)
    WHEN 'account' THEN CASE WHEN $2::boolean OR met.user_id = $1::uuid THEN met.user_id END
    ELSE ${OWN_MEMBER} END
  FROM api_keys met WHERE met.id = ${key}::uuid)`;

/** What a rule is shown with: the counter of `member`, and the members that have used the largest part. */
export const ruleParts = (member = OWN_MEMBER) => `LEFT JOIN LATERAL (
    SELECT ${COUNTER} AS counter, ${SHARE} AS share
    FROM (SELECT ${member} AS member) x
    LEFT JOIN LATERAL (SELECT * FROM budget_windows w WHERE w.budget_id = b.id AND w.member = x.member AND w.ends_at > now()
      ORDER BY w.ends_at LIMIT 1) w ON true
    LEFT JOIN budget_exceptions e ON e.budget_id = b.id AND e.member = x.member
    WHERE x.member IS NOT NULL) own ON true
  LEFT JOIN LATERAL (
    SELECT max(total) AS total, max(share) AS share, json_agg(row ORDER BY share DESC, member) AS fullest FROM (
      SELECT count(*) OVER () AS total, ${SHARE} AS share, w.member, ${MEMBER_COUNTER} AS row
      FROM ${MEMBERS} WHERE b.each <> 'none' AND ${IS_VISIBLE_MEMBER} ORDER BY share DESC, w.member LIMIT 5) found) many ON true`;

/** The columns of a rule, for `budgetOf`. */
export const RULE_COLUMNS = `b.id, b.name, b.scope, b.each, b.models, b.unit, b.period, b.time_zone,
  b.limit_amount::text AS limit_amount, b.mode, b.enabled, b.locked, b.managed_by_file, b.created_at, b.ended_at,
  coalesce(b.plan_id::text, b.user_id::text, b.project_id::text, b.key_id::text) AS subject_id,
  coalesce(p.name, u.username, j.name, k.name) AS subject_name, o.username AS owner,
  (${OWN_RULE} AND NOT b.managed_by_file AND b.ended_at IS NULL AND ($2::boolean OR NOT b.locked)) AS may_change,
  ${milliseconds("t.ends")} AS ends,
  CASE WHEN ${OWN_RULE} THEN (SELECT json_agg(json_build_object('member', x.member, 'name', ${memberName("x.member")},
    'most', x.limit_amount::text) ORDER BY x.member) FROM budget_exceptions x WHERE x.budget_id = b.id) END AS exceptions,
  own.counter, coalesce(many.total, 0)::text AS member_count, many.fullest`;
