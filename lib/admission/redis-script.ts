import { createHash } from "node:crypto";
import { BUSY_RETRY_MS } from "./limiter";
import { EXACT_RPM, IDLE_MS } from "./memory";

/**
 * How long a call keeps its place without being renewed: a replica that dies frees its places after this time.
 * Source: docs/reliability.md#account-limits.
 */
export const LEASE_MS = 30_000;

/**
 * A list of operations on the windows of keys on the shared store, one after the other; the same rules as `KeyWindow`,
 * on the server's clock. What the operations of one key need is read once and written once. An operation that fails does
 * not affect those of other keys.
 *
 * KEYS, three for each key of the list: log (list of times), requests (100 ms buckets), tokens (1 s buckets).
 * ARGV: clock override ('' = TIME; tests only), then all operations as one text, because each argument costs its client a
 * microsecond: "op key a b c d;", where key counts from 0. For 'admit', 'enlarge' (tokens of a request that is counted)
 * and 'peek' the values are qps, rpm, tpm (-1 = none) and tokens; for 'correct' a bucket, by how much its tokens decrease
 * (below zero) and increase, and one that is ignored. Where calls at once or an account are limited, d goes on with the
 * limit of calls at once (-1 = none) and the call's place ('-' = none), and where an account is, with the account's key
 * and its qps, rpm, tpm and calls at once: both pass, or nothing is counted. For 'hold' d is a list of places that are
 * held on, for 'leave' a place that is given back.
 * Returns one text, replies divided by ";", their numbers by " ": allowed, which limit refused (1 qps, 2 rpm, 3 tpm,
 * 4 calls at once), wait, token bucket, reserved, used and reset of qps, rpm and tpm, running calls (-1 = not counted),
 * and the same twelve of the account; for others 1; or "!" and the text of an error.
 * The running calls of a key are a fourth value beside its three, a sorted set of places by the end of their leases. Its
 * name is derived from the log's, so that calls without such a limit do not send it.
 * Units: microseconds.
 * Source: docs/reliability.md#s2-8, #account-limits.
 */
