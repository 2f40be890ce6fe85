import { createHash } from "node:crypto";
import { EXACT_RPM, IDLE_MS } from "./memory";

/**
 * A list of operations on the windows of keys on the shared store, one after the other; the same rules as `KeyWindow`,
 * on the server's clock. An operation that fails does not affect the others.
 *
 * KEYS, three for each key of the list: log (list of times), requests (100 ms buckets), tokens (1 s buckets).
 * ARGV: clock override ('' = TIME; tests only), then all operations as one text, because each argument costs its client a
 * microsecond: "op key a b c d;", where key counts from 0. For 'admit', 'enlarge' (tokens of a request that is counted)
 * and 'peek' the values are qps, rpm, tpm (-1 = none) and tokens; for 'correct' bucket, delta and two that are ignored.
 * Returns one text, replies divided by ";", their numbers by " ": allowed, which limit refused (1 qps, 2 rpm, 3 tpm),
 * wait, token bucket, reserved, then used and reset of qps, rpm and tpm; for 'correct' 1; or "!" and the text of an error.
 * Units: microseconds.
 * Source: docs/reliability.md#s2-8.
 */
const SCRIPT = `
local SECOND, MINUTE, TTL, EXACT = 1000000, 60000000, ${IDLE_MS}, ${EXACT_RPM}
-- The keys of the operation that runs.
local LOG, REQUESTS, TOKENS

local function server_time()
  if ARGV[1] ~= '' then return tonumber(ARGV[1]) end
  local parts = redis.call('TIME')
  return tonumber(parts[1]) * SECOND + tonumber(parts[2])
end

local function text(number) return string.format('%.0f', number) end

local function range(key, from, to)
  local names = {}
  for bucket = from, to do names[#names + 1] = text(bucket) end
  if #names == 0 then return names, {} end
  return names, redis.call('HMGET', key, unpack(names))
end

local function advance(key, bucket, size)
  local head = redis.call('HMGET', key, 'sum', 'first')
  local sum, first = tonumber(head[1] or '0'), tonumber(head[2] or text(bucket))
  local oldest = bucket - size + 1
  if first < oldest then
    local names, amounts = range(key, first, math.min(oldest - 1, first + size - 1))
    for _, amount in ipairs(amounts) do sum = sum - tonumber(amount or '0') end
    redis.call('HDEL', key, unpack(names))
    first = oldest
  end
  redis.call('HSET', key, 'sum', text(sum), 'first', text(first))
  return { key = key, sum = sum, first = first, newest = bucket, size = size }
end

local function add(window, bucket, amount)
  local before = tonumber(redis.call('HGET', window.key, text(bucket)) or '0')
  local after = math.max(0, before + amount)
  window.sum = window.sum + after - before
  redis.call('HSET', window.key, text(bucket), text(after), 'sum', text(window.sum))
end

local function bucket_wait(window, now, width, excess)
  local _, amounts = range(window.key, window.first, window.newest)
  local freed = 0
  for index, amount in ipairs(amounts) do
    freed = freed + tonumber(amount or '0')
    if freed >= excess then return (window.first + index - 1 + window.size) * width - now end
  end
  return MINUTE
end

local function bucket_reset(window, now, width)
  if window.sum == 0 then return 0 end
  local bucket = window.newest
  while bucket > window.first and tonumber(redis.call('HGET', window.key, text(bucket)) or '0') == 0 do
    bucket = bucket - 1
  end
  return (bucket + window.size) * width - now
end

local function recent(window, buckets)
  local _, amounts = range(window.key, window.newest - buckets + 1, window.newest)
  local sum = 0
  for _, amount in ipairs(amounts) do sum = sum + tonumber(amount or '0') end
  return sum
end

local function prune(cutoff)
  local oldest = redis.call('LINDEX', LOG, 0)
  while oldest and tonumber(oldest) <= cutoff do
    redis.call('LPOP', LOG)
    oldest = redis.call('LINDEX', LOG, 0)
  end
end

-- How many entries of the log are younger than the cutoff.
local function younger(size, cutoff)
  local low, high = 0, size
  while low < high do
    local middle = math.floor((low + high) / 2)
    if tonumber(redis.call('LINDEX', LOG, middle)) <= cutoff then low = middle + 1 else high = middle end
  end
  return size - low
end

local function to_buckets(now)
  local window = advance(REQUESTS, math.floor(now / 100000), 601)
  local times = redis.call('LRANGE', LOG, 0, -1)
  if times[1] then
    window.first = math.max(math.floor(tonumber(times[1]) / 100000), window.newest - 600)
    redis.call('HSET', REQUESTS, 'first', text(window.first))
  end
  for _, time in ipairs(times) do
    local bucket = math.floor(tonumber(time) / 100000)
    if bucket >= window.first then add(window, bucket, 1) end
  end
end

local function to_log(now)
  local window = advance(REQUESTS, math.floor(now / 100000), 601)
  local _, amounts = range(REQUESTS, window.first, window.newest)
  local surplus = math.max(0, window.sum - EXACT)
  redis.call('DEL', LOG, REQUESTS)
  for index, amount in ipairs(amounts) do
    local count = tonumber(amount or '0')
    local kept = math.max(0, count - surplus)
    surplus = surplus - (count - kept)
    local time = text(math.min((window.first + index) * 100000, now))
    for _ = 1, kept do redis.call('RPUSH', LOG, time) end
  end
end

local function correct(now, tokens, bucket, delta)
  if bucket > tokens.newest - 61 and bucket <= tokens.newest then
    add(tokens, bucket, delta)
  elseif delta > 0 then
    add(tokens, tokens.newest, delta)
  end
  redis.call('HSET', TOKENS, 'now', text(now))
  redis.call('PEXPIRE', TOKENS, TTL)
  return { 1 }
end

local function admit(op, now, tokens, qps, rpm, tpm, asked)
  local bucketed = rpm < 0 or rpm > EXACT
  local was_bucketed = redis.call('EXISTS', REQUESTS) == 1
  if bucketed and not was_bucketed then to_buckets(now) end
  if was_bucketed and not bucketed then to_log(now) end
  local requests = bucketed and advance(REQUESTS, math.floor(now / 100000), 601) or nil
  prune(now - (bucketed and SECOND or MINUTE))
  local size = redis.call('LLEN', LOG)
  local last_second = younger(size, now - SECOND)

  local function log_wait(count, limit, window)
    if limit < 0 or count < limit then return 0 end
    if limit < 1 then return window end
    return tonumber(redis.call('LINDEX', LOG, -limit)) + window - now
  end

  local waits = { log_wait(last_second, qps, SECOND), 0, 0 }
  if not requests then
    waits[2] = log_wait(size, rpm, MINUTE)
  elseif rpm >= 0 and requests.sum + 1 > rpm then
    waits[2] = bucket_wait(requests, now, 100000, requests.sum + 1 - rpm)
  end
  -- The request itself is counted already.
  if op == 'enlarge' then waits[1], waits[2] = 0, 0 end
  local reserved = tpm < 0 and asked or math.min(asked, tpm)
  if tpm == 0 then
    waits[3] = MINUTE
  elseif tpm > 0 and tokens.sum + reserved > tpm then
    waits[3] = bucket_wait(tokens, now, SECOND, tokens.sum + reserved - tpm)
  end

  local wait, violated = 0, 0
  for index = 1, 3 do
    if waits[index] > wait then wait, violated = waits[index], index end
  end

  local newest = redis.call('LINDEX', LOG, -1)
  if op ~= 'peek' and wait == 0 then
    local counts = op == 'admit'
    if counts and requests then add(requests, requests.newest, 1) end
    if counts and (not requests or qps >= 0) then
      newest = text(now)
      redis.call('RPUSH', LOG, newest)
      size, last_second = size + 1, last_second + 1
    end
    add(tokens, tokens.newest, reserved)
    redis.call('HSET', TOKENS, 'now', text(now))
    redis.call('PEXPIRE', LOG, TTL)
  end
  redis.call('PEXPIRE', TOKENS, TTL)
  if requests then redis.call('PEXPIRE', REQUESTS, TTL) end

  local since = newest and tonumber(newest) - now or nil
  return {
    wait == 0 and 1 or 0, violated, wait, tokens.newest, reserved,
    (requests and qps < 0) and recent(requests, 10) or last_second,
    since and math.max(0, since + SECOND) or 0,
    requests and requests.sum or size,
    requests and bucket_reset(requests, now, 100000) or (since and since + MINUTE or 0),
    tokens.sum, bucket_reset(tokens, now, SECOND),
  }
end

local function run(op, time, a, b, c, d)
  -- The server's clock may go backwards; times in the log must not.
  local now = math.max(time, tonumber(redis.call('HGET', TOKENS, 'now') or '0'))
  local tokens = advance(TOKENS, math.floor(now / SECOND), 61)
  if op == 'correct' then return correct(now, tokens, a, b) end
  return admit(op, now, tokens, a, b, c, d)
end

local time, replies = server_time(), {}
for op, key, a, b, c, d in string.gmatch(ARGV[2], '(%a+) (%d+) (%S+) (%S+) (%S+) ([^;]+);') do
  local at = tonumber(key) * 3
  LOG, REQUESTS, TOKENS = KEYS[at + 1], KEYS[at + 2], KEYS[at + 3]
  local ran, reply = pcall(run, op, time, tonumber(a), tonumber(b), tonumber(c), tonumber(d))
  if ran then
    reply = table.concat(reply, ' ')
  else
    local error = type(reply) == 'table' and reply.err or tostring(reply)
    reply = '!' .. string.gsub(error, ';', ',')
  end
  replies[#replies + 1] = reply
end
return table.concat(replies, ';')
`;

/** The one script, and the name the server knows it by. */
export const limitScript = Object.freeze({
  source: SCRIPT,
  sha: createHash("sha1").update(SCRIPT).digest("hex"),
});
