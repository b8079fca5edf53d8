/** Refusals about permissions, limits and features. */
export const access = {} as const
