/** On one page of the lists of an account. */
export const ROWS_PER_PAGE = 20;
