/** The first of the account's keys, which are nearly always all: one answer that every part of a page shares. */
export const firstKeys = { query: { page: 1, pageSize: 100 } };
