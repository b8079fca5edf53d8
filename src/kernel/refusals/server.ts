/** Refusals about the server itself, its jobs and its test clock. */
export const server = {
  notFileName: 'Must be letters, digits, ., _ and - only.',
} as const