const SCRIPT = `
local SECOND, MINUTE, TTL, EXACT = 1000000, 60000000, ${IDLE_MS}, ${EXACT_RPM}
local LEASE, BUSY = ${LEASE_MS * 1_000}, ${BUSY_RETRY_MS * 1_000}
-- The keys of the operation that runs.
local LOG, REQUESTS, TOKENS

local function server_time()
  if ARGV[1] ~= '' then return tonumber(ARGV[1]) end
  local parts = redis.call('TIME')
  return tonumber(parts[1]) * SECOND + tonumber(parts[2])
end

local function text(number) return string.format('%.0f', number) end

-- A window is read once and written once in a call; between them its buckets are known by their numbers.
local function advance(key, bucket, size)
  local head = redis.call('HMGET', key, 'sum', 'first')
  local sum, first = tonumber(head[1] or '0'), tonumber(head[2] or text(bucket))
  local oldest = bucket - size + 1
  if first < oldest then
    local names = {}
    for expired = first, math.min(oldest - 1, first + size - 1) do names[#names + 1] = text(expired) end
    for _, amount in ipairs(redis.call('HMGET', key, unpack(names))) do sum = sum - tonumber(amount or '0') end
    redis.call('HDEL', key, unpack(names))
    first = oldest
    redis.call('HSET', key, 'sum', text(sum), 'first', text(first))
  end
  return { key = key, sum = sum, first = first, newest = bucket, size = size, known = {}, changed = {} }
end

local function amounts(window, from, to)
  local unknown, names, all = {}, {}, {}
  for bucket = from, to do
    if not window.known[bucket] then
      unknown[#unknown + 1] = bucket
      names[#names + 1] = text(bucket)
    end
  end
  if names[1] then
    for index, amount in ipairs(redis.call('HMGET', window.key, unpack(names))) do
      window.known[unknown[index]] = tonumber(amount or '0')
    end
  end
  for bucket = from, to do all[#all + 1] = window.known[bucket] end
  return all
end

local function add(window, bucket, amount)
  local before = amounts(window, bucket, bucket)[1]
  local after = math.max(0, before + amount)
  window.sum = window.sum + after - before
  window.known[bucket] = after
  window.changed[bucket] = true
end

local function write(window, ...)
  local fields = { 'sum', text(window.sum), 'first', text(window.first), ... }
  for bucket in pairs(window.changed) do
    fields[#fields + 1] = text(bucket)
    fields[#fields + 1] = text(window.known[bucket])
  end
  redis.call('HSET', window.key, unpack(fields))
end

local function bucket_wait(window, now, width, excess)
  local freed = 0
  for index, amount in ipairs(amounts(window, window.first, window.newest)) do
    freed = freed + amount
    if freed >= excess then return (window.first + index - 1 + window.size) * width - now end
  end
  return MINUTE
end

local function bucket_reset(window, now, width)
  if window.sum == 0 then return 0 end
  local bucket = window.newest
  while bucket > window.first and amounts(window, bucket, bucket)[1] == 0 do bucket = bucket - 1 end
  return (bucket + window.size) * width - now
end

local function recent(window, buckets)
  local sum = 0
  for _, amount in ipairs(amounts(window, window.newest - buckets + 1, window.newest)) do sum = sum + amount end
  return sum
end

local function prune(cutoff)
  local expired = 0
  repeat
    local times = redis.call('LRANGE', LOG, expired, expired + 63)
    local before = expired
    for _, time in ipairs(times) do
      if tonumber(time) > cutoff then break end
      expired = expired + 1
    end
  until expired - before < 64
  if expired > 0 then redis.call('LTRIM', LOG, expired, -1) end
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
  if times[1] then window.first = math.max(math.floor(tonumber(times[1]) / 100000), window.newest - 600) end
  for _, time in ipairs(times) do
    local bucket = math.floor(tonumber(time) / 100000)
    if bucket >= window.first then add(window, bucket, 1) end
  end
  return window
end

local function to_log(now)
  local window = advance(REQUESTS, math.floor(now / 100000), 601)
  local all = amounts(window, window.first, window.newest)
  local surplus = math.max(0, window.sum - EXACT)
  redis.call('DEL', LOG, REQUESTS)
  for index, count in ipairs(all) do
    local kept = math.max(0, count - surplus)
    surplus = surplus - (count - kept)
    local time = text(math.min((window.first + index) * 100000, now))
    for _ = 1, kept do redis.call('RPUSH', LOG, time) end
  end
end

-- The counts of requests: in a log, or in buckets with a log of the last second. 'pushed' is not in the log yet.
local function read_counts(now, bucketed)
  local requests
  local was_bucketed = redis.call('EXISTS', REQUESTS) == 1
  if bucketed then
    requests = was_bucketed and advance(REQUESTS, math.floor(now / 100000), 601) or to_buckets(now)
  elseif was_bucketed then
    to_log(now)
  end
  prune(now - (bucketed and SECOND or MINUTE))
  local size = redis.call('LLEN', LOG)
  -- A log beside buckets has nothing older than a second.
  local last_second = bucketed and size or younger(size, now - SECOND)
  local newest = size > 0 and redis.call('LINDEX', LOG, -1) or nil
  return {
    bucketed = bucketed, requests = requests, size = size, last_second = last_second, newest = newest, pushed = {},
  }
end

local function write_key(state)
  local counts = state.counts
  if counts then
    if counts.pushed[1] then redis.call('RPUSH', LOG, unpack(counts.pushed)) end
    if counts.requests and next(counts.requests.changed) then write(counts.requests) end
    if counts.admitted then redis.call('PEXPIRE', LOG, TTL) end
    if counts.requests then redis.call('PEXPIRE', REQUESTS, TTL) end
  end
  if state.used then write(state.tokens, 'now', text(state.now)) end
  redis.call('PEXPIRE', TOKENS, TTL)
end

local function correct(state, bucket, less, more)
  local tokens = state.tokens
  if bucket > tokens.newest - 61 and bucket <= tokens.newest then
    add(tokens, bucket, less + more)
  elseif more > 0 then
    add(tokens, tokens.newest, more)
  end
  state.used = true
  return { 1 }
end

-- The running calls of the key, without those whose replica has died; nil where they are not limited.
local function read_places(now, limit)
  if limit < 0 then return nil end
  local key = (string.gsub(LOG, 'log$', 'running'))
  redis.call('ZREMRANGEBYSCORE', key, '-inf', text(now))
  return { key = key, running = redis.call('ZCARD', key) }
end

local function hold(now, place)
  local key = (string.gsub(LOG, 'log$', 'running'))
  redis.call('ZADD', key, text(now + LEASE), place)
  redis.call('PEXPIRE', key, LEASE / 1000)
end

local function leave(place)
  redis.call('ZREM', (string.gsub(LOG, 'log$', 'running')), place)
end

-- How long the operation waits for the limits of the key; counts nothing.
local function measure(op, state, qps, rpm, tpm, asked, concurrent)
  local now, tokens = state.now, state.tokens
  local bucketed = rpm < 0 or rpm > EXACT
  if state.counts and state.counts.bucketed ~= bucketed then
    write_key(state)
    state.counts = nil
  end
  state.counts = state.counts or read_counts(now, bucketed)
  local counts = state.counts
  local requests, pushed = counts.requests, counts.pushed

  local function log_wait(count, limit, window)
    if limit < 0 or count < limit then return 0 end
    if limit < 1 then return window end
    local time = pushed[#pushed - limit + 1] or redis.call('LINDEX', LOG, #pushed - limit)
    return tonumber(time) + window - now
  end

  local places = read_places(now, concurrent)
  local waits = { log_wait(counts.last_second, qps, SECOND), 0, 0, 0 }
  if not requests then
    waits[2] = log_wait(counts.size, rpm, MINUTE)
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
  if op == 'admit' and places and places.running >= concurrent then waits[4] = BUSY end

  local wait, violated = 0, 0
  for index = 1, 4 do
    if waits[index] > wait then wait, violated = waits[index], index end
  end
  return { state = state, qps = qps, wait = wait, violated = violated, reserved = reserved, places = places }
end

local function count(op, measured, place)
  local state = measured.state
  local counts, tokens = state.counts, state.tokens
  if op == 'admit' then
    local requests = counts.requests
    if requests then add(requests, requests.newest, 1) end
    if not requests or measured.qps >= 0 then
      counts.newest = text(state.now)
      counts.pushed[#counts.pushed + 1] = counts.newest
      counts.size, counts.last_second = counts.size + 1, counts.last_second + 1
    end
    if measured.places then
      hold(state.now, place)
      measured.places.running = measured.places.running + 1
    end
  end
  add(tokens, tokens.newest, measured.reserved)
  state.used, counts.admitted = true, true
end

local function report(measured, allowed)
  local state = measured.state
  local now, counts, tokens = state.now, state.counts, state.tokens
  local requests = counts.requests
  local since = counts.newest and tonumber(counts.newest) - now or nil
  return {
    allowed and 1 or 0, measured.violated, measured.wait, tokens.newest, measured.reserved,
    (requests and measured.qps < 0) and recent(requests, 10) or counts.last_second,
    since and math.max(0, since + SECOND) or 0,
    requests and requests.sum or counts.size,
    requests and bucket_reset(requests, now, 100000) or (since and since + MINUTE or 0),
    tokens.sum, bucket_reset(tokens, now, SECOND),
    measured.places and measured.places.running or -1,
  }
end

local function take_keys(key)
  local at = tonumber(key) * 3
  LOG, REQUESTS, TOKENS = KEYS[at + 1], KEYS[at + 2], KEYS[at + 3]
end

local time, states, replies = server_time(), {}, {}

local function state_of(key)
  take_keys(key)
  local state = states[key]
  if not state then
    -- The server's clock may go backwards; times in the log must not.
    local now = math.max(time, tonumber(redis.call('HGET', TOKENS, 'now') or '0'))
    state = { now = now, tokens = advance(TOKENS, math.floor(now / SECOND), 61), replies = {} }
    states[key] = state
  end
  state.replies[#state.replies + 1] = #replies + 1
  return state
end

local function words(line)
  local all = {}
  for word in string.gmatch(line, '%S+') do all[#all + 1] = word end
  return all
end

-- 'more': tokens, calls at once, place, the account's key, its qps, rpm, tpm and calls at once.
local function ask(op, key, qps, rpm, tpm, more)
  local account = more[4] and state_of(more[4])
  local ofAccount = account and measure(
    op, account, tonumber(more[5]), tonumber(more[6]), tonumber(more[7]), tonumber(more[1]), tonumber(more[8])
  )
  local ofKey = measure(op, state_of(key), qps, rpm, tpm, tonumber(more[1]), tonumber(more[2] or '-1'))
  local allowed = ofKey.wait == 0 and not (ofAccount and ofAccount.wait > 0)
  if op ~= 'peek' and allowed then
    count(op, ofKey, more[3])
    if ofAccount then
      take_keys(more[4])
      count(op, ofAccount, more[3])
    end
  end
  local reply = report(ofKey, allowed)
  if ofAccount then
    for _, number in ipairs(report(ofAccount, allowed)) do reply[#reply + 1] = number end
  end
  return reply
end

local function run(op, key, a, b, c, rest)
  if op == 'hold' or op == 'leave' then
    take_keys(key)
    for _, place in ipairs(words(rest)) do
      if op == 'hold' then hold(time, place) else leave(place) end
    end
    return { 1 }
  end
  if op == 'correct' then return correct(state_of(key), a, b, c) end
  return ask(op, key, a, b, c, words(rest))
end

local function error_of(failure)
  local error = type(failure) == 'table' and failure.err or tostring(failure)
  return '!' .. string.gsub(error, ';', ',')
end

for op, key, a, b, c, d in string.gmatch(ARGV[2], '(%a+) (%d+) (%S+) (%S+) (%S+) ([^;]+);') do
  local ran, reply = pcall(run, op, key, tonumber(a), tonumber(b), tonumber(c), d)
  replies[#replies + 1] = ran and table.concat(reply, ' ') or error_of(reply)
end
for key, state in pairs(states) do
  take_keys(key)
  local written, failure = pcall(write_key, state)
  if not written then
    for _, index in ipairs(state.replies) do replies[index] = error_of(failure) end
  end
end
return table.concat(replies, ';')
`;

/** The script, and the hash by which the server identifies it. */
export const limitScript = Object.freeze({
  source: SCRIPT,
  sha: createHash("sha1").update(SCRIPT).digest("hex"),
});
