/** Refusals about accounts of staff, sign-ins and keys. */
export const accounts = {} as const
