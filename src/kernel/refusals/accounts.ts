/** Refusals about accounts of staff, sign-ins and keys. */
export const accounts = {
  shortPassword: 'Must be at least {least} characters in this trial.',
} as const
